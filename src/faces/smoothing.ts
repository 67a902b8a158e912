/**
 * Smooths landmarks without lag: a 1 euro filter on every coordinate, in a coordinate system that moves with the face.
 * The flow of a moving face is subtracted before the filter and added afterwards, so strong smoothing does not delay
 * it. A face at rest has jitter in the flow as well: motion that cancels out over a few frames counts as rest.
 *
 * A part of the jitter is still followed. A filter that holds completely still has an error with each tremor, and a
 * filter that follows all of them shows them. Let s be the deviation of the tremor, and n the deviation of the
 * landmarks around it. The jitter of unsmoothed landmarks is sqrt(s^2 + n^2). With a share t of the tremor, and the
 * deviation b that the filter leaves of the rest, the jitter is `calm` times smaller if
 *
 *   t^2 s^2 + b^2 = (s^2 + n^2) / calm^2
 *
 * This share is followed: the maximum that is still calm.
 */
import { OneEuroFilter } from '../results/one-euro.ts';
import type { Box } from '../results/types.ts';
import type { Similarity } from '../image/similarity.ts';

/** All measures are scaled to a face of this width, so that near and far faces are handled equally. */
const UNIT = 200;

/** Effect: `npm run lab -- stability faces`. */
export const smoothing = {
  /** Filter parameters in Hz, and in Hz per unit per second. */
  minCutoff: 0.25,
  beta: 0.02,
  derivativeCutoff: 1,
  /** Weight of the newest frame in the mean motion. */
  newest: 0.3,
  /** Mean motion per frame below which a face is at rest, and above which it moves. */
  rest: 0.3,
  motion: 0.8,
  /** Factor by which the jitter of a face at rest is reduced. */
  calm: 3.3,
};

/** Approximate share of a tremor that passes the filter in its first frame. */
const AT_ONCE = 0.07;
/** Weight of the newest frame in the deviations, and number of frames before they are used. */
const NEWEST = 0.06;
const KNOWN = 6;
/** Share that is followed until then. */
const FIRST = 0.3;

/** Running mean and squared deviation of a list of numbers. */
class Spread {
  #mean: Float32Array | null = null;
  #squares = 0;
  #frames = 0;

  add(values: Float32Array): void {
    this.#mean ??= values.slice();
    const share = Math.max(NEWEST, 1 / ++this.#frames);
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      const away = values[i]! - this.#mean[i]!;
      sum += away * away;
      this.#mean[i]! += share * away;
    }
    // Deviations from a mean that is updated by `share` look larger than they are.
    this.#squares += share * ((sum / values.length) * (1 - share / 2) - this.#squares);
  }

  /** Mean square of the deviations. Null before there are enough frames. */
  get squares(): number | null {
    return this.#frames < KNOWN ? null : this.#squares;
  }
}

export class ShapeSmoother {
  #filters: OneEuroFilter[] = [];
  /** Unit of the first shape, because a side with jitter would shake all points. */
  #unit = 1;
  /** Mean shift and growth of the face per frame. */
  #mean = { x: 0, y: 0, growth: 0 };
  /** Transform from the filters' pixels to the frame's pixels. */
  #moved = { a: 1, x: 0, y: 0 };
  /** Position of the face by the flow, in units: the sum of its shifts. */
  #place = { x: 0, y: 0 };
  #tremor = new Spread();
  #noise = new Spread();
  /** Deviation of the filter's output without the followed motion. */
  #left = new Spread();

  /** Adds the face's motion since the last frame. */
  move({ a, x, y }: Similarity, box: Box): void {
    const unit = UNIT / box.width;
    const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
    const [sx, sy] = [(a - 1) * cx + x, (a - 1) * cy + y];
    const mean = this.#mean;
    const { newest, rest, motion } = smoothing;
    mean.x += newest * (sx * unit - mean.x);
    mean.y += newest * (sy * unit - mean.y);
    mean.growth += newest * ((a - 1) * UNIT - mean.growth);
    const speed = Math.hypot(mean.x, mean.y, mean.growth);
    const moving = Math.min(1, Math.max(0, (speed - rest) / (motion - rest)));
    this.#place = { x: this.#place.x + sx * unit, y: this.#place.y + sy * unit };
    this.#tremor.add(Float32Array.of(this.#place.x, this.#place.y));
    const tremor = this.#share;
    const followed = tremor + (1 - tremor) * moving;
    // Transform around the center of the box: it moves by the followed part of the shift, and grows by the part that is
    // motion.
    const growth = 1 + moving * (a - 1);
    const own = { a: growth, x: (1 - growth) * cx + followed * sx, y: (1 - growth) * cy + followed * sy };
    const before = this.#moved;
    this.#moved = { a: own.a * before.a, x: own.a * before.x + own.x, y: own.a * before.y + own.y };
  }

  /** Share of a tremor that is followed. */
  get #share(): number {
    const [s, n, b] = [this.#tremor, this.#noise, this.#left].map((spread) => spread.squares);
    if (s == null || n == null || b == null) return FIRST;
    const square = (s + n) / smoothing.calm ** 2 - b;
    const whole = Math.sqrt(Math.max(0, square) / Math.max(s, 1e-6));
    return Math.min(1, Math.max(0, (whole - AT_ONCE) / (1 - AT_ONCE)));
  }

  /** Returns the smoothed shape. `side` is the side of the face's box. */
  filter(shape: Float32Array, side: number, timestamp: number): Float32Array {
    if (this.#filters.length !== shape.length) {
      this.#filters = Array.from(shape, () => new OneEuroFilter(smoothing));
      this.#unit = UNIT / side;
    }
    const { a, x, y } = this.#moved;
    const unit = this.#unit;
    const place = this.#place;
    this.#noise.add(shape.map((v, i) => v * unit - (i % 2 ? place.y : place.x)));
    const shiftOf = (i: number) => (i % 2 ? y : x);
    const filtered = shape.map((v, i) => this.#filters[i]!.filter(((v - shiftOf(i)) / a) * unit, timestamp));
    this.#left.add(filtered);
    return filtered.map((v, i) => shiftOf(i) + (a * v) / unit);
  }
}
