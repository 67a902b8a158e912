// What feature pixels of a model with patches are read from: the arithmetic of assembly/faces/landmarks-patch.ts, number for number.

/** Levels of a feature's gray that a patch's standard deviation spans. */
export const CONTRAST = 64;
/** Standard deviations below this many levels are noise, not contrast. */
const LEAST = 4;

/**
 * Samples a square of the image into `out`: pixel (i, j) is where `left` + i `stepX`, `top` + j `stepY` is. Images that
 * are finer by half are averaged over 2 x 2 places, the others interpolated; beyond its border an image goes on as it is there.
 */
export function samplePatch({ width, height, data }, left, top, stepX, stepY, side, out) {
  const clamp = (v, most) => Math.min(most, Math.max(0, v));
  if (Math.max(Math.abs(stepX), Math.abs(stepY)) < 1.5) {
    for (let j = 0; j < side; j++) {
      const y = clamp(top + j * stepY, height - 1);
      const upper = Math.floor(y);
      const v = Math.floor(256 * (y - upper));
      const row = width * upper;
      const next = width * Math.min(upper + 1, height - 1);
      for (let i = 0; i < side; i++) {
        const x = clamp(left + i * stepX, width - 1);
        const k = Math.floor(x);
        const u = Math.floor(256 * (x - k));
        const l = Math.min(k + 1, width - 1);
        const above = data[row + k] * (256 - u) + data[row + l] * u;
        const below = data[next + k] * (256 - u) + data[next + l] * u;
        out[j * side + i] = (above * (256 - v) + below * v + 32768) >> 16;
      }
    }
    return;
  }
  const place = (start, step, n, most) => clamp(Math.floor(start + ((n + 0.5) / 2 - 0.5) * step + 0.5), most);
  for (let j = 0; j < side; j++) {
    const rows = [0, 1].map((q) => width * place(top, stepY, 2 * j + q, height - 1));
    for (let i = 0; i < side; i++) {
      let sum = 2;
      for (const row of rows) for (let p = 0; p < 2; p++) sum += data[row + place(left, stepX, 2 * i + p, width - 1)];
      out[j * side + i] = sum >> 2;
    }
  }
}

/** Sums over all pixels above and to the left, a row and a column more than the patch has. */
export function integrate(patch, side, sums) {
  const pitch = side + 1;
  for (let j = 0; j < side; j++) {
    let row = 0;
    for (let i = 0; i < side; i++) {
      row += patch[j * side + i];
      sums[(j + 1) * pitch + i + 1] = sums[j * pitch + i + 1] + row;
    }
  }
}

/** What gray is multiplied with: CONTRAST over the standard deviation within the box. */
export function gainOf(patch, side, margin) {
  const size = side - 2 * margin;
  let [sum, squares] = [0, 0];
  for (let j = margin; j < side - margin; j++)
    for (let i = margin; i < side - margin; i++) {
      const v = patch[j * side + i];
      sum += v;
      squares += v * v;
    }
  const n = size * size;
  return CONTRAST / Math.max(LEAST, Math.sqrt(n * squares - sum * sum) / n);
}

/** Mean gray of the square of `reach` pixels about a place, times `gain`, as a whole number. */
export function featureOf(sums, side, x, y, reach, gain) {
  const i = Math.min(side - 1 - reach, Math.max(reach, Math.floor(x + 0.5)));
  const j = Math.min(side - 1 - reach, Math.max(reach, Math.floor(y + 0.5)));
  const [pitch, span] = [side + 1, 2 * reach + 1];
  const at = (j - reach) * pitch + i - reach;
  const below = at + span * pitch;
  const sum = sums[below + span] - sums[below] - sums[at + span] + sums[at];
  return Math.floor((sum * gain) / (span * span) + 0.5);
}
