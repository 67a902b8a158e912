/**
 * The arena: the only allocator of the linear memory (design, idea 4). It keeps a first-fit free list over one
 * WebAssembly memory. Blocks are 64-byte aligned with 64 readable bytes on either side, so SIMD kernels may load past
 * an edge. Kernels receive addresses and allocate nothing. The memory grows only here, so only between jobs.
 */
import { FoveolaError } from '../error.ts';

const PAGE = 65536;
const GUARD = 64;
const align = (n: number) => (n + 63) & ~63;

interface FreeBlock {
  address: number;
  size: number;
}

export class Arena {
  readonly memory: WebAssembly.Memory;
  readonly shared: boolean;
  readonly #maximum: number;
  #free: FreeBlock[];
  #sizes = new Map<number, number>();
  #used = 0;
  #peak = 0;
  #buffer: ArrayBufferLike;
  #u8: Uint8Array;
  #i32: Int32Array;
  #f32: Float32Array;
  #f64: Float64Array;

  /** `base` is the end of the kernels' (constant) data. Nothing below it is allocated. */
  constructor({ shared = false, initial = 4 << 20, maximum = 512 << 20, base = 4096 } = {}) {
    const pages = { initial: Math.ceil(initial / PAGE), maximum: Math.ceil(maximum / PAGE) };
    this.memory = new WebAssembly.Memory({ ...pages, shared });
    this.shared = shared;
    this.#maximum = pages.maximum * PAGE;
    this.#free = [{ address: align(base), size: pages.initial * PAGE - align(base) }];
    this.#buffer = this.memory.buffer;
    this.#u8 = new Uint8Array(this.#buffer);
    this.#i32 = new Int32Array(this.#buffer);
    this.#f32 = new Float32Array(this.#buffer);
    this.#f64 = new Float64Array(this.#buffer);
  }

  /** Bytes in use, and the maximum so far. */
  get used(): number {
    return this.#used;
  }
  get peak(): number {
    return this.#peak;
  }
  get blocks(): number {
    return this.#sizes.size;
  }

  /** The whole memory as bytes. Never keep it, because growing replaces the buffer. */
  get u8(): Uint8Array {
    this.#refresh();
    return this.#u8;
  }
  get i32(): Int32Array {
    this.#refresh();
    return this.#i32;
  }
  get f32(): Float32Array {
    this.#refresh();
    return this.#f32;
  }
  get f64(): Float64Array {
    this.#refresh();
    return this.#f64;
  }

  #refresh(): void {
    if (this.#buffer === this.memory.buffer) return;
    this.#buffer = this.memory.buffer;
    this.#u8 = new Uint8Array(this.#buffer);
    this.#i32 = new Int32Array(this.#buffer);
    this.#f32 = new Float32Array(this.#buffer);
    this.#f64 = new Float64Array(this.#buffer);
  }

  /** Address of `bytes` bytes (uninitialized). Throws 'out-of-memory' when the maximum is reached. */
  allocate(bytes: number): number {
    const need = align(Math.max(1, bytes)) + 2 * GUARD;
    let i = this.#free.findIndex((b) => b.size >= need);
    if (i < 0) {
      this.#grow(need);
      i = this.#free.findIndex((b) => b.size >= need);
    }
    const block = this.#free[i]!;
    const start = block.address;
    block.address += need;
    block.size -= need;
    if (block.size === 0) this.#free.splice(i, 1);
    this.#sizes.set(start + GUARD, need);
    this.#used += need;
    if (this.#used > this.#peak) this.#peak = this.#used;
    return start + GUARD;
  }

  free(address: number): void {
    const size = this.#sizes.get(address);
    if (size === undefined) throw new FoveolaError('internal', `Arena.free: ${address} is not an allocated address.`);
    this.#sizes.delete(address);
    this.#used -= size;
    const start = address - GUARD;
    let i = this.#free.findIndex((b) => b.address > start);
    if (i < 0) i = this.#free.length;
    this.#free.splice(i, 0, { address: start, size });
    const next = this.#free[i + 1];
    if (next && start + size === next.address) {
      this.#free[i]!.size += next.size;
      this.#free.splice(i + 1, 1);
    }
    const previous = this.#free[i - 1];
    if (previous && previous.address + previous.size === start) {
      previous.size += this.#free[i]!.size;
      this.#free.splice(i, 1);
    }
  }

  /**
   * Moves a block with its bytes as far down as free space allows. Returns its new address. This never grows the
   * memory.
   */
  settle(address: number): number {
    const bytes = this.#sizes.get(address)! - 2 * GUARD;
    this.free(address);
    const now = this.allocate(bytes); // its current place in the worst case
    this.u8.copyWithin(now, address, address + bytes);
    return now;
  }

  #grow(need: number): void {
    const end = this.memory.buffer.byteLength;
    const last = this.#free[this.#free.length - 1];
    const tail = last && last.address + last.size === end ? last.size : 0;
    // At least a quarter more than now, so that a series of allocations does not grow page by page.
    const wanted = Math.max(need - tail, Math.min(end >> 2, this.#maximum - end));
    const pages = Math.ceil(wanted / PAGE);
    if (end + Math.ceil((need - tail) / PAGE) * PAGE > this.#maximum)
      throw new FoveolaError(
        'out-of-memory',
        `${(need / 1048576).toFixed(1)} MiB more are needed than the ${this.#maximum >> 20} MiB limit leaves. Use a smaller image.`,
      );
    try {
      this.memory.grow(Math.min(pages, (this.#maximum - end) / PAGE));
    } catch (cause) {
      throw new FoveolaError('out-of-memory', 'The browser refused more memory. Use a smaller image.', { cause });
    }
    const size = this.memory.buffer.byteLength - end;
    if (tail) last!.size += size;
    else this.#free.push({ address: end, size });
  }
}
