/**
 * The GPU backend: context, textures, passes and read-back behind the few calls that stages need. Every call enqueues
 * and returns immediately. Only the promises of `read`, `download` and `fence` wait.
 */
import { GpuContext, type GpuContextOptions, type GpuCapabilities } from './gpu-context.ts';
import packTexelFragment from '../../../glsl/runtime/gpu/pack-texel.frag';
import packFragment from '../../../glsl/runtime/gpu/pack.frag';
import type { TextureFormat } from './gpu-formats.ts';
import { GpuPrograms, type AnyPass, type Draw, type Region, type Surface } from './gpu-programs.ts';
import { definePass, type Pass, type UniformTable } from './pass.ts';
import { bytesPerPixel, Plane, type GpuTexture, type PlaneFormat, type PlaneGpu, type PlaneHost } from '../plane.ts';
import { ReadBack } from './read-back.ts';
import { TexturePool, type Texture } from './texture-pool.ts';

// Time spent by the GPU itself, for the benchmarks. Null if the device does not report it or was interrupted.

const TIME_ELAPSED = 0x88bf;
const DISJOINT = 0x8fbb;

/** Milliseconds that the commands enqueued by `body` take. One measurement at a time. */
async function gpuTime(context: GpuContext, body: () => void, fence: () => Promise<void>): Promise<number | null> {
  const { gl, capabilities } = context;
  const query = capabilities.timer ? gl.createQuery() : null;
  if (query) gl.beginQuery(TIME_ELAPSED, query);
  try {
    body();
  } finally {
    if (query) gl.endQuery(TIME_ELAPSED);
  }
  await fence();
  if (!query) return null;
  for (let i = 0; i < 100 && !context.lost; i++) {
    if (gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE)) {
      // The GPU was shared or throttled in between, so the number is meaningless.
      const disjoint = gl.getParameter(DISJOINT) as boolean;
      const nanoseconds = gl.getQueryParameter(query, gl.QUERY_RESULT) as number;
      gl.deleteQuery(query);
      return disjoint ? null : nanoseconds / 1e6;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return null;
}

export type { Draw, Region, Surface, Texture, TextureFormat };

export interface GpuBackendOptions extends GpuContextOptions {
  /**
   * Packs every one-channel texture before it is read, like on devices that support only the guaranteed read formats.
   */
  packReads?: boolean;
}

const packs: Readonly<Record<Exclude<PlaneFormat, 'rgba8'>, ReturnType<typeof packPass>>> = {
  u8: packPass('u8', 'usampler2D', 4),
  u16: packPass('u16', 'usampler2D', 2),
  i16: packPass('i16', 'isampler2D', 2),
  u32: packPass('u32', 'usampler2D', 1),
  i32: packPass('i32', 'isampler2D', 1),
  f32: packPass('f32', 'sampler2D', 1),
};

function packPass(format: string, sampler: string, perWord: number) {
  return definePass({
    name: `runtime/pack ${format}`,
    fragment: packFragment,
    textures: ['source'],
    uniforms: { width: 'int' },
    outputs: ['words'],
    defines: { SAMPLER: sampler, PER_WORD: perWord, ...(sampler === 'sampler2D' ? { IS_FLOAT: 1 } : {}) },
  });
}

const packTexel = definePass({
  name: 'runtime/pack-texel',
  fragment: packTexelFragment,
  textures: ['source'],
  uniforms: { width: 'int' },
  outputs: ['samples'],
});

export class GpuBackend implements PlaneGpu {
  readonly context: GpuContext;
  /** This backend should not be used for now, although its context may work. */
  withheld = false;
  /** Textures in use and idle textures, for tests and statistics. */
  readonly textures: TexturePool;
  readonly #host: PlaneHost;
  readonly #programs: GpuPrograms;
  readonly #readBack: ReadBack;
  readonly #packReads: boolean;

  constructor(host: PlaneHost, options: GpuBackendOptions = {}) {
    this.#host = host;
    this.context = new GpuContext(options);
    this.textures = new TexturePool(this.context);
    this.#programs = new GpuPrograms(this.context, this.textures);
    this.#readBack = new ReadBack(this.context, this.textures);
    this.#packReads = options.packReads ?? false;
    this.context.onLost(() => {
      this.textures.forget();
      this.#programs.forget();
      this.#readBack.abort();
    });
  }

  get capabilities(): GpuCapabilities {
    return this.context.capabilities;
  }

  /** Whether drawing is impossible now. */
  get lost(): boolean {
    return this.withheld || this.context.lost;
  }

  /** Number of context losses so far. */
  get losses(): number {
    return this.context.losses;
  }

  /** Number of reads whose results have not arrived. Check it before you submit another frame. */
  get inFlight(): number {
    return this.#readBack.inFlight;
  }

  /** Throws 'disposed' or 'context-lost'. */
  usable(): void {
    this.context.usable();
  }

  /** Whether planes of this size fit into textures. */
  fits(width: number, height: number): boolean {
    return Math.max(width, height) <= this.capabilities.maxTextureSize;
  }

  /** Called after each loss. Planes that are also on the arena still work. Other planes fail with 'context-lost'. */
  onLost(hook: () => void): () => void {
    return this.context.onLost(hook);
  }

  /** Called after each restore. Rebuild the data that you store in textures. Passes are restored automatically. */
  onRestored(hook: () => void): () => void {
    return this.context.onRestored(hook);
  }

  /** A new plane with undefined content. */
  plane(width: number, height: number, format: PlaneFormat): Plane {
    return Plane.onGpu(this.#host, this.allocate(width, height, format));
  }

  /** Makes a plane from a borrowed texture. The plane returns it when it is disposed. */
  toPlane(texture: GpuTexture): Plane {
    return Plane.onGpu(this.#host, texture);
  }

  /** The pixels of a video frame, bitmap, canvas, image or ImageData as an rgba8 plane of this size. */
  fromSource(source: TexImageSource, width: number, height: number): Plane {
    const texture = this.allocate(width, height, 'rgba8');
    try {
      this.textures.uploadSource(texture, source);
    } catch (error) {
      this.release(texture);
      throw error;
    }
    return Plane.onGpu(this.#host, texture);
  }

  /** A texture with undefined content. Return it with `release`. Throws 'image-too-large'. */
  allocate<F extends TextureFormat>(width: number, height: number, format: F): Texture<F> {
    return this.textures.allocate(width, height, format);
  }

  release(texture: Texture): void {
    this.textures.release(texture);
  }

  /** Uploads rows of `stride` bytes, for the whole texture or for `area` texels from its origin. */
  upload(texture: Texture, bytes: Uint8Array, stride: number, area?: { width: number; height: number }): void {
    this.textures.upload(texture, bytes, stride, area);
  }

  /**
   * A u8 plane with 4 samples per texel (rgba8ui) or 16 (rgba32ui, low bytes first), ceil(width / 4 or 16) texels wide.
   * The caller must release it. Samples past the width are undefined. A plane on the arena needs one plain upload.
   */
  packed(plane: Plane, samples: 4 | 16): Texture<'rgba8ui' | 'rgba32ui'> {
    const texture = this.allocate(
      Math.ceil(plane.width / samples),
      plane.height,
      samples === 4 ? 'rgba8ui' : 'rgba32ui',
    );
    if (plane.on === 'gpu') {
      const pass = samples === 4 ? packTexel : packs.u8;
      this.draw(pass, { targets: [texture], textures: { source: plane }, uniforms: { width: plane.width } });
    } else {
      const { address, stride, height } = plane;
      this.upload(texture, this.#host.arena.u8.subarray(address, address + stride * height), stride);
    }
    return texture;
  }

  /** Draws one pass. Throws if targets, textures or uniforms do not match the pass. */
  draw<T extends string, U extends UniformTable>(pass: Pass<T, U>, draw: Draw<T, U>): void {
    this.#programs.draw(pass, draw);
  }

  /** Sets whole textures to one value. */
  clear(targets: readonly Surface[], value: readonly [number, number, number, number] = [0, 0, 0, 0]): void {
    this.#programs.clear(targets, value);
  }

  /** Compiles passes before their first draw, in parallel with other work if the device supports it. */
  prepare(passes: readonly AnyPass[]): Promise<void> {
    return this.#programs.prepare(passes);
  }

  /** Tightly packed texels of a texture or of a region of it. */
  read(texture: Texture, region?: Region): Promise<Uint8Array> {
    return this.#readBack.read(texture, region);
  }

  download(texture: GpuTexture): Promise<Uint8Array> {
    const { width, height, format } = texture;
    if (format === 'rgba8' || (!this.#packReads && this.#readBack.direct(texture))) return this.#readBack.read(texture);
    const row = width * bytesPerPixel[format];
    const words = this.allocate(Math.ceil(row / 16), height, 'rgba32ui');
    this.draw(packs[format], { targets: [words], textures: { source: texture }, uniforms: { width } });
    const packed = this.#readBack.read(words);
    this.release(words);
    return packed.then((bytes) => tight(bytes, words.width * 16, row, height));
  }

  /** Resolves when everything enqueued so far has been drawn. */
  fence(): Promise<void> {
    return this.#readBack.fence();
  }

  /** GPU milliseconds of the commands that `body` enqueues, or null if the device does not report it. */
  time(body: () => void): Promise<number | null> {
    return gpuTime(this.context, body, () => this.fence());
  }

  /** Releases idle textures and buffers to the device. */
  trim(): void {
    this.textures.trim();
    this.#readBack.trim();
  }

  dispose(): void {
    this.#readBack.dispose();
    this.textures.forget();
    this.#programs.forget();
    this.context.dispose();
  }
}

function tight(bytes: Uint8Array, stride: number, row: number, height: number): Uint8Array {
  if (stride === row) return bytes;
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) out.set(bytes.subarray(y * stride, y * stride + row), y * row);
  return out;
}

/** Throws 'no-webgl2' if WebGL2 is not available. */
export const createGpuSide = (host: PlaneHost, options?: GpuBackendOptions): GpuBackend =>
  new GpuBackend(host, options);
