/**
 * What all targets of a frame share: its pyramid, the blurred image of the ferns, integral images of gray values and of
 * their squares. Made once a frame, whatever the number of targets.
 */
import { FlowPyramid } from '../flow/index.ts';
import { gaussianTaps } from '../image/gaussian.ts';
import { gaussian, integral, integralSquares } from '../image/index.ts';
import type { Box } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Side } from '../runtime/side.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { ObjectFrameRecord } from '../runtime/wasm/records.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { Scope } from '../runtime/scope.ts';
import type { ObjectValues } from './parameters.ts';
import type { RingPicture } from './rotation.ts';

/** 9x9, sigma 1.5 (golden 19-tld). */
export const BLUR = { size: 9, sigma: 1.5 };

/** For frames from which nothing is followed. */
export const withoutFlow = { flowLevels: 0, flowWindow: 5 };

interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** How far from gray colors are at least, levels: an infrared picture's are 0 to 3. */
const COLORED = 4;

function copyOf(scope: Scope, { width, height, format, address, stride }: Plane): Plane {
  const copy = scope.plane(width, height, format);
  scope.arena.u8.copyWithin(copy.address, address, address + stride * height);
  return copy;
}

/** Frames so far. */
let serial = 0;

export class SharedFrame {
  readonly width: number;
  readonly height: number;
  readonly pyramid: FlowPyramid;
  /** The frame as the kernels see it. */
  readonly record: RecordOf<typeof ObjectFrameRecord>;
  /** Whether there is enough color to know a target by. */
  colored = false;
  /** Whether the blurred image may be made in parts: the detector does not need it here. */
  partly = false;
  /** The sides that work on it: points are followed on the WASM side. */
  readonly sides = new Set<Side>(['wasm']);
  readonly #kept: Scope;
  #blurred: Plane | null = null;
  /** The part that is blurred, or null: all of it. */
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
   * Of a plane on the arena, which it copies with its colors, if it has any. It belongs to the caller, who keeps it or
   * has a scope own it.
   */
  static *make(
    runtime: Runtime,
    gray: Plane,
    { flowLevels, flowWindow }: Pick<ObjectValues, 'flowLevels' | 'flowWindow'>,
  ): Plan<SharedFrame> {
    const kept = new Scope(runtime, { side: 'wasm' });
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

  /** Gray values and their halvings, for `rotation.ts`. */
  get picture(): RingPicture {
    return { planes: this.pyramid.planes, bytes: this.#kept.arena.u8 };
  }

  /** The whole blurred image. */
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
   * The blurred image, right at least in the boxes and as far around them as warped copies reach: where the GPU blurs
   * the frame for the detector, this side needs no more.
   */
  *blurredAround(boxes: readonly Box[]): Plan<Plane> {
    if (this.#blurred && !this.#area) return this.#blurred;
    const near = this.#around(boxes, 1 / 4);
    const done = this.#area;
    if (done && near.x0 >= done.x0 && near.y0 >= done.y0 && near.x1 <= done.x1 && near.y1 <= done.y1)
      return this.#blurred!;
    // Some more than is asked for: the next boxes are close to these.
    const area = this.#around(boxes, 0.55);
    if (!this.partly || 2 * (area.x1 - area.x0) * (area.y1 - area.y0) > this.width * this.height)
      return yield* this.blurred();
    return yield* this.#blurPart(area);
  }

  /** The boxes and what lies around them, by a share of their longer side; columns in whole registers. */
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

  /** Blurs a part by itself; with the kernel's radius around it, cut off there, its pixels are those of the whole. */
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

  /** The integral image. */
  *sums(): Plan<Plane> {
    if (this.#sums) return this.#sums;
    const [sums] = yield* this.#kept.run(integral, [this.gray]);
    this.record.set({ sums: sums.address, sumStride: sums.stride });
    return (this.#sums = sums);
  }

  /** That of squares. */
  *squares(): Plan<Plane> {
    if (this.#squares) return this.#squares;
    const [squares] = yield* this.#kept.run(integralSquares, [this.gray]);
    this.record.set({ squares: squares.address });
    return (this.#squares = squares);
  }

  /** What only the detector needs; the next frame needs the pyramid. */
  disposeDetection(): void {
    for (const plane of [this.#blurred, this.#sums, this.#squares]) if (plane) this.#kept.free(plane);
    this.#blurred = this.#area = this.#sums = this.#squares = null;
    this.record.set({ blurred: 0, sums: 0, squares: 0 });
  }

  /** Idempotent. */
  dispose(): void {
    this.#kept.dispose();
  }
}
