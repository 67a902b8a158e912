/**
 * The GPU's share of the detector, as Gurcan and Temizel (2015) split it: blur, integral images, variance, compaction and
 * the ferns' codes here; what needs the learned posteriors, which change with every frame, on the WASM side. The survivors'
 * codes come back while that side tracks points.
 *
 * Windows are laid out once per target and frame size: a batch of scan-line pairs is a row of a texture, so that all rows
 * hold about the same number of windows and the order of texels is the order of windows (section 4.1). Of all targets the
 * variances are drawn first, then the compactions, then the codes, then everything is read (algorithm 4).
 */
import codesFragment from '../../glsl/objects/ferns-codes.frag';
import varianceFragment from '../../glsl/objects/detector-variance.frag';
import { compactPass } from '../image/compact.gpu.ts';
import { gaussianGpu } from '../image/gaussian.gpu.ts';
import { gaussianTaps } from '../image/gaussian-kernel.ts';
import { integralGpu } from '../image/integral.gpu.ts';
import { scanLinear } from '../image/scan.gpu.ts';
import type { GpuSide, Texture } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import { COMPARISONS, fernPoints, FERNS } from './ferns.ts';
import { BLUR } from './frame.ts';
import type { Windows } from './windows.ts';

/** Pixels of a window whose squares' sum surely fits 32 bits, as in assembly/objects/detector-variance.ts. */
const LARGEST = 262143;
/** Records in a row of the codes' texture. */
const RECORDS = 1024;
/** Rows are asked for in these steps, so that few sizes of textures are in use. */
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

/** What all targets of a frame share on the GPU. Enqueued when it is made. */
export class FrameGpu {
  readonly blurred: Plane;
  readonly sums: Plane;
  readonly squares: Plane;

  /** `gray` lives on the arena and stays there. */
  constructor(side: GpuSide, gray: Plane) {
    this.blurred = FrameGpu.blur(side, gray);
    this.sums = integralGpu(side.unscoped, gray, 'sample');
    this.squares = integralGpu(side.unscoped, gray, 'square');
  }

  static blur(side: GpuSide, gray: Plane): Plane {
    return gaussianGpu(side.unscoped, gray, gaussianTaps(BLUR.size, BLUR.sigma));
  }

  dispose(): void {
    for (const plane of [this.blurred, this.sums, this.squares]) plane.dispose();
  }
}

/** The survivors of the variance test in the order of windows. */
export interface Survivors {
  readonly count: number;
  /** 16 bytes each: see glsl/objects/ferns-codes.frag. */
  readonly codes: Uint8Array;
  /** Place in the layout: batch * widest + number within the batch; and two bits of the codes. */
  readonly places: Uint32Array;
}

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Number of entries before the first that is 0xffffffff; those come last. */
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
  readonly #side: GpuSide;
  readonly #windows: Windows;
  readonly #layout: Texture<'rgba16ui'>;
  readonly #points: Texture<'rgba16i'>;
  readonly #scales: Texture<'rgba32ui'>;
  #least = NaN;
  /** Survivors of the frame before: what is asked for at first. */
  #expected = 0;

  /** The textures went with a lost context. */
  get lost(): boolean {
    return this.#layout.lost;
  }

  /** Whether the layout fits into this device's textures. */
  static fits(side: GpuSide, windows: Windows): boolean {
    const { grid, widest, batchCount } = windows;
    return grid.count > 0 && side.fits(widest, batchCount) && side.fits(1, Math.ceil(grid.count / RECORDS) + ROWS);
  }

  constructor(side: GpuSide, windows: Windows, table: ArrayLike<number>) {
    this.#side = side;
    this.#windows = windows;
    const { widest, batchCount, grid } = windows;
    this.#layout = side.allocate(widest, batchCount, 'rgba16ui');
    side.upload(this.#layout, bytesOf(windows.texels()), 8 * widest);
    const comparisons = FERNS * COMPARISONS;
    this.#points = side.allocate(comparisons, grid.scales.length, 'rgba16i');
    const points = new Int16Array(4 * comparisons * grid.scales.length);
    grid.scales.forEach((scale, s) => points.set(fernPoints(table, scale), 4 * comparisons * s));
    side.upload(this.#points, bytesOf(points), 8 * comparisons);
    this.#scales = side.allocate(grid.scales.length, 1, 'rgba32ui');
  }

  /** Sides of the scales' windows and what Q A - S^2 must be above. */
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
    this.#side.upload(this.#scales, bytesOf(words), 16 * scales.length);
    this.#least = least;
  }

  /** Flags of the windows that vary by more than `least`; like all that these steps give, to be released. */
  variance({ sums, squares }: FrameGpu, least: number): Texture {
    const accepted = this.#side.allocate(this.#windows.widest, this.#windows.batchCount, 'u8');
    this.#threshold(least);
    this.#side.draw(objectVariancePass, {
      targets: [accepted],
      textures: { windows: this.#layout, scales: this.#scales, sums, squares },
      uniforms: { largest: LARGEST },
    });
    return accepted;
  }

  /** The places of the flagged windows in their order. */
  compact(accepted: Texture): Texture {
    const { width, height } = accepted;
    const survivors = this.#side.allocate(width, height, 'u32');
    this.#side.scope((lend) => {
      const counts = lend(width, height, 'u32');
      scanLinear(this.#side.unscoped, accepted, counts, { inclusive: true });
      this.#side.draw(compactPass, { targets: [survivors], textures: { counts }, uniforms: {} });
    });
    return survivors;
  }

  /** Codes and places of the survivors from number `first` on, `rows` times 1024 of them. */
  codes({ blurred }: FrameGpu, survivors: Texture, first: number, rows: number): [codes: Texture, places: Texture] {
    const codes = this.#side.allocate(RECORDS, rows, 'rgba32ui');
    const places = this.#side.allocate(RECORDS, rows, 'u32');
    this.#side.draw(fernCodesPass, {
      targets: [codes, places],
      textures: { survivors, windows: this.#layout, image: blurred, points: this.#points },
      uniforms: { first },
    });
    return [codes, places];
  }

  /** Asks for what `codes` gave, and releases it. */
  async read([codes, places]: readonly [Texture, Texture]): Promise<Survivors> {
    const reads = Promise.all([this.#side.read(codes), this.#side.download(places as Texture<'u32'>)]);
    this.#side.release(codes);
    this.#side.release(places);
    const [bytes, tail] = await reads;
    const list = new Uint32Array(tail.buffer, tail.byteOffset, tail.byteLength >> 2);
    return { count: filled(list), codes: bytes, places: list };
  }

  /** Rows of codes that hold so many survivors. */
  rows(records: number): number {
    return ROWS * Math.max(1, Math.ceil(records / (RECORDS * ROWS)));
  }

  /** What is left when the first read did not hold all survivors. */
  async #rest(frame: FrameGpu, survivors: Texture, first: Survivors): Promise<Survivors> {
    const all = this.#windows.grid.count;
    if (first.count < first.places.length || first.count >= all) return first;
    const rest = await this.read(this.codes(frame, survivors, first.count, this.rows(all - first.count)));
    const codes = new Uint8Array(first.codes.length + rest.codes.length);
    codes.set(first.codes);
    codes.set(rest.codes, first.codes.length);
    const places = new Uint32Array(first.places.length + rest.places.length);
    places.set(first.places);
    places.set(rest.places, first.places.length);
    return { count: first.count + rest.count, codes, places };
  }

  /** The survivors of every target; `least` are the variances that they must exceed. The frame must stay until then. */
  static async survivors(
    side: GpuSide,
    frame: FrameGpu,
    targets: readonly { detector: DetectorGpu; least: number }[],
  ): Promise<Survivors[]> {
    const held: Texture[] = [];
    const hold = (texture: Texture) => {
      held.push(texture);
      return texture;
    };
    try {
      const accepted = targets.map(({ detector, least }) => hold(detector.variance(frame, least)));
      const lists = targets.map(({ detector }, i) => hold(detector.compact(accepted[i]!)));
      const codes = targets.map(({ detector }, i) => {
        const expected = Math.min(1.2 * detector.#expected, detector.#windows.grid.count);
        return detector.codes(frame, lists[i]!, 0, detector.rows(expected));
      });
      const reads = targets.map(({ detector }, i) => detector.read(codes[i]!));
      const firsts = await Promise.all(reads);
      return await Promise.all(
        targets.map(async ({ detector }, i) => {
          const found = await detector.#rest(frame, lists[i]!, firsts[i]!);
          detector.#expected = found.count;
          return found;
        }),
      );
    } finally {
      for (const texture of held) side.release(texture);
    }
  }

  dispose(): void {
    for (const texture of [this.#layout, this.#points, this.#scales]) this.#side.release(texture);
  }
}
