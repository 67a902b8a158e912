/**
 * Landmarks without jitter and without lag: a 1 euro filter on every coordinate, in a frame that moves with the face.
 * What the flow says of a face in motion is taken out before the filter and put back behind it, so it is not held back,
 * however strongly its landmarks are smoothed. A face at rest trembles in the flow as well: what comes to nothing over a
 * few frames counts as rest. Of that a part is followed all the same: a filter that holds quite still is wrong by each
 * tremor, one that follows them all shows them.
 */
import { OneEuroFilter } from '../results/one-euro.ts';
import type { Box } from '../results/types.ts';
import type { Similarity } from './similarity.ts';

/** Everything is measured on a face of this width: near and far ones are treated alike. */
const UNIT = 200;

/** Chosen by `npm run bench -- stability faces --tune`. */
export const smoothing = {
  /** Of the filter, in Hz and Hz for each unit a second. */
  minCutoff: 0.36,
  beta: 0.02,
  derivativeCutoff: 1,
  /** Share of the newest frame in the mean motion. */
  newest: 0.3,
  /** Mean motion a frame below which a face rests, and above which it moves. */
  rest: 0.3,
  motion: 0.8,
  /** Share of its shifts that a face at rest follows. */
  tremor: 0.33,
};

export class ShapeSmoother {
  #filters: OneEuroFilter[] = [];
  /** Of the first shape: a side that trembles would shake all points. */
  #unit = 1;
  /** Mean shift and growth of the face a frame. */
  #mean = { x: 0, y: 0, growth: 0 };
  /** From the pixels in which the filters work to those of the frame. */
  #moved = { a: 1, x: 0, y: 0 };

  /** Takes the face's motion since the last frame. */
  move({ a, x, y }: Similarity, box: Box): void {
    const unit = UNIT / box.width;
    const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
    const [sx, sy] = [(a - 1) * cx + x, (a - 1) * cy + y];
    const mean = this.#mean;
    const { newest, rest, motion, tremor } = smoothing;
    mean.x += newest * (sx * unit - mean.x);
    mean.y += newest * (sy * unit - mean.y);
    mean.growth += newest * ((a - 1) * UNIT - mean.growth);
    const speed = Math.hypot(mean.x, mean.y, mean.growth);
    const moving = Math.min(1, Math.max(0, (speed - rest) / (motion - rest)));
    const followed = tremor + (1 - tremor) * moving;
    // About the middle of the box: it goes along by what is followed of its shift, and grows by what is motion.
    const growth = 1 + moving * (a - 1);
    const own = { a: growth, x: (1 - growth) * cx + followed * sx, y: (1 - growth) * cy + followed * sy };
    const before = this.#moved;
    this.#moved = { a: own.a * before.a, x: own.a * before.x + own.x, y: own.a * before.y + own.y };
  }

  /** The smoothed shape; `side` is that of the face's box. */
  filter(shape: Float32Array, side: number, timestamp: number): Float32Array {
    if (this.#filters.length !== shape.length) {
      this.#filters = Array.from(shape, () => new OneEuroFilter(smoothing));
      this.#unit = UNIT / side;
    }
    const { a, x, y } = this.#moved;
    const unit = this.#unit;
    return shape.map((v, i) => {
      const shift = i % 2 ? y : x;
      return shift + (a * this.#filters[i]!.filter(((v - shift) / a) * unit, timestamp)) / unit;
    });
  }
}
