/**
 * The GPU part of the detector, split like in Gurcan and Temizel (2015). The GPU computes the blur, integral images,
 * variance, compaction and the ferns' codes. The WASM backend does the rest, because it needs the trained posteriors,
 * which change with every frame. The survivors' codes are read back while WASM tracks points.
 *
 * Windows are laid out once per target and frame size. A batch of scan-line pairs is a row of a texture, so all rows
 * hold about the same number of windows, and the order of texels is the order of windows (section 4.1). For all
 * targets, the variances are drawn first, then the compactions, then the codes. Then everything is read back (algorithm
 * 4).
 */
import codesFragment from '../../glsl/objects/ferns-codes.frag';
import varianceFragment from '../../glsl/objects/detector-variance.frag';
import { compactPass, integralGpu, scanLinear } from '../image/scan.gpu.ts';
import { gaussianGpu } from '../image/filters.gpu.ts';
import { gaussianTaps } from '../image/gaussian.ts';
import type { GpuBackend, Texture } from '../runtime/gpu/gpu-backend.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { Scope } from '../runtime/scope.ts';
import { COMPARISONS, fernPoints, FERNS } from './model.ts';
import { BLUR } from './frame.ts';
import type { WindowLayout } from './windows.ts';

/**
 * Maximum number of pixels in a window whose sum of squares always fits 32 bits, like in
 * assembly/objects/detector-variance.ts.
 */
const LARGEST = 262143;
/** Number of records in a row of the codes' texture. */
const RECORDS = 1024;
/** Rows are requested in multiples of this, so that only a few texture sizes are in use. */
const ROWS = 8;

export const objectVariancePass = definePass({
  name: 'objects/variance',
  fragment: varianceFragment,
  textures: ['windows', 'scales', 'sums', 'squares'],
  uniforms: { largest: 'int' },
  outputs: ['accepted'],
});

export const fernCodesPass = definePass({
  name: 'objects/fern-codes',
  fragment: codesFragment,
  textures: ['survivors', 'windows', 'image', 'points'],
  uniforms: { first: 'int' },
  outputs: ['codes', 'place'],
  defines: { WIDTH: RECORDS },
});

/** Planes on the GPU that all targets of a frame share. */
export interface FrameGpu {
  readonly blurred: Plane;
  readonly sums: Plane;
  readonly squares: Plane;
}

export const blurOnGpu = (scope: Scope, gray: Plane): Plane =>
  gaussianGpu(scope, gray, gaussianTaps(BLUR.size, BLUR.sigma));

/** Enqueues the planes of a frame. They belong to the scope. */
export const frameOnGpu = (scope: Scope, gray: Plane): FrameGpu => ({
  blurred: blurOnGpu(scope, gray),
  sums: integralGpu(scope, gray, 'sample'),
  squares: integralGpu(scope, gray, 'square'),
});

/** Textures of codes and of places. */
type Codes = readonly [codes: Texture<'rgba32ui'>, places: Texture<'u32'>];

/** Windows that pass the variance test, in window order. */
export interface Survivors {
  readonly count: number;
  /** 16 bytes each, see glsl/objects/ferns-codes.frag. */
  readonly codes: Uint8Array;
  /** Place in the layout (batch * widest + number within the batch), and two bits of the codes. */
  readonly places: Uint32Array;
}

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Number of entries before the first 0xffffffff. Those entries are at the end. */
function filled(places: Uint32Array): number {
  let low = 0;
  for (let high = places.length; low < high;) {
    const middle = (low + high) >> 1;
    if (places[middle] === 0xffffffff) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class DetectorGpu {
  readonly #kept: Scope;
  readonly #windows: WindowLayout;
  readonly #layout: Texture<'rgba16ui'>;
  readonly #points: Texture<'rgba16i'>;
  readonly #scales: Texture<'rgba32ui'>;
  #least = NaN;
  /** Number of survivors in the previous frame, which is requested first. */
  #expected = 0;

  /** True if the context was lost, and the textures with it. */
  get lost(): boolean {
    return this.#layout.lost;
  }

  /** Whether the layout fits into this device's textures. */
  static fits(gpu: GpuBackend, { grid, widest, batchCount }: WindowLayout): boolean {
    return grid.count > 0 && gpu.fits(widest, batchCount) && gpu.fits(1, Math.ceil(grid.count / RECORDS) + ROWS);
  }

  constructor(runtime: Runtime, windows: WindowLayout, table: ArrayLike<number>) {
    this.#windows = windows;
    const { widest, batchCount, grid } = windows;
    const kept = (this.#kept = new Scope(runtime));
    try {
      this.#layout = kept.texture(widest, batchCount, 'rgba16ui');
      kept.gpu.upload(this.#layout, bytesOf(windows.texels()), 8 * widest);
      const comparisons = FERNS * COMPARISONS;
      this.#points = kept.texture(comparisons, grid.scales.length, 'rgba16i');
      const points = new Int16Array(4 * comparisons * grid.scales.length);
      grid.scales.forEach((scale, s) => points.set(fernPoints(table, scale), 4 * comparisons * s));
      kept.gpu.upload(this.#points, bytesOf(points), 8 * comparisons);
      this.#scales = kept.texture(grid.scales.length, 1, 'rgba32ui');
    } catch (error) {
      kept.dispose();
      throw error;
    }
  }

  /** Uploads the window sizes of the scales, and the threshold for Q A - S^2. */
  #threshold(least: number): void {
    if (least === this.#least) return;
    const { scales } = this.#windows.grid;
    const words = new Uint32Array(4 * scales.length);
    scales.forEach(({ width, height }, s) => {
      const area = width * height;
      const bound = Math.floor(least * area * area);
      const high = Math.floor(bound / 2 ** 32);
      words.set([width, height, high, bound - high * 2 ** 32], 4 * s);
    });
    this.#kept.gpu.upload(this.#scales, bytesOf(words), 16 * scales.length);
    this.#least = least;
  }

  /** Flags the windows with a variance above `least`. Results of these steps belong to the scope. */
  variance(scope: Scope, { sums, squares }: FrameGpu, least: number): Texture {
    const accepted = scope.texture(this.#windows.widest, this.#windows.batchCount, 'u8');
    this.#threshold(least);
    scope.draw(objectVariancePass, {
      targets: [accepted],
      textures: { windows: this.#layout, scales: this.#scales, sums, squares },
      uniforms: { largest: LARGEST },
    });
    return accepted;
  }

  /** Lists the places of the flagged windows in order. */
  compact(scope: Scope, accepted: Texture): Texture {
    const { width, height } = accepted;
    const survivors = scope.texture(width, height, 'u32');
    return scope.within((inner) => {
      const counts = inner.texture(width, height, 'u32');
      scanLinear(inner, accepted, counts, { inclusive: true });
      inner.draw(compactPass, { targets: [survivors], textures: { counts }, uniforms: {} });
      return survivors;
    });
  }

  /** Computes codes and places of `rows` times 1024 survivors, starting at number `first`. */
  codes(scope: Scope, { blurred }: FrameGpu, survivors: Texture, first: number, rows: number): Codes {
    const codes = scope.texture(RECORDS, rows, 'rgba32ui');
    const places = scope.texture(RECORDS, rows, 'u32');
    scope.draw(fernCodesPass, {
      targets: [codes, places],
      textures: { survivors, windows: this.#layout, image: blurred, points: this.#points },
      uniforms: { first },
    });
    return [codes, places];
  }

  /** Reads the result of `codes` back, and frees its textures. */
  async read(scope: Scope, [codes, places]: Codes): Promise<Survivors> {
    const reads = Promise.all([scope.gpu.read(codes), scope.gpu.download(places)]);
    for (const texture of [codes, places]) scope.free(texture);
    const [bytes, tail] = await reads;
    const list = new Uint32Array(tail.buffer, tail.byteOffset, tail.byteLength >> 2);
    return { count: filled(list), codes: bytes, places: list };
  }

  /** Number of rows of codes that hold this many survivors. */
  rows(records: number): number {
    return ROWS * Math.max(1, Math.ceil(records / (RECORDS * ROWS)));
  }

  /** Requests the first codes, for slightly more survivors than the last frame had. */
  #firstCodes(scope: Scope, frame: FrameGpu, survivors: Texture): Promise<Survivors> {
    const expected = Math.min(1.2 * this.#expected, this.#windows.grid.count);
    return this.read(scope, this.codes(scope, frame, survivors, 0, this.rows(expected)));
  }

  /** Adds the remaining survivors if the first read did not hold all of them. */
  async #all(scope: Scope, frame: FrameGpu, survivors: Texture, first: Survivors): Promise<Survivors> {
    const all = this.#windows.grid.count;
    this.#expected = first.count;
    if (first.count < first.places.length || first.count >= all) return first;
    const rest = await this.read(scope, this.codes(scope, frame, survivors, first.count, this.rows(all - first.count)));
    const codes = new Uint8Array(first.codes.length + rest.codes.length);
    codes.set(first.codes);
    codes.set(rest.codes, first.codes.length);
    const places = new Uint32Array(first.places.length + rest.places.length);
    places.set(first.places);
    places.set(rest.places, first.places.length);
    this.#expected = first.count + rest.count;
    return { count: this.#expected, codes, places };
  }

  /** Returns the survivors of every target. `least` is the variance that they must exceed. */
  static *survivors(
    scope: Scope,
    frame: FrameGpu,
    targets: readonly { readonly detector: DetectorGpu; readonly least: number }[],
  ): Plan<Survivors[]> {
    const accepted = targets.map(({ detector, least }) => detector.variance(scope, frame, least));
    const lists = targets.map(({ detector }, i) => detector.compact(scope, accepted[i]!));
    const asked = targets.map(({ detector }, i) => detector.#firstCodes(scope, frame, lists[i]!));
    const firsts = yield* scope.wait(Promise.all(asked));
    const all = targets.map(({ detector }, i) => detector.#all(scope, frame, lists[i]!, firsts[i]!));
    return yield* scope.wait(Promise.all(all));
  }

  dispose(): void {
    this.#kept.dispose();
  }
}
