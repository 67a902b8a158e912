/**
 * Measures the rotation of a target in the image. Gray values are sampled on rings around a point in its box, in the
 * same number of directions on each ring. A rotation by an angle shifts the rings by that angle. The angle is therefore
 * the shift with the best correlation between the rings and those of the first box, refined by a parabola through three
 * shifts.
 *
 * A box that does not rotate drifts off the center of a rotating target, and grows. So the position and size of the
 * rings move with the box from frame to frame, and from there in steps to the best correlation. While the target is
 * followed, it rotates by at most `REACH` per frame, which resolves ambiguous symmetric targets. After a loss, all
 * shifts are considered. The reference rings are updated slightly with each frame that fits them well.
 */
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';

const RINGS = 12;
const DIRECTIONS = 120;
/** Maximum rotation between two frames, and during the search for the position, in directions. */
const [REACH, NEAR] = [12, 2];
/**
 * Correlation below which an angle is rejected, correlation above which the rings are updated, and the weight of the
 * update.
 */
const [BELIEVED, LEARNED, RATE] = [0.4, 0.7, 0.05];
/**
 * Steps of the position, and its maximum distance from the center of the box, in units of the radius. Then the maximum
 * size.
 */
const [STEPS, AWAY, MOST] = [[0.08, 0.03], 0.5, 1.5];

/** Input from a frame: the gray image and its pyramid levels, and their memory. */
export interface RingPicture {
  readonly planes: readonly Pick<Plane, 'width' | 'height' | 'address' | 'stride'>[];
  readonly bytes: Uint8Array;
}

interface Match {
  /** Offset from the center of the box, in units of the radius. */
  x: number;
  y: number;
  /** Radius of the outermost ring, in the same units. */
  size: number;
  /** The best shift, in whole directions, and its correlation. */
  shift: number;
  value: number;
  rings: Float64Array;
}

const around = (j: number): number => ((j % DIRECTIONS) + DIRECTIONS) % DIRECTIONS;

const cosines = Float64Array.from({ length: DIRECTIONS }, (_, j) => Math.cos((2 * Math.PI * j) / DIRECTIONS));

/** Normalizes to mean 0 and length 1. All 0 if all values are equal. */
function normalized(rings: Float64Array): Float64Array {
  let [sum, squares] = [0, 0];
  for (const value of rings) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / rings.length;
  const by = 1 / Math.sqrt(Math.max(1e-6, squares - mean * sum));
  for (let i = 0; i < rings.length; i++) rings[i] = (rings[i]! - mean) * by;
  return rings;
}

function ringsOf({ planes, bytes }: RingPicture, box: Box, u: number, v: number, size: number): Float64Array {
  const side = Math.min(box.width, box.height);
  // Larger targets are read at a coarser pyramid level, so that rings are some 1.5 pixels apart.
  const level = Math.max(0, Math.min(planes.length - 1, Math.round(Math.log2(side / 36))));
  const { width, height, address, stride } = planes[level]!;
  const scale = 2 ** -level;
  const whole = (scale * side) / 2;
  const cx = scale * (box.x + (box.width - 1) / 2) + whole * u;
  const cy = scale * (box.y + (box.height - 1) / 2) + whole * v;
  const rings = new Float64Array(RINGS * DIRECTIONS);
  for (let at = 0, ring = 1; ring <= RINGS; ring++) {
    // The rings divide the area evenly.
    const radius = size * whole * Math.sqrt(ring / (RINGS + 0.5));
    for (let j = 0; j < DIRECTIONS; j++, at++) {
      const x = Math.max(0, Math.min(width - 1.001, cx + radius * cosines[j]!));
      const y = Math.max(0, Math.min(height - 1.001, cy + radius * cosines[(j + (3 * DIRECTIONS) / 4) % DIRECTIONS]!));
      const first = address + (y | 0) * stride + (x | 0);
      const [s, t] = [x % 1, y % 1];
      const above = bytes[first]! * (1 - s) + bytes[first + 1]! * s;
      const below = bytes[first + stride]! * (1 - s) + bytes[first + stride + 1]! * s;
      rings[at] = above * (1 - t) + below * t;
    }
  }
  return normalized(rings);
}

/** Rotates rings back by an integer number of directions. */
function turnedBack(rings: Float64Array, shift: number): Float64Array {
  const turned = new Float64Array(rings.length);
  const cut = around(shift);
  for (let from = 0; from < rings.length; from += DIRECTIONS) {
    turned.set(rings.subarray(from + cut, from + DIRECTIONS), from);
    turned.set(rings.subarray(from, from + cut), from + DIRECTIONS - cut);
  }
  return turned;
}

function correlation(kept: Float64Array, rings: Float64Array, shift: number): number {
  const turned = turnedBack(rings, shift);
  let sum = 0;
  for (let i = 0; i < kept.length; i++) sum += kept[i]! * turned[i]!;
  return sum;
}

/** Tracks the angle of one target. */
export class Rotation {
  #kept: Float64Array | null = null;
  /** Rotation in directions. */
  #turned = 0;
  /**
   * Position and size of the rings in the last frame, in units of the radius from the center of the box. Null after a
   * loss.
   */
  #place: { x: number; y: number; size: number } | null = null;

  /** Resets the reference. Angles are measured from the next box. */
  begin(): void {
    this.#kept = null;
    this.#turned = 0;
  }

  /**
   * Returns the angle in radians since the first box, from +x towards +y, in -pi to pi. NaN if the box is null (target
   * lost).
   */
  see(picture: RingPicture, box: Box | null): number {
    const before = this.#place;
    this.#place = box && { x: 0, y: 0, size: 1 };
    if (!box) return NaN;
    const kept = (this.#kept ??= ringsOf(picture, box, 0, 0, 1));
    const matched = (x: number, y: number, size: number, about: number, reach: number): Match => {
      const rings = ringsOf(picture, box, x, y, size);
      const best = { x, y, size, shift: 0, value: -1, rings };
      for (let shift = about - reach; shift <= about + reach; shift++) {
        const value = correlation(kept, rings, shift);
        if (value > best.value) Object.assign(best, { shift, value });
      }
      return best;
    };
    const from = before ?? { x: 0, y: 0, size: 1 };
    let best = matched(from.x, from.y, from.size, Math.round(this.#turned), before ? REACH : DIRECTIONS / 2);
    // Climb as long as a step improves the fit.
    for (const step of STEPS)
      for (let round = 0, last: Match | null = null; last !== best && round < 4; round++) {
        last = best;
        for (let way = 0; way < 6; way++) {
          const by = way % 2 ? step : -step;
          const x = last.x + (way >> 1 === 0 ? by : 0);
          const y = last.y + (way >> 1 === 1 ? by : 0);
          const size = last.size * (way >> 1 === 2 ? 1 + by : 1);
          if (x * x + y * y > AWAY * AWAY || size > MOST || size < 1 / MOST) continue;
          const match = matched(x, y, size, best.shift, NEAR);
          if (match.value > best.value) best = match;
        }
      }
    const { value, shift, rings } = best;
    if (value >= BELIEVED) {
      this.#place = best;
      const [less, more] = [correlation(kept, rings, shift - 1), correlation(kept, rings, shift + 1)];
      this.#turned = shift + (less - more) / (2 * Math.min(-1e-6, less - 2 * value + more));
      const turned = turnedBack(rings, shift);
      if (value > LEARNED) this.#kept = normalized(kept.map((old, i) => old + RATE * (turned[i]! - old)));
    }
    const turned = around(this.#turned);
    return ((turned > DIRECTIONS / 2 ? turned - DIRECTIONS : turned) * 2 * Math.PI) / DIRECTIONS;
  }
}
