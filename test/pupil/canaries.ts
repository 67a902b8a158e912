/** Watches the 64 bytes on either side of every block of an arena: kernels may read them, never write them. */
import type { Arena } from '../../src/runtime/wasm/arena.ts';

const MARK = 0xa5;
const WIDTH = 64;

export class Canaries {
  readonly #arena: Arena;
  readonly #blocks = new Map<number, number>();

  constructor(arena: Arena) {
    this.#arena = arena;
    const allocate = arena.allocate.bind(arena);
    const free = arena.free.bind(arena);
    arena.allocate = (bytes) => {
      const address = allocate(bytes);
      this.#blocks.set(address, (Math.max(1, bytes) + 63) & ~63);
      for (const [from, to] of this.#sides(address)) arena.u8.fill(MARK, from, to);
      return address;
    };
    arena.free = (address) => {
      this.#checkBlock(address);
      this.#blocks.delete(address);
      free(address);
    };
  }

  #sides(address: number): [number, number][] {
    const end = address + this.#blocks.get(address)!;
    return [
      [address - WIDTH, address],
      [end, end + WIDTH],
    ];
  }

  #checkBlock(address: number): void {
    if (!this.#blocks.has(address)) return; // older than the watch
    for (const [from, to] of this.#sides(address)) {
      const at = this.#arena.u8.subarray(from, to).findIndex((v) => v !== MARK);
      if (at >= 0)
        throw new Error(`Byte ${from + at - address} of a block of ${this.#blocks.get(address)} bytes was written.`);
    }
  }

  check(): void {
    for (const address of this.#blocks.keys()) this.#checkBlock(address);
  }
}
