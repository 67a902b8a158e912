/** Where a pupil at the set's own size lies in a frame so many times as large: pixels have their centers at whole numbers. */
export const scaled = (truth, scale) =>
  truth.present
    ? { ...truth, x: (truth.x + 0.5) * scale - 0.5, y: (truth.y + 0.5) * scale - 0.5, r: truth.r * scale }
    : truth;
