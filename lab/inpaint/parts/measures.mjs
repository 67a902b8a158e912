// What a filled hole is judged by. Images: { width, height, data } with RGBA; holes: { x, y, side }.
import { median } from '../../../bench/parts/numbers.mjs';

const gray = ({ width, data }, x, y) => {
  const i = 4 * (y * width + x);
  return 0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2];
};

/** Greatest difference of R, G and B between two pixels. */
const step = ({ width, data }, x, y, u, v) => {
  const [a, b] = [4 * (y * width + x), 4 * (v * width + u)];
  return Math.max(...[0, 1, 2].map((c) => Math.abs(data[a + c] - data[b + c])));
};

/** Neighbors to the right and below, by where they lie: 'hole', 'border' (across its edge) or 'ring' (within `width`). */
function* neighbors(image, { x, y, side }, ring = 20) {
  const inHole = (u, v) => u >= x && v >= y && u < x + side && v < y + side;
  const end = { x: Math.min(image.width, x + side + ring), y: Math.min(image.height, y + side + ring) };
  for (let v = Math.max(0, y - ring); v < end.y; v++)
    for (let u = Math.max(0, x - ring); u < end.x; u++)
      for (const [s, t] of [
        [u + 1, v],
        [u, v + 1],
      ]) {
        if (s >= end.x || t >= end.y) continue;
        const count = inHole(u, v) + inHole(s, t);
        yield [['ring', 'border', 'hole'][count], u, v, s, t];
      }
}

/**
 * energy: mean squared gradient in the hole by that of the ring; border: median step across the hole's edge by that of
 * the ring, 1 where both are 0.
 */
export function texture(image, hole) {
  const energy = { hole: 0, ring: 0, border: 0 };
  const count = { hole: 0, ring: 0, border: 0 };
  const steps = { ring: [], border: [], hole: [] };
  for (const [where, u, v, s, t] of neighbors(image, hole)) {
    energy[where] += (gray(image, u, v) - gray(image, s, t)) ** 2;
    count[where]++;
    steps[where].push(step(image, u, v, s, t));
  }
  const [across, around] = [median(steps.border), median(steps.ring)];
  return {
    energy: energy.hole / count.hole / (energy.ring / count.ring),
    border: across === around ? 1 : across / around,
    across,
    around,
  };
}

/** PSNR over R, G and B, in dB, and mean SSIM of gray over 8x8 windows, both in the hole. */
export function similarity(image, truth, { x, y, side }) {
  let square = 0;
  for (let v = y; v < y + side; v++)
    for (let u = x; u < x + side; u++)
      for (let c = 0; c < 3; c++) {
        const i = 4 * (v * image.width + u) + c;
        square += (image.data[i] - truth.data[i]) ** 2;
      }
  let ssim = 0;
  let windows = 0;
  for (let v = y; v + 8 <= y + side; v += 4)
    for (let u = x; u + 8 <= x + side; u += 4, windows++) ssim += windowSsim(image, truth, u, v);
  return { psnr: 10 * Math.log10(255 ** 2 / (square / (3 * side * side))), ssim: ssim / windows };
}

function windowSsim(a, b, x, y) {
  let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0];
  for (let v = y; v < y + 8; v++)
    for (let u = x; u < x + 8; u++) {
      const [p, q] = [gray(a, u, v), gray(b, u, v)];
      sa += p;
      sb += q;
      saa += p * p;
      sbb += q * q;
      sab += p * q;
    }
  const [ma, mb] = [sa / 64, sb / 64];
  const [va, vb, cov] = [saa / 64 - ma * ma, sbb / 64 - mb * mb, sab / 64 - ma * mb];
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  return ((2 * ma * mb + c1) * (2 * cov + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
}

/** Share of the hole's pixels whose R, G and B are all within `levels` of the truth. */
export function within(image, truth, isHole, levels) {
  let good = 0;
  let count = 0;
  for (let i = 0; i < image.width * image.height; i++) {
    if (!isHole[i]) continue;
    count++;
    good += [0, 1, 2].every((c) => Math.abs(image.data[4 * i + c] - truth.data[4 * i + c]) <= levels);
  }
  return good / count;
}
