/**
 * Criminisi's filling on the WASM side: choose the patch of the front with the largest priority, find its best match,
 * copy, update confidence and the priorities around it, until nothing is left.
 */
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { Fill, FillOptions } from './fill.ts';
import { blend } from './wasm-blend.ts';
import { WasmBuffers } from './wasm-buffers.ts';
import { WasmSearch } from './wasm-search.ts';

/** Bytes of a row's entry beside the keys. */
const ROW_BYTES = 16;
/** Keys of one call: about a millisecond where all of them are front. */
const KEYS = 4096;

export class WasmFill implements Fill {
  total = 0;
  remaining = 0;
  readonly #side: WasmSide;
  readonly #source: Plane;
  readonly #options: FillOptions;
  readonly #buffers: WasmBuffers;
  #search!: WasmSearch;
  #image = 0;
  #gray = 0;
  #confidence = 0;
  #keys = 0;
  #largest = 0;
  #origin = 0;

  /** Source and mask are on the arena and stay the caller's. */
  constructor(side: WasmSide, source: Plane, mask: Plane, options: FillOptions) {
    this.#side = side;
    this.#source = source;
    this.#options = options;
    this.#buffers = new WasmBuffers(side, source, mask);
  }

  async start(slice: () => Promise<void>): Promise<boolean> {
    const buffers = this.#buffers;
    for (const _ of buffers.prepare()) await slice();
    this.total = this.remaining = buffers.unknown;
    const { width, height, stride, byteStride, hole, box } = buffers;
    const { patch, variant } = this.#options;
    if (!this.total) return true;
    if (!buffers.possible(patch)) return false;
    await slice();
    this.#search = new WasmSearch(this.#side, buffers, this.#source, patch, variant === 'seamless');
    for (const _ of this.#search.prepare()) await slice();
    const image = buffers.allocate(stride * height);
    this.#gray = buffers.allocate(byteStride * height);
    this.#confidence = buffers.allocate(stride * height);
    for (const [y, rows] of buffers.pieces()) {
      const [at, byteAt] = [y * stride, y * byteStride];
      const from = this.#source.address + at;
      this.#side.arena.u8.copyWithin(image + at, from, from + rows * stride);
      this.#side.bands('grayFromRgba', rows, [image + at, stride, this.#gray + byteAt, byteStride, width]);
      const confidence = [hole + byteAt, byteStride, this.#confidence + at, stride, width];
      this.#side.bands('inpaintConfidence', rows, confidence);
      await slice();
    }
    this.#image = image;
    this.#keys = buffers.bytes(8 * box.width * box.height);
    this.#largest = buffers.bytes(ROW_BYTES * box.height);
    this.#origin = buffers.bytes(4 * box.width * box.height, 255);
    const rows = Math.max(1, Math.floor(KEYS / box.width));
    for (let y = 0; y < box.height; y += rows) {
      this.#updateKeys(box.x, box.x + box.width, box.y + y, box.y + Math.min(y + rows, box.height));
      await slice();
    }
    return true;
  }

  #updateKeys(x0: number, x1: number, y0: number, y1: number): void {
    const { width, height, stride, byteStride, hole, inverse, box } = this.#buffers;
    const half = this.#options.patch >> 1;
    const planes = [this.#gray, hole, byteStride, this.#confidence, stride, width, height, half, inverse];
    const lists = [this.#keys, this.#largest, box.x, box.y, box.width];
    this.#side.once('inpaintKeys', [...planes, ...lists, x0, x1, y0, y1]);
  }

  /** One patch a call. */
  async next(slice: () => Promise<void>): Promise<number[]> {
    const { width, stride, byteStride, hole, box, record } = this.#buffers;
    const { patch, searchWindow } = this.#options;
    const centre = this.#side.kernels.evaluate('inpaintNext', this.#largest, box.y, box.height, width);
    const [x, y] = [centre % width, Math.floor(centre / width)];
    const search = this.#search;
    const target = search.setTarget(this.#image, hole, x, y);
    let range = search.range(target, searchWindow);
    search.bound(this.#origin, range);
    let match = await search.all(range, slice);
    if (!match) {
      // The window lies in the hole: look everywhere.
      range = search.range(target, 0);
      match = (await search.all(range, slice))!;
    }
    const planes = [this.#image, stride, this.#gray, hole, byteStride, this.#confidence, stride, this.#origin];
    const where = [box.x, box.y, box.width, width, match.x, match.y, record];
    const filled = this.#side.kernels.evaluate('inpaintFill', this.#source.address, ...planes, ...where);
    this.remaining -= filled;
    // A term looks at the patch around its pixel, and a gradient at its edge one pixel further.
    const reach = 2 * (patch >> 1) + 1;
    this.#updateKeys(
      Math.max(box.x, x - reach),
      Math.min(box.x + box.width, x + reach + 1),
      Math.max(box.y, y - reach),
      Math.min(box.y + box.height, y + reach + 1),
    );
    return [filled];
  }

  async blend(slice: () => Promise<void>): Promise<void> {
    const source = this.#source.address;
    await blend(this.#side, { ...this.#buffers, source, image: this.#image, origin: this.#origin }, slice);
  }

  async read(): Promise<Uint8ClampedArray<ArrayBuffer>> {
    return this.#buffers.copy(this.#image || this.#source.address);
  }

  dispose(): void {
    this.#buffers.free();
  }
}
