/**
 * Criminisi's filling on the GPU side. Nothing is read between patches: the choice, the match and the copy of one patch
 * are textures for the next draws, and each patch leaves one texel in a log. Patches are enqueued in batches of some
 * milliseconds, one batch ahead of the one whose log is being read; what is enqueued past the last patch changes
 * nothing. All integers, so the picture equals that of the WASM side.
 */
import type { Plane } from '../runtime/plane.ts';
import type { GpuSide, Texture } from '../runtime/gpu-side.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { Fill, FillOptions } from './fill.ts';
import { inverseLengths } from './layout.ts';
import { keyPass, logPass, patchPass, scatterPass } from './passes.ts';
import { best, levels } from './reduce.gpu.ts';
import { begin, search, searchTextures, type GpuState, type SearchTextures } from './state.gpu.ts';
import { blend } from './wasm-blend.ts';
import { WasmBuffers } from './wasm-buffers.ts';

/** Milliseconds of one batch: two are in flight, and a cancel waits for both. */
const BATCH = 10;
/** Most patches of a batch; texels of a log. */
const MOST = 64;
/** Entry of the list of origins for a pixel that was not filled. */
const KNOWN = 0xffffffff;

interface Textures extends GpuState {
  readonly source: Texture<'rgba8ui'>;
  readonly keys: Texture<'rgba32ui'>;
  readonly keyLevels: readonly Texture<'rgba32ui'>[];
  readonly search: SearchTextures;
  readonly colours: Texture<'rgba8ui'>;
  readonly facts: Texture<'rg32ui'>;
  readonly logs: readonly Texture<'rgba32ui'>[];
}

interface Batch {
  readonly patches: number;
  readonly start: number;
  readonly log: Promise<Uint8Array>;
}

export class GpuFill implements Fill {
  total = 0;
  remaining = 0;
  readonly #gpu: GpuSide;
  readonly #wasm: WasmSide;
  readonly #source: Plane;
  readonly #mask: Plane;
  readonly #options: FillOptions;
  readonly #buffers: WasmBuffers;
  readonly #lent: Texture[] = [];
  #textures!: Textures;
  #ahead: Batch | null = null;
  #batch = 1;
  #logs = 0;
  /** The picture on the arena, once it was read. */
  #image = 0;
  #origin = 0;

  constructor(gpu: GpuSide, wasm: WasmSide, source: Plane, mask: Plane, options: FillOptions) {
    this.#gpu = gpu;
    this.#wasm = wasm;
    this.#source = source;
    this.#mask = mask;
    this.#options = options;
    this.#buffers = new WasmBuffers(wasm, source, mask);
  }

  async start(slice: () => Promise<void>): Promise<boolean> {
    const { patch } = this.#options;
    for (const _ of this.#buffers.prepare()) await slice();
    this.total = this.remaining = this.#buffers.unknown;
    if (!this.total) return true;
    if (!this.#buffers.possible(patch)) return false;
    const { width, height, box } = this.#buffers;
    const lend = <F extends Texture['format']>(w: number, h: number, format: F): Texture<F> => {
      const texture = this.#gpu.allocate(w, h, format);
      this.#lent.push(texture);
      return texture;
    };
    const state = begin(this.#gpu, lend, this.#source, this.#mask);
    this.#textures = {
      ...state,
      source: begin(this.#gpu, lend, this.#source, this.#mask).image,
      keys: lend(box.width, box.height, 'rgba32ui'),
      keyLevels: levels(lend, box.width, box.height, 'rgba32ui'),
      search: searchTextures(lend, width, height),
      colours: lend(patch, patch, 'rgba8ui'),
      facts: lend(patch, patch, 'rg32ui'),
      logs: [lend(MOST, 1, 'rgba32ui'), lend(MOST, 1, 'rgba32ui'), lend(MOST, 1, 'rgba32ui')],
    };
    return true;
  }

  #draw(log: Texture, n: number): void {
    const { patch, searchWindow, variant } = this.#options;
    const { width, height, box } = this.#buffers;
    const { image, confidence, origin, source, keys, keyLevels, colours, facts, ...t } = this.#textures;
    const gpu = this.#gpu;
    const reach = patch >> 1;
    gpu.draw(keyPass, {
      targets: [keys],
      textures: { image, confidences: confidence },
      uniforms: { reach, inverse: inverseLengths, corner: [box.x, box.y] },
    });
    const centre = best(gpu, keys, keyLevels);
    const options = { patch, searchWindow, near: variant === 'seamless' };
    const nearest = search(gpu, t.search, { source, image, centre }, options);
    gpu.draw(patchPass, {
      targets: [colours, facts],
      textures: { image, confidences: confidence, source, centre, nearest },
      uniforms: { reach },
      region: { x: 0, y: 0, width: patch, height: patch },
    });
    gpu.draw(logPass, {
      targets: [log],
      textures: { colours, centre, nearest },
      uniforms: {},
      region: { x: n, y: 0, width: 1, height: 1 },
    });
    gpu.draw(scatterPass, {
      targets: [image, confidence, origin],
      textures: { colours, facts, centre },
      uniforms: { reach, size: [width, height] },
      count: patch * patch,
    });
  }

  #enqueue(): Batch {
    const start = performance.now();
    const log = this.#textures.logs[this.#logs++ % this.#textures.logs.length]!;
    const patches = this.#batch;
    for (let n = 0; n < patches; n++) this.#draw(log, n);
    const read = this.#gpu.read(log, { x: 0, y: 0, width: patches, height: 1 });
    read.catch(() => {}); // reported when it is awaited, if it ever is
    return { patches, start, log: read };
  }

  /** Fills a batch of patches; how many pixels each of them filled. */
  async next(slice: () => Promise<void>): Promise<number[]> {
    const batch = this.#ahead ?? this.#enqueue();
    this.#ahead = this.#enqueue();
    const bytes = await batch.log;
    const took = performance.now() - batch.start;
    this.#batch = Math.max(1, Math.min(MOST, 2 * this.#batch, Math.round((this.#batch * BATCH) / Math.max(took, 1))));
    const entries = new Uint32Array(bytes.buffer, bytes.byteOffset, 4 * batch.patches);
    const filled: number[] = [];
    for (let n = 0; n < batch.patches && this.remaining > 0; n++) {
      const count = entries[4 * n + 3]!;
      if (!count) throw new Error('a patch on the GPU filled nothing');
      this.remaining -= count;
      filled.push(count);
    }
    await slice();
    return filled;
  }

  /** Brings what is filled so far to the arena. */
  async #compose(): Promise<void> {
    const { width, height, stride, box } = this.#buffers;
    const { arena } = this.#wasm;
    const bytes = stride * height;
    this.#image ||= this.#buffers.allocate(bytes);
    arena.u8.copyWithin(this.#image, this.#source.address, this.#source.address + bytes);
    if (!this.#lent.length) return;
    const read = await this.#gpu.read(this.#textures.origin, box);
    const origins = new Uint32Array(read.buffer, read.byteOffset, box.width * box.height);
    this.#origin ||= this.#buffers.allocate(4 * origins.length);
    const words = arena.i32;
    words.set(new Int32Array(origins.buffer, origins.byteOffset, origins.length), this.#origin >> 2);
    const source = this.#source.address >> 2;
    const image = this.#image >> 2;
    const row = stride >> 2;
    origins.forEach((origin, i) => {
      if (origin === KNOWN) return;
      const from = origin & 0xfffffff;
      const to = (box.y + Math.floor(i / box.width)) * row + box.x + (i % box.width);
      words[image + to] = words[source + Math.floor(from / width) * row + (from % width)]!;
    });
  }

  async blend(slice: () => Promise<void>): Promise<void> {
    await this.#compose();
    const source = this.#source.address;
    await blend(this.#wasm, { ...this.#buffers, source, image: this.#image, origin: this.#origin }, slice);
  }

  async read(): Promise<Uint8ClampedArray<ArrayBuffer>> {
    if (!this.#image) await this.#compose();
    return this.#buffers.copy(this.#image);
  }

  dispose(): void {
    for (const texture of this.#lent.splice(0)) this.#gpu.release(texture);
    this.#buffers.free();
  }
}
