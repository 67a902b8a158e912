/** The arena's memory of one filling on the WASM side, allocated and freed as a whole. */
import type { Plane } from '../runtime/plane.ts';
import { strideOf } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { inverseLengths, RECORD_BYTES } from './layout.ts';

/** Pixels of one piece of work on the whole image: one to two milliseconds. */
const PIECE = 1 << 18;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Planes of the whole image (addresses and strides) and lists of the hole's box. */
export class WasmBuffers {
  readonly width: number;
  readonly height: number;
  /** Strides of RGBA (confidence has the same), of one byte and of block sums. */
  readonly stride: number;
  readonly byteStride: number;
  readonly sumsStride: number;
  /** 1 where to be filled. */
  readonly hole: number;
  /** Unknown pixels to begin with, and their box. */
  unknown = 0;
  box: Box = { x: 0, y: 0, width: 0, height: 0 };
  readonly record: number;
  readonly inverse: number;
  readonly mean: number;
  /** 255 where a patch of the size that was last asked for lies in the source region. */
  readonly valid: number;
  readonly #runs: number;
  /** The size of patch that `valid` is for. */
  #validFor = '';
  readonly #mask: number;
  readonly #side: WasmSide;
  readonly #allocated: number[] = [];

  /** `prepare` comes next. */
  constructor(side: WasmSide, source: Plane, mask: Plane) {
    this.#side = side;
    this.#mask = mask.address;
    const { width, height } = source;
    this.width = width;
    this.height = height;
    this.stride = source.stride;
    this.byteStride = mask.stride;
    this.sumsStride = 2 * strideOf(width, 'rgba8');
    try {
      this.hole = this.allocate(this.byteStride * height);
      this.record = this.allocate(RECORD_BYTES);
      this.inverse = this.allocate(4 * inverseLengths.length + 16);
      this.mean = this.inverse + 4 * inverseLengths.length;
      side.arena.u8.set(new Uint8Array(inverseLengths.buffer), this.inverse);
      this.#runs = this.allocate(this.byteStride * height);
      this.valid = this.allocate(this.byteStride * height);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  allocate(bytes: number): number {
    const address = this.#side.arena.allocate(bytes);
    this.#allocated.push(address);
    return address;
  }

  /** Bytes that are all `value`. */
  bytes(count: number, value = 0): number {
    const address = this.allocate(count);
    this.#side.arena.u8.fill(value, address, address + count);
    return address;
  }

  /** Looks at the mask: hole, its pixels and their box. Yields every few milliseconds. */
  *prepare(): Generator<void> {
    const { width, height, byteStride, record } = this;
    this.#side.arena.i32.set([0, width, height, -1, -1], record >> 2);
    for (const [y, rows] of this.pieces()) {
      const hole = this.hole + y * byteStride;
      this.#side.bands('inpaintHole', rows, [this.#mask + y * byteStride, hole, byteStride, width]);
      this.#side.bands('inpaintRuns', rows, [hole, this.#runs + y * byteStride, byteStride, width]);
      this.#side.kernels.call('inpaintBox', this.hole, byteStride, width, y, y + rows, record);
      yield;
    }
    const [count, x, y, right, bottom] = this.#side.arena.i32.subarray(record >> 2, (record >> 2) + 5);
    this.unknown = count!;
    this.box = { x: x!, y: y!, width: right! - x! + 1, height: bottom! - y! + 1 };
  }

  /** The rows in pieces: first row and number. */
  *pieces(): Generator<[y: number, rows: number]> {
    const rows = Math.max(1, Math.floor(PIECE / this.width));
    for (let y = 0; y < this.height; y += rows) yield [y, Math.min(rows, this.height - y)];
  }

  /** Marks the patches of this size that lie in the source region. */
  setValid(columns: number, rows: number): void {
    const size = `${columns}x${rows}`;
    if (this.#validFor === size) return;
    const args = [this.#runs, this.valid, this.byteStride, this.height, columns, rows];
    this.#side.bands('inpaintValid', this.height, args);
    this.#validFor = size;
  }

  /** Whether a whole patch can be copied from anywhere. */
  possible(patch: number): boolean {
    if (this.width < patch || this.height < patch) return false;
    this.setValid(patch, patch);
    return this.#side.kernels.evaluate('inpaintAny', this.valid, this.byteStride * this.height) !== 0;
  }

  /** The RGBA image at this address, tightly packed. */
  copy(image: number): Uint8ClampedArray<ArrayBuffer> {
    const { width, height, stride } = this;
    const { u8 } = this.#side.arena;
    const out = new Uint8ClampedArray(4 * width * height);
    if (stride === 4 * width) {
      out.set(u8.subarray(image, image + out.length));
      return out;
    }
    for (let y = 0; y < height; y++)
      out.set(u8.subarray(image + y * stride, image + y * stride + 4 * width), 4 * y * width);
    return out;
  }

  free(): void {
    for (const address of this.#allocated.splice(0)) this.#side.arena.free(address);
  }
}
