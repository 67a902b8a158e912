/**
 * How far vessels run together at a place, above it and below it: the large vessels of the retina leave the optic disc
 * upwards and downwards. A vessel counts by how nearly it points to the place, by its width and by how near it is. Idea:
 * Hoover and Goldbaum 2003 (fuzzy convergence of the vessels), Soares et al. 2016 (vessels' density above and below).
 */
import type { Strand } from './strands.ts';

export interface Pull {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly weight: number;
}

export interface ConvergenceConstants {
  /** Sine of the angle past the place at which a vessel counts for a quarter. */
  readonly spread: number;
  /** A vessel counts as this power of its width. */
  readonly power: number;
  /** Lines shorter than this part of the field's diameter count less: borders of bright lesions look like vessels. */
  readonly long: number;
}

/** Pieces of the vessels about this part of the field's diameter apart. */
const APART = 1 / 80;
/** Parts of the field's diameter between which a vessel counts. */
const NEAR = 0.04;
const FAR = 0.4;
/** Nearer than this, being near counts no more. */
const LEVEL = 0.1;

/** `diameter`: of the field of view, in the unit of the strands. */
export function pullsOf(
  strands: readonly Strand[],
  lengths: readonly number[],
  diameter: number,
  { power, long }: ConvergenceConstants,
): Pull[] {
  const pulls: Pull[] = [];
  let length = 0;
  for (const [k, { x, y, dx, dy, width, segment, length: own }] of strands.entries()) {
    length += own;
    if (length < APART * diameter && strands[k + 1]?.segment === segment) continue;
    const weight = length * Math.max(width, 1) ** power * Math.min(1, lengths[segment]! / (long * diameter));
    pulls.push({ x, y, dx, dy, weight });
    length = 0;
  }
  return pulls;
}

export function convergence(pulls: readonly Pull[], x: number, y: number, diameter: number, spread: number): number {
  let [above, below] = [0, 0];
  const [near, far] = [(NEAR * diameter) ** 2, (FAR * diameter) ** 2];
  for (const { x: px, y: py, dx, dy, weight } of pulls) {
    const [u, v] = [px - x, py - y];
    const square = u * u + v * v;
    if (square < near || square > far) continue;
    const distance = Math.sqrt(square);
    const past = (u * dy - v * dx) / (distance * spread);
    const share = 1 / (1 + past * past);
    const pull = (weight * share * share * v) / (distance * (distance + LEVEL * diameter));
    if (v < 0) above -= pull;
    else below += pull;
  }
  return Math.sqrt(above * below);
}
