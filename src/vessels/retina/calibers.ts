/**
 * Central retinal artery and vein equivalents by the revised formulas: Knudtson, Lee, Hubbard, Wong, Klein and Klein, "Revised
 * formulas for summarizing retinal vessel diameters", Current Eye Research 27 (2003). The six largest; the largest is joined
 * with the smallest, the next with the next, one left over waits; until one is left.
 */

/** Width of a trunk over the root of its branches' squared widths. */
export const COEFFICIENTS = { artery: 0.88, vein: 0.95 } as const;
/** Vessels that the formulas take. */
export const LARGEST = 6;

/** Of the largest six, in the unit of `widths`; NaN of none. */
export function equivalent(widths: readonly number[], kind: keyof typeof COEFFICIENTS): number {
  let left = [...widths].sort((a, b) => b - a).slice(0, LARGEST);
  while (left.length > 1) {
    const joined: number[] = [];
    for (let k = 0; k < left.length >> 1; k++)
      joined.push(COEFFICIENTS[kind] * Math.hypot(left[k]!, left[left.length - 1 - k]!));
    if (left.length % 2) joined.push(left[left.length >> 1]!);
    left = joined.sort((a, b) => b - a);
  }
  return left[0] ?? NaN;
}
