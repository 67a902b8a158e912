// A drawn eye for recordings of a few kilobytes: a dark pupil that widens and wanders in an iris, a glint, no noise.

/** Diameter of the pupil in frame `i`, as a share of the height. */
export const pupilOf = (i) => 0.3 + 0.06 * Math.sin(i / 2);

const cover = (distance) => Math.min(1, Math.max(0, 0.5 - distance));

/** Gray levels 0..1, row by row. It has no symmetry, so that turned and mirrored pictures differ. */
export function drawnEye(width, height, i) {
  const levels = new Float64Array(width * height);
  const [x, y, r] = [0.46 * width + i, 0.55 * height, (pupilOf(i) * height) / 2];
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) {
      const distance = Math.hypot(u + 0.5 - x, v + 0.5 - y);
      let level = 0.55 + (0.25 * u) / width;
      level += (0.4 - level) * cover(distance - 0.36 * height);
      level += (0.08 - level) * cover(distance - r);
      level += (0.95 - level) * cover(Math.hypot(u + 0.5 - x - 0.6 * r, v + 0.5 - y + 0.5 * r) - 0.025 * height);
      // A lid above, a dark corner to the left.
      if (v < 0.08 * height) level *= 0.7;
      if (u < 0.05 * width && v > 0.8 * height) level *= 0.3;
      levels[v * width + u] = level;
    }
  return levels;
}

/** Samples of one frame as ffmpeg's rawvideo: 'gray', 'rgb24', 'gray16le' or 'rgb48le' of so many bits. */
export function samplesOf(levels, format, bits = format.includes('16') || format.includes('48') ? 16 : 8) {
  const most = 2 ** bits - 1;
  const tints = format.startsWith('rgb') ? [1, 0.85, 0.7] : [1];
  const values = Array.from(levels, (level) => tints.map((tint) => Math.round(level * tint * most))).flat();
  return Buffer.from(/16|48/.test(format) ? Uint16Array.from(values).buffer : Uint8Array.from(values));
}
