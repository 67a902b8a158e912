/**
 * How far eyes are open, by what they are open as a rule: lids, lashes and glasses of a face stay from frame to frame, and so does what a
 * model gets wrong about them. The heights of the last seconds are kept; blinks take up a small part of them, so that a quantile above
 * the middle is the open eye.
 */
import type { FaceMeasures } from '../results/types.ts';
import { eyeTable } from './eye-table.ts';

/** Heights that are kept, and the least time between two of them: six seconds. */
const KEPT = 120;
const APART = 50;
/** Heights from which on the open eye is known. */
export const LEAST_KNOWN = 6;
/** The quantile that counts as open. */
export const OPEN = 0.6;

export const openOf = (heights: readonly number[]): number =>
  [...heights].sort((a, b) => a - b)[Math.floor(OPEN * (heights.length - 1))]!;

export class EyeState {
  #heights: [number[], number[]] = [[], []];
  #kept = -Infinity;
  #next = 0;

  /**
   * Of a frame whose points are trusted: what the eyes are open by their own measure, the left one in the picture first; null until
   * that is known, and where they were never seen open.
   */
  openness({ eyes }: Pick<FaceMeasures, 'eyes'>, timestamp: number): [number, number] | null {
    // Also where a clock begins again.
    if (!(Math.abs(timestamp - this.#kept) < APART)) {
      this.#kept = timestamp;
      this.#heights.forEach((heights, side) => (heights[this.#next] = eyes[side]!.opening));
      this.#next = (this.#next + 1) % KEPT;
    }
    if (this.#heights[0].length < LEAST_KNOWN) return null;
    const open = this.#heights.map(openOf) as [number, number];
    // Who has kept the eyes shut since the beginning has no open state yet.
    if (!open.every((height) => height > eyeTable.closed)) return null;
    return [eyes[0].opening / open[0], eyes[1].opening / open[1]];
  }
}

/** Both eyes together: a person blinks with both, and one measure is less exact than two. */
export const isBlink = (openness: readonly [number, number]): boolean =>
  (openness[0] + openness[1]) / 2 < eyeTable.shut;
