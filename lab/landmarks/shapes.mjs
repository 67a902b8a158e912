// Shapes of faces: their boxes, their mirror image, similarity, and the space that they span.
import { normal } from '../../tools/random.mjs';

/**
 * The box that a face is trained with: 1.05 x the mean side of the box about its points, 9 % of that higher, as frontal
 * detectors have it, and as much larger as the boxes of ours are.
 */
export const LARGER = 1.08;
export function boxOf(points) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k < points.length; k += 2) {
    left = Math.min(left, points[k]);
    right = Math.max(right, points[k]);
    top = Math.min(top, points[k + 1]);
    bottom = Math.max(bottom, points[k + 1]);
  }
  const rule = (1.05 * (right - left + bottom - top)) / 2;
  const side = LARGER * rule;
  return { x: (left + right - side) / 2, y: (top + bottom - side) / 2 - 0.09 * rule, width: side, height: side };
}

/** How far boxes of the detector are off, in their sides: standard deviations of size and place. */
export const detectorError = { size: 0.083, x: 0.093, y: 0.056 };

/** A box that is off as the detector's are; `draw`: numbers of deviation 1. */
export function jittered({ x, y, width }, random, draw = normal) {
  const side = width * (1 + detectorError.size * draw(random));
  const cx = x + width * (0.5 + detectorError.x * draw(random));
  const cy = y + width * (0.5 + detectorError.y * draw(random));
  return { x: cx - side / 2, y: cy - side / 2, width: side, height: side };
}

/** Where each of the 68 points is in a mirrored face. */
export const mirror68 = [
  ...Array.from({ length: 17 }, (_, i) => 16 - i),
  ...Array.from({ length: 10 }, (_, i) => 26 - i),
  ...[27, 28, 29, 30, 35, 34, 33, 32, 31],
  ...[45, 44, 43, 42, 47, 46, 39, 38, 37, 36, 41, 40],
  ...[54, 53, 52, 51, 50, 49, 48, 59, 58, 57, 56, 55],
  ...[64, 63, 62, 61, 60, 67, 66, 65],
];

/** The similarity (a, -b; b, a) p + (x, y) from one shape to another. */
export function similarity(from, to) {
  const n = from.length / 2;
  let [fx, fy, tx, ty] = [0, 0, 0, 0];
  for (let i = 0; i < 2 * n; i += 2) {
    fx += from[i] / n;
    fy += from[i + 1] / n;
    tx += to[i] / n;
    ty += to[i + 1] / n;
  }
  let [a, b, spread] = [0, 0, 0];
  for (let i = 0; i < 2 * n; i += 2) {
    const [px, py, qx, qy] = [from[i] - fx, from[i + 1] - fy, to[i] - tx, to[i + 1] - ty];
    a += px * qx + py * qy;
    b += px * qy - py * qx;
    spread += px * px + py * py;
  }
  a /= spread;
  b /= spread;
  return [a, b, tx - (a * fx - b * fy), ty - (b * fx + a * fy)];
}

/** Directions along which shapes lie about their mean, the longest first: orthogonal iteration on their second moments. */
export function shapeSpace(shapes, mean, count, random, rounds = 60) {
  const values = mean.length;
  const moments = new Float64Array(values * values);
  const own = new Float64Array(values);
  for (let at = 0; at < shapes.length; at += values) {
    for (let i = 0; i < values; i++) own[i] = shapes[at + i] - mean[i];
    for (let i = 0; i < values; i++) for (let j = 0; j <= i; j++) moments[i * values + j] += own[i] * own[j];
  }
  for (let i = 0; i < values; i++) for (let j = 0; j < i; j++) moments[j * values + i] = moments[i * values + j];
  let basis = Array.from({ length: count }, () => Float64Array.from({ length: values }, () => random() - 0.5));
  for (let round = 0; round < rounds; round++) {
    basis = basis.map((v) => {
      const out = new Float64Array(values);
      for (let i = 0; i < values; i++) for (let j = 0; j < values; j++) out[i] += moments[i * values + j] * v[j];
      return out;
    });
    for (const [k, v] of basis.entries()) {
      for (const other of basis.slice(0, k)) {
        const along = v.reduce((sum, x, i) => sum + x * other[i], 0);
        for (let i = 0; i < values; i++) v[i] -= along * other[i];
      }
      const length = Math.hypot(...v);
      for (let i = 0; i < values; i++) v[i] = length > 0 ? v[i] / length : 0;
    }
  }
  const out = new Float32Array(count * values);
  basis.forEach((v, k) => out.set(v, k * values));
  return out;
}
