/** Numbers that more than one capability rounds or summarizes in the same way. */

/** Half-way cases go to the even neighbor, as C's rint and with it OpenCV rounds. */
export function roundEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low;
}

/** The upper of the middle two where there are two; NaN of none. */
export function median(values: ArrayLike<number>): number {
  return new Float64Array(values).sort()[values.length >> 1] ?? NaN;
}

/** The first bin of a histogram up to which a share of the counts lie. */
export function quantileBin(counts: Uint32Array, total: number, share: number): number {
  let below = 0;
  for (let i = 0; i < counts.length; i++) if ((below += counts[i]!) >= share * total) return i;
  return counts.length - 1;
}
