/**
 * Plane: an image that knows where it is stored (design, idea 1). A request for it on the other backend moves it once
 * and keeps both copies. The stage that creates a plane writes it once, and after that it is only read, so both copies
 * stay equal.
 */
import type { Arena } from './wasm/arena.ts';
import type { ImageFileNotes } from '../results/types.ts';
import { FoveolaError, lostError } from './error.ts';

/** One sample per pixel, except rgba8 with four bytes. */
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

/** A texture borrowed from the pool. Only the GPU backend uses its content. */
export interface GpuTexture {
  readonly texture: WebGLTexture;
  readonly width: number;
  readonly height: number;
  readonly format: PlaneFormat;
  /** Its content was lost with the context. */
  readonly lost: boolean;
}

/** The functions of the GPU backend that a plane needs to move. */
export interface PlaneGpu {
  /** Its context is currently lost. */
  readonly lost: boolean;
  allocate(width: number, height: number, format: PlaneFormat): GpuTexture;
  release(texture: GpuTexture): void;
  /** `bytes` are rows of `stride` bytes. */
  upload(texture: GpuTexture, bytes: Uint8Array, stride: number): void;
  /** Tightly packed samples, through a pixel-pack buffer and a fence. Never blocks. */
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
  /** Distance of the source image's colors from gray, in levels (src/frames/chroma.ts), if known. */
  chroma?: number;
  /**
   * For a gray image that was requested with its colors and is not colorless: U and V of every 2x2 pixels, next to each
   * other (128 is gray), on the arena. The plane's owner disposes of both together.
   */
  colors?: Plane;
  /** Notes on the source file: pixel spacing, and what was ignored. */
  file?: ImageFileNotes;
  /**
   * Receives the time that the download from the GPU took, for the call that left the plane there (backend-profile.ts).
   */
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

  /** A plane from an allocated block that contains the rows at its start. The plane frees the block. */
  static ofBlock(host: PlaneHost, width: number, height: number, format: PlaneFormat, address: number): Plane {
    const plane = new Plane(host, width, height, format);
    plane.#address = address;
    return plane;
  }

  /** Wraps a texture borrowed from the GPU backend. The plane returns it. */
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

  /** Writes tightly packed rows of bytes, starting at row `y`, into a plane on the arena. */
  put(rows: Uint8Array | Uint8ClampedArray, y: number): void {
    this.#write(rows, this.width * bytesPerPixel[this.format], this.address + y * this.stride);
  }

  get on(): 'arena' | 'gpu' | 'both' {
    return this.#address ? (this.#texture ? 'both' : 'arena') : 'gpu';
  }

  /** It was only on the GPU and was lost with the context. */
  get lost(): boolean {
    return !this.#address && this.#texture !== null && (this.#texture.lost || this.#host.gpu?.lost === true);
  }

  /** Address on the arena. The plane must already be on the arena (see `arena()`). */
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

  /** Texture on the GPU, after an upload if needed. Enqueues and returns immediately. */
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

  /** An array for all samples, in memory allocated by `memory`. */
  samples(memory = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes)): PlaneArray {
    return new arrays[this.format](memory(this.width * bytesPerPixel[this.format] * this.height));
  }

  /** A tightly packed copy for a plane on the arena, or rows y0..y1-1 copied into `samples`. */
  copy(samples = this.samples(), y0 = 0, y1 = this.height): PlaneArray {
    const row = this.width * bytesPerPixel[this.format];
    const out = new Uint8Array(samples.buffer);
    const memory = this.#host.arena.u8;
    for (let y = y0, a = this.address + y0 * this.stride; y < y1; y++, a += this.stride)
      out.set(memory.subarray(a, a + row), y * row);
    return samples;
  }

  /**
   * The samples in place if the rows are on the arena without padding, otherwise null. Valid until the memory grows.
   */
  view(): PlaneArray | null {
    return this.stride === this.width * bytesPerPixel[this.format] ? this.rows() : null;
  }

  /** The samples in place, including the padding after each row. */
  rows(): PlaneArray {
    const samples = arrays[this.format];
    const count = (this.stride * this.height) / samples.BYTES_PER_ELEMENT;
    return new samples(this.#host.arena.memory.buffer, this.address, count);
  }

  /** Moves the plane to free space lower on the arena (see Arena.settle). Its address must not be in use. */
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
    // If it has a copy on the arena, the next texture() uploads again.
    if (this.#address) this.#texture = null;
    else throw lostError();
  }
}
