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

/**
 * Samples a turned square: pixel (i, j) is where `first` + i `across` + j `down` is, x and y of each. Places are fractions in
 * 32 bits, interpolated by weights of 256ths, as the kernel's (assembly/faces/landmarks-turn.ts).
 */
export function sampleTurned({ width, height, data }, [x0, y0, acrossX, acrossY, downX, downY], side, out) {
  const [left, top] = [Math.floor(x0), Math.floor(y0)];
  const span = (side + 1) * Math.max(Math.abs(acrossX) + Math.abs(downX), Math.abs(acrossY) + Math.abs(downY)) + 2;
  const bits = Math.max(8, Math.clz32(span) - 2);
  const [aX, aY, dX, dY, fX, fY] = [acrossX, acrossY, downX, downY, x0 - left, y0 - top].map((v) =>
    Math.floor(v * 2 ** bits + 0.5),
  );
  const [mostX, mostY] = [width - 1, height - 1];
  for (let j = 0; j < side; j++)
    for (let i = 0; i < side; i++) {
      const x = (fX + j * dX + i * aX) | 0;
      const y = (fY + j * dY + i * aY) | 0;
      const [column, row] = [(x >> bits) + left, (y >> bits) + top];
      const wx = column >= 0 && column < mostX ? (x >> (bits - 8)) & 255 : 0;
      const wy = row >= 0 && row < mostY ? (y >> (bits - 8)) & 255 : 0;
      const at = Math.min(mostY, Math.max(0, row)) * width + Math.min(mostX, Math.max(0, column));
      const next = wx && 1;
      const below = wy && width;
      const upper = data[at] * (256 - wx) + data[at + next] * wx;
      const lower = data[at + below] * (256 - wx) + data[at + below + next] * wx;
      out[j * side + i] = (upper * (256 - wy) + lower * wy + 32768) >> 16;
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
