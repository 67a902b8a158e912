import { taubin, type Circle, type Point } from './pupil-search-fits.ts';

/** The table of src/pupil/search/search.ts, read back: five numbers in [0, 1) per set. */
export const membersOf = (table: Float32Array, set: number): number[] =>
  [0, 1, 2, 3, 4].map((k) => table[(set >> 2) * 20 + k * 4 + (set & 3)]!);

export interface Candidate {
  circle: Circle;
  votes: number;
  /** Votes for a ring this much narrower and wider: what rounding can make of them. */
  least: number;
  most: number;
}

/**
 * Paper 000, section 2.2: every set's Taubin circle and the points within `distance` of it; null where the set has no
 * circle or one of the wrong size. `slack` is how far rounding may move a circle.
 */
export function ransacCandidates(
  points: readonly Point[],
  table: Float32Array,
  sets: number,
  { distance, minRadius, maxRadius, slack }: { distance: number; minRadius: number; maxRadius: number; slack: number },
): (Candidate | null)[] {
  return Array.from({ length: sets }, (_, set) => {
    const five = membersOf(table, set).map((u) => points[Math.floor(u * points.length)]!);
    const circle = new Set(five.map(String)).size < 3 ? null : taubin(five);
    if (!circle || circle.r < minRadius || circle.r > maxRadius) return null;
    const count = (d: number) =>
      points.filter(([x, y]) => Math.abs(Math.hypot(x - circle.x, y - circle.y) - circle.r) < d).length;
    return { circle, votes: count(distance), least: count(distance - slack), most: count(distance + slack) };
  });
}
