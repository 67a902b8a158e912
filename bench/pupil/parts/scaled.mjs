/** Where a pupil at the set's own size lies in a frame so many times as large: pixels have their centers at whole numbers. */
export const scaled = (truth, scale) =>
  truth.present
    ? { ...truth, x: (truth.x + 0.5) * scale - 0.5, y: (truth.y + 0.5) * scale - 0.5, r: truth.r * scale }
    : truth;

/** Of sizes up to so many pixels across, the one that takes most milliseconds beside the set's own: how many times as many. */
export function longest(sizes, widest) {
  const own = sizes.find(({ scale }) => scale === 1)?.ms;
  if (!own) return { scale: 1, longer: NaN };
  return sizes
    .filter(({ width }) => width <= widest)
    .map(({ scale, ms }) => ({ scale, longer: ms / own }))
    .reduce((a, b) => (b.longer > a.longer ? b : a), { scale: 1, longer: 1 });
}
