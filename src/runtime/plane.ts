/**
 * Plane: an image that knows where it lives (design, idea 1). Asking for it on the other side moves it, once, and
 * remembers. Planes are written once by the stage that makes them and then only read, so both copies stay equal.
 */
import type { Arena } from './wasm/arena.ts';
import type { ImageFileNotes } from '../results/types.ts';
import { FoveolaError, lostError } from './error.ts';

/** One sample a pixel, except rgba8 with four bytes. */
export type PlaneFormat = 'u8' | 'u16' | 'i16' | 'u32' | 'i32' | 'f32' | 'rgba8';

export const bytesPerPixel: Readonly<Record<PlaneFormat, number>> = {
  u8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  f32: 4,
  rgba8: 4,
};

export type PlaneArray = Uint8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array;

const arrays = {
  u8: Uint8Array,
  rgba8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
} as const;

/** A texture lent by the pool; only the GPU side looks inside. */
export interface GpuTexture {
  readonly texture: WebGLTexture;
  readonly width: number;
  readonly height: number;
  readonly format: PlaneFormat;
  /** Its content went with a lost context. */
  readonly lost: boolean;
}

/** What a plane needs of the GPU side to move. */
export interface PlaneGpu {
  /** Its context is lost now. */
  readonly lost: boolean;
  allocate(width: number, height: number, format: PlaneFormat): GpuTexture;
  release(texture: GpuTexture): void;
  /** `bytes` are rows of `stride` bytes. */
  upload(texture: GpuTexture, bytes: Uint8Array, stride: number): void;
  /** Tightly packed samples, through a pixel-pack buffer and a fence: never blocks. */
  download(texture: GpuTexture): Promise<Uint8Array>;
}

export interface PlaneHost {
  readonly arena: Arena;
  readonly gpu: PlaneGpu | null;
}

/** Row stride in bytes on the arena: a multiple of 16, so that every row starts on a SIMD boundary. */
export const strideOf = (width: number, format: PlaneFormat): number => (width * bytesPerPixel[format] + 15) & ~15;

export class Plane {
  readonly width: number;
  readonly height: number;
  readonly format: PlaneFormat;
  /** Row stride in bytes on the arena. */
  readonly stride: number;
  /** Of the picture it was made from: how far its colors are from gray, levels (src/frames/chroma.ts), if known. */
  chroma?: number;
  /**
   * Of a gray picture that was asked for with its colors and has some: U and V of every two by two pixels, side by side
   * (128 is gray), on the arena. Disposed of with the plane by whom it belongs to.
   */
  colors?: Plane;
  /** Of the file that it was read from: spacing of the pixels, what was left out. */
  file?: ImageFileNotes;
  /** Takes the time that fetching it from the GPU took, for the call that left it there (side-profile.ts). */
  fetched?: (begun: number, ended: number) => void;
  readonly #host: PlaneHost;
  #address = 0;
  #texture: GpuTexture | null = null;
  #moving: Promise<number> | null = null;
  #disposed = false;

  private constructor(host: PlaneHost, width: number, height: number, format: PlaneFormat) {
    if (!(width >= 1 && height >= 1 && Number.isInteger(width) && Number.isInteger(height)))
      throw new FoveolaError(
        'invalid-argument',
        `Image width and height must be whole numbers above 0, not ${width}x${height}.`,
      );
    this.#host = host;
    this.width = width;
    this.height = height;
    this.format = format;
    this.stride = strideOf(width, format);
  }

  /** Uninitialized, on the arena. */
  static onArena(host: PlaneHost, width: number, height: number, format: PlaneFormat): Plane {
    const plane = new Plane(host, width, height, format);
    plane.#address = host.arena.allocate(plane.stride * height);
    return plane;
  }

  /** Of a block that is allocated and holds the rows at its beginning; the plane frees it. */
  static ofBlock(host: PlaneHost, width: number, height: number, format: PlaneFormat, address: number): Plane {
    const plane = new Plane(host, width, height, format);
    plane.#address = address;
    return plane;
  }

  /** Wraps a texture that the GPU side lent; the plane gives it back. */
  static onGpu(host: PlaneHost, texture: GpuTexture): Plane {
    const plane = new Plane(host, texture.width, texture.height, texture.format);
    plane.#texture = texture;
    return plane;
  }

  /** Copies tightly packed samples to the arena. */
  static from(host: PlaneHost, width: number, height: number, format: PlaneFormat, data: ArrayBufferView): Plane {
    const row = width * bytesPerPixel[format];
    if (data.byteLength !== row * height)
      throw new FoveolaError(
        'invalid-argument',
        `A ${width}x${height} ${format} image has ${row * height} bytes, not ${data.byteLength}.`,
      );
    const plane = Plane.onArena(host, width, height, format);
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    plane.#write(bytes, row);
    return plane;
  }

  #write(bytes: Uint8Array | Uint8ClampedArray, row: number, start = this.#address): void {
    const memory = this.#host.arena.u8;
    if (row === this.stride) memory.set(bytes, start);
    else
      for (let at = 0, to = start; at < bytes.length; at += row, to += this.stride)
        memory.set(bytes.subarray(at, at + row), to);
  }

  /** Tightly packed rows of bytes, from row `y` on, of a plane on the arena. */
  put(rows: Uint8Array | Uint8ClampedArray, y: number): void {
    this.#write(rows, this.width * bytesPerPixel[this.format], this.address + y * this.stride);
  }

  get on(): 'arena' | 'gpu' | 'both' {
    return this.#address ? (this.#texture ? 'both' : 'arena') : 'gpu';
  }

  /** It lay on the GPU alone, and went with the context. */
  get lost(): boolean {
    return !this.#address && this.#texture !== null && (this.#texture.lost || this.#host.gpu?.lost === true);
  }

  /** Address on the arena; the plane must already live there (see `arena()`). */
  get address(): number {
    this.#alive();
    if (!this.#address) throw new FoveolaError('internal', 'Plane.address: the plane is on the GPU. Await arena().');
    return this.#address;
  }

  /** Address on the arena, after moving it there if needed. */
  arena(): Promise<number> {
    this.#alive();
    if (this.#address) return Promise.resolve(this.#address);
    this.#moving ??= this.#download().finally(() => (this.#moving = null));
    return this.#moving;
  }

  async #download(): Promise<number> {
    const begun = this.fetched && performance.now();
    const bytes = await this.#host.gpu!.download(this.#texture!);
    this.#alive();
    this.#address = this.#host.arena.allocate(this.stride * this.height);
    this.#write(bytes, this.width * bytesPerPixel[this.format]);
    if (begun !== undefined) this.fetched?.(begun, performance.now());
    return this.#address;
  }

  /** Texture on the GPU, after an upload if needed. Enqueues and returns at once. */
  texture(): GpuTexture {
    this.#alive();
    if (this.#texture) return this.#texture;
    const gpu = this.#host.gpu;
    if (!gpu) throw new FoveolaError('no-webgl2', 'This engine has no GPU backend. Use the WASM backend.');
    const texture = gpu.allocate(this.width, this.height, this.format);
    gpu.upload(
      texture,
      this.#host.arena.u8.subarray(this.#address, this.#address + this.stride * this.height),
      this.stride,
    );
    return (this.#texture = texture);
  }

  /** A tightly packed copy of the samples. */
  async read(): Promise<PlaneArray> {
    await this.arena();
    return this.copy();
  }

  /** An array for all samples, in memory that `memory` gives. */
  samples(memory = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes)): PlaneArray {
    return new arrays[this.format](memory(this.width * bytesPerPixel[this.format] * this.height));
  }

  /** The same copy, for a plane that lives on the arena; or rows y0..y1-1 into `samples`. */
  copy(samples = this.samples(), y0 = 0, y1 = this.height): PlaneArray {
    const row = this.width * bytesPerPixel[this.format];
    const out = new Uint8Array(samples.buffer);
    const memory = this.#host.arena.u8;
    for (let y = y0, a = this.address + y0 * this.stride; y < y1; y++, a += this.stride)
      out.set(memory.subarray(a, a + row), y * row);
    return samples;
  }

  /** The samples in place, where the rows lie without gaps on the arena, else null. Holds until the memory grows. */
  view(): PlaneArray | null {
    return this.stride === this.width * bytesPerPixel[this.format] ? this.rows() : null;
  }

  /** The same with the gaps after each row. */
  rows(): PlaneArray {
    const samples = arrays[this.format];
    const count = (this.stride * this.height) / samples.BYTES_PER_ELEMENT;
    return new samples(this.#host.arena.memory.buffer, this.address, count);
  }

  /** To where there is room further down on the arena (see Arena.settle): nobody may hold its address. */
  settle(): void {
    if (this.#address) this.#address = this.#host.arena.settle(this.#address);
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.colors?.dispose();
    if (this.#address) this.#host.arena.free(this.#address);
    if (this.#texture) this.#host.gpu?.release(this.#texture);
    this.#texture = null;
  }

  #alive(): void {
    if (this.#disposed) throw new FoveolaError('internal', 'This plane was already disposed of.');
    if (!this.#texture?.lost) return;
    // With a copy on the arena the next texture() uploads again.
    if (this.#address) this.#texture = null;
    else throw lostError();
  }
}
