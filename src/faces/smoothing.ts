/**
 * Landmarks without jitter and without lag: a 1 euro filter on every coordinate, in a frame that moves with the face.
 * What the flow says of a face in motion is taken out before the filter and put back behind it, so it is not held back,
 * however strongly its landmarks are smoothed. A face at rest trembles in the flow as well: what comes to nothing over a
 * few frames counts as rest. A part of that is followed all the same: a filter that holds quite still is wrong by each tremor, one that
 * follows all of them shows them. With s the deviation of the tremor and n that of the landmarks about it, unsmoothed ones shake by
 * sqrt(s^2 + n^2); a share t of the tremor and what the filter leaves of the rest, of deviation b, shake `calm` times less where
 *
 *   t^2 s^2 + b^2 = (s^2 + n^2) / calm^2
 *
 * and that much is followed: the most that is still calm.
 */
import { OneEuroFilter } from '../results/one-euro.ts';
import type { Box } from '../results/types.ts';
import type { Similarity } from './motion.ts';

/** Everything is measured on a face of this width: near and far ones are treated alike. */
const UNIT = 200;

/** Chosen by `npm run bench -- stability faces --tune`. */
export const smoothing = {
  /** Of the filter, in Hz and Hz for each unit a second. */
  minCutoff: 0.25,
  beta: 0.02,
  derivativeCutoff: 1,
  /** Share of the newest frame in the mean motion. */
  newest: 0.3,
  /** Mean motion a frame below which a face rests, and above which it moves. */
  rest: 0.3,
  motion: 0.8,
  /** How many times less a face at rest shakes. */
  calm: 3.3,
};

/** What the filter leaves of a tremor in the frame in which it comes, about. */
const AT_ONCE = 0.07;
/** Share of the newest frame in the deviations, and frames before they are taken for known. */
const NEWEST = 0.06;
const KNOWN = 6;
/** Followed until then. */
const FIRST = 0.3;

/** Running mean and squared deviation of some numbers. */
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
    // About a mean that goes along by `share` deviations look larger than they are.
    this.#squares += share * ((sum / values.length) * (1 - share / 2) - this.#squares);
  }

  /** Mean square of the deviations; null before there are enough. */
  get squares(): number | null {
    return this.#frames < KNOWN ? null : this.#squares;
  }
}

export class ShapeSmoother {
  #filters: OneEuroFilter[] = [];
  /** Of the first shape: a side that trembles would shake all points. */
  #unit = 1;
  /** Mean shift and growth of the face a frame. */
  #mean = { x: 0, y: 0, growth: 0 };
  /** From the pixels in which the filters work to those of the frame. */
  #moved = { a: 1, x: 0, y: 0 };
  /** Where the flow has the face, in units: all of its shifts. */
  #place = { x: 0, y: 0 };
  #tremor = new Spread();
  #noise = new Spread();
  /** Of what the filter gives, where nothing is followed. */
  #left = new Spread();

  /** Takes the face's motion since the last frame. */
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
    // About the middle of the box: it goes along by what is followed of its shift, and grows by what is motion.
    const growth = 1 + moving * (a - 1);
    const own = { a: growth, x: (1 - growth) * cx + followed * sx, y: (1 - growth) * cy + followed * sy };
    const before = this.#moved;
    this.#moved = { a: own.a * before.a, x: own.a * before.x + own.x, y: own.a * before.y + own.y };
  }

  /** Of a tremor, what is followed. */
  get #share(): number {
    const [s, n, b] = [this.#tremor, this.#noise, this.#left].map((spread) => spread.squares);
    if (s == null || n == null || b == null) return FIRST;
    const square = (s + n) / smoothing.calm ** 2 - b;
    const whole = Math.sqrt(Math.max(0, square) / Math.max(s, 1e-6));
    return Math.min(1, Math.max(0, (whole - AT_ONCE) / (1 - AT_ONCE)));
  }

  /** The smoothed shape; `side` is that of the face's box. */
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
