/**
 * Data that all targets of a frame share: its pyramid, the blurred image of the ferns, and integral images of gray
 * values and of their squares. It is made once per frame, for any number of targets.
 */
import { FlowPyramid } from '../flow/index.ts';
import { gaussianTaps } from '../image/gaussian.ts';
import { gaussian, integral, integralSquares } from '../image/index.ts';
import type { Box } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Backend, Runtime } from '../runtime/runtime.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { ObjectFrameRecord } from '../runtime/wasm/records.ts';
import { Scope } from '../runtime/scope.ts';
import type { ObjectValues } from './parameters.ts';
import type { RingPicture } from './rotation.ts';

/** 9x9, sigma 1.5 (golden 19-tld). */
export const BLUR = { size: 9, sigma: 1.5 };

/** Values for frames that are not a source for tracking. */
export const withoutFlow = { flowLevels: 0, flowWindow: 5 };

interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Minimum distance of colors from gray, in gray values. In an infrared image it is 0 to 3. */
const COLORED = 4;

function copyOf(scope: Scope, { width, height, format, address, stride }: Plane): Plane {
  const copy = scope.plane(width, height, format);
  scope.arena.u8.copyWithin(copy.address, address, address + stride * height);
  return copy;
}

/** Number of frames so far. */
let serial = 0;

export class SharedFrame {
  readonly width: number;
  readonly height: number;
  readonly pyramid: FlowPyramid;
  /** The frame record for the kernels. */
  readonly record: RecordOf<typeof ObjectFrameRecord>;
  /** Whether there is enough color to recognize a target by it. */
  colored = false;
  /** Whether only parts of the image need the blur, because the detector does not use it here. */
  partly = false;
  /** Backends that process the frame. Points are always tracked in WASM. */
  readonly backends = new Set<Backend>(['wasm']);
  readonly #kept: Scope;
  #blurred: Plane | null = null;
  /** The blurred part, or null for the whole image. */
  #area: Area | null = null;
  #sums: Plane | null = null;
  #squares: Plane | null = null;

  private constructor(kept: Scope, pyramid: FlowPyramid, colors?: Plane) {
    this.#kept = kept;
    this.pyramid = pyramid;
    this.width = pyramid.width;
    this.height = pyramid.height;
    const { address, stride } = this.gray;
    serial = (serial + 1) & 0x7fffffff || 1;
    this.record = kept.record(ObjectFrameRecord, {
      ...{ gray: address, grayStride: stride, width: this.width, height: this.height },
      ...{ levels: pyramid.table, levelCount: pyramid.levels, serial },
      ...(colors && { colors: colors.address, colorStride: colors.stride }),
    });
  }

  /**
   * Makes a frame from a plane in the arena. It copies the plane, with its colors if it has any. The frame belongs to
   * the caller, who stores it or lets a scope own it.
   */
  static *make(
    runtime: Runtime,
    gray: Plane,
    { flowLevels, flowWindow }: Pick<ObjectValues, 'flowLevels' | 'flowWindow'>,
  ): Plan<SharedFrame> {
    const kept = new Scope(runtime, { backend: 'wasm' });
    try {
      const options = { levels: flowLevels, window: flowWindow, copy: true };
      const colors = gray.colors && copyOf(kept, gray.colors);
      const frame = new SharedFrame(kept, kept.own(yield* FlowPyramid.build(kept, gray, options)), colors);
      frame.colored = colors !== undefined && (gray.chroma ?? COLORED) >= COLORED;
      return frame;
    } catch (error) {
      kept.dispose();
      throw error;
    }
  }

  get address(): number {
    return this.record.address;
  }

  get gray(): Plane {
    return this.pyramid.planes[0]!;
  }

  /** Gray values and their pyramid levels, for `rotation.ts`. */
  get picture(): RingPicture {
    return { planes: this.pyramid.planes, bytes: this.#kept.arena.u8 };
  }

  /** Returns the whole blurred image. */
  *blurred(): Plan<Plane> {
    if (this.#blurred && !this.#area) return this.#blurred;
    if (this.#blurred) this.#kept.free(this.#blurred);
    this.#blurred = this.#area = null;
    const [blurred] = yield* this.#kept.run(gaussian, [this.gray], BLUR);
    return this.#shown(blurred);
  }

  #shown(blurred: Plane): Plane {
    this.record.set({ blurred: blurred.address, blurredStride: blurred.stride });
    return (this.#blurred = blurred);
  }

  /**
   * Returns the blurred image. It is correct at least in the boxes and around them as far as warped copies reach. WASM
   * needs no more if the GPU blurs the frame for the detector.
   */
  *blurredAround(boxes: readonly Box[]): Plan<Plane> {
    if (this.#blurred && !this.#area) return this.#blurred;
    const near = this.#around(boxes, 1 / 4);
    const done = this.#area;
    if (done && near.x0 >= done.x0 && near.y0 >= done.y0 && near.x1 <= done.x1 && near.y1 <= done.y1)
      return this.#blurred!;
    // Blur a larger area than requested, because the next boxes are close to these.
    const area = this.#around(boxes, 0.55);
    if (!this.partly || 2 * (area.x1 - area.x0) * (area.y1 - area.y0) > this.width * this.height)
      return yield* this.blurred();
    return yield* this.#blurPart(area);
  }

  /**
   * Returns the area of the boxes with a margin, as a share of their longer side. Columns are aligned to whole
   * registers.
   */
  #around(boxes: readonly Box[], share: number): Area {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { x, y, width, height } of boxes) {
      const reach = share * Math.max(width, height) + 8;
      x0 = Math.min(x0, x - reach);
      y0 = Math.min(y0, y - reach);
      x1 = Math.max(x1, x + width + reach);
      y1 = Math.max(y1, y + height + reach);
    }
    return {
      x0: Math.max(0, Math.floor(x0)) & ~15,
      y0: Math.max(0, Math.floor(y0)),
      x1: Math.min(this.width, (Math.ceil(x1) + 15) & ~15),
      y1: Math.min(this.height, Math.ceil(y1)),
    };
  }

  /**
   * Blurs a part separately, with a margin of the kernel's radius where the image is cut off. The pixels of the part
   * equal those of the whole blurred image.
   */
  *#blurPart(area: Area): Plan<Plane> {
    const { gray, height } = this;
    const blurred = this.#blurred ?? this.#shown(this.#kept.plane(this.width, height, 'u8'));
    const left = Math.max(0, area.x0 - 16);
    const width = Math.min(this.width, area.x1 + 16) - left;
    const columns = ({ address, stride }: Plane) => ({ address: address + left, stride });
    yield* this.#kept.part(function* (inner) {
      const taps = inner.table(Uint16Array.from(gaussianTaps(BLUR.size, BLUR.sigma)));
      const images = { source: columns(gray), target: columns(blurred) };
      const over = { rows: [area.y0, area.y1] } as const;
      yield* inner.kernels.gaussian({ ...images, width, height, taps, radius: BLUR.size >> 1 }, over);
    });
    this.#area = area;
    return blurred;
  }

  /** Returns the integral image. */
  *sums(): Plan<Plane> {
    if (this.#sums) return this.#sums;
    const [sums] = yield* this.#kept.run(integral, [this.gray]);
    this.record.set({ sums: sums.address, sumStride: sums.stride });
    return (this.#sums = sums);
  }

  /** Returns the integral image of squares. */
  *squares(): Plan<Plane> {
    if (this.#squares) return this.#squares;
    const [squares] = yield* this.#kept.run(integralSquares, [this.gray]);
    this.record.set({ squares: squares.address });
    return (this.#squares = squares);
  }

  /** Frees the data that only the detector needs. The next frame needs the pyramid. */
  disposeDetection(): void {
    for (const plane of [this.#blurred, this.#sums, this.#squares]) if (plane) this.#kept.free(plane);
    this.#blurred = this.#area = this.#sums = this.#squares = null;
    this.record.set({ blurred: 0, sums: 0, squares: 0 });
  }

  /** Can be called more than once. */
  dispose(): void {
    this.#kept.dispose();
  }
}
