/**
 * The plain sequential baseline of the ladder (paper 000, section 4, where it is C on one core): every step over the
 * whole frame, one after the other, scalar TypeScript without SIMD, tiles, regions or fused steps. It finds what the
 * package's variant 'paper' finds; windows and Gaussian are separable, as the paper's times of its sequential version
 * (22 frames a second) let suppose.
 */
import { gaussianTaps } from '../../../src/image/gaussian.ts';
import type { PupilValues } from '../../../src/pupil/parameters.ts';
import { ransacTable, arcDirections, rayDirections, radiusLimits } from '../../../src/pupil/search/search.ts';

interface Image {
  width: number;
  height: number;
  data: Uint8Array;
}

export interface BaselineResult {
  x: number;
  y: number;
  r: number;
  votes: number;
  points: number;
  rounds: number;
}

/** Minimum over 2 radius + 1 samples along one axis, as a C programmer would write it; `flip` 255: maximum. */
function sweep({ width, height, data }: Image, radius: number, along: 'x' | 'y', flip: 0 | 255): Image {
  const out = new Uint8Array(width * height);
  const down = along === 'y';
  const step = down ? width : 1;
  const end = (down ? height : width) - 1;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const place = down ? y : x;
      const first = at - step * (place < radius ? place : radius);
      const last = at + step * (end - place < radius ? end - place : radius);
      let least = 255;
      for (let k = first; k <= last; k += step) {
        const v = data[k]! ^ flip;
        if (v < least) least = v;
      }
      out[at] = least ^ flip;
    }
  return { width, height, data: out };
}

const erode = (image: Image, size: number) => sweep(sweep(image, size >> 1, 'x', 0), size >> 1, 'y', 0);
const dilate = (image: Image, size: number) => sweep(sweep(image, size >> 1, 'x', 255), size >> 1, 'y', 255);

function map({ width, height, data }: Image, value: (v: number, i: number) => number): Image {
  const out = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) out[i] = value(data[i]!, i);
  return { width, height, data: out };
}

/** The Gaussian along one axis, borders repeated; sums of taps without rounding. */
function convolve(
  data: ArrayLike<number>,
  out: Uint8Array | Uint16Array,
  w: number,
  h: number,
  taps: Int32Array,
  down: boolean,
) {
  const radius = taps.length >> 1;
  const step = down ? w : 1;
  const end = (down ? h : w) - 1;
  const [bias, shift] = down ? [32768, 16] : [0, 0];
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const at = y * w + x;
      const place = down ? y : x;
      let sum = bias;
      if (place >= radius && end - place >= radius)
        for (let k = 0, from = at - radius * step; k < taps.length; k++, from += step) sum += taps[k]! * data[from]!;
      else
        for (let k = 0; k < taps.length; k++)
          sum += taps[k]! * data[at + (Math.min(end, Math.max(0, place + k - radius)) - place) * step]!;
      out[at] = sum >> shift;
    }
}

function smooth({ width, height, data }: Image, size: number, sigma: number): Image {
  const half = gaussianTaps(size, sigma);
  const taps = Int32Array.from({ length: size }, (_, k) => half[Math.abs(k - (size >> 1))]!);
  const across = new Uint16Array(width * height);
  const out = new Uint8Array(width * height);
  convolve(data, across, width, height, taps, false);
  convolve(across, out, width, height, taps, true);
  return { width, height, data: out };
}

/** Taubin's circle through n points, by Newton's iteration; `out`: x, y, radius (0 for points on a line). */
function fitCircle(px: Float64Array, py: Float64Array, n: number, out: Float64Array): void {
  let mx = 0;
  let my = 0;
  for (let i = 0; i < n; i++) {
    mx += px[i]! / n;
    my += py[i]! / n;
  }
  let xx = 0;
  let yy = 0;
  let xy = 0;
  let xz = 0;
  let yz = 0;
  let zz = 0;
  for (let i = 0; i < n; i++) {
    const x = px[i]! - mx;
    const y = py[i]! - my;
    const z = x * x + y * y;
    xx += (x * x) / n;
    yy += (y * y) / n;
    xy += (x * y) / n;
    xz += (x * z) / n;
    yz += (y * z) / n;
    zz += (z * z) / n;
  }
  const mz = xx + yy;
  const cov = xx * yy - xy * xy;
  out[2] = 0;
  if (!(cov > 1e-5 * mz * mz)) return;
  const a3 = 4 * mz;
  const a2 = -3 * mz * mz - zz;
  const a1 = zz * mz + 4 * cov * mz - xz * xz - yz * yz - mz * mz * mz;
  const a0 = xz * xz * yy + yz * yz * xx - zz * cov - 2 * xz * yz * xy + mz * mz * cov;
  let e = 0;
  for (let i = 0; i < 5; i++) e -= (a0 + e * (a1 + e * (a2 + e * a3))) / (a1 + e * (2 * a2 + e * 3 * a3));
  const det = 2 * (e * e - e * mz + cov);
  const cx = (xz * (yy - e) - yz * xy) / det;
  const cy = (yz * (xx - e) - xz * xy) / det;
  out[0] = cx + mx;
  out[1] = cy + my;
  out[2] = Math.sqrt(cx * cx + cy * cy + mz);
}

/** Input of the search: smoothed samples, and a mask with 255 in reflections. */
export interface Prepared {
  width: number;
  height: number;
  levels: Uint8Array;
  mask: Uint8Array;
}

/** The filters, which the paper's sequential program leaves to OpenCV. */
export function prepare(image: Image, values: PupilValues): Prepared {
  const { width, height } = image;
  const { reflectionSize, reflectionThreshold, reflectionDilation, gaussianSize, gaussianSigma } = values;
  const opened = dilate(erode(image, reflectionSize), reflectionSize);
  const hat = map(image, (v, i) => v - opened.data[i]!);
  const spots = map(hat, (v) => (v > reflectionThreshold ? 255 : 0));
  const mask = dilate(spots, reflectionDilation).data;
  const levels = smooth(image, gaussianSize, gaussianSigma).data;
  return { width, height, levels, mask };
}

/** One frame from a start point. */
export const baseline = (image: Image, x: number, y: number, values: PupilValues): BaselineResult =>
  search(prepare(image, values), x, y, values);

/** The rest of the program: rays, circles, votes, rounds. */
export function search(prepared: Prepared, x: number, y: number, values: PupilValues): BaselineResult {
  const { width, height, levels, mask } = prepared;
  const directions = rayDirections(values.rays);
  const arc = arcDirections(values.secondaryRays);
  const threshold = Math.trunc(values.minGradient);
  const [minRadius, maxRadius] = radiusLimits(values, width, height);
  let px: number[] = [];
  let py: number[] = [];

  const cast = (x0: number, y0: number, dx: number, dy: number, skip: number, reach: number) => {
    // Positions in 1/65536 pixel and single precision, so that the same samples are read as elsewhere.
    const sx = Math.trunc(Math.fround(dx * 65536));
    const sy = Math.trunc(Math.fround(dy * 65536));
    let fx = Math.trunc(Math.fround(x0 + dx * skip + 0.5) * 65536);
    let fy = Math.trunc(Math.fround(y0 + dy * skip + 0.5) * 65536);
    const last: number[] = [];
    for (let t = skip; t < reach; t++, fx += sx, fy += sy) {
      const ix = fx >> 16;
      const iy = fy >> 16;
      if (ix < 0 || iy < 0 || ix >= width || iy >= height) return;
      if (mask[iy * width + ix]) {
        last.length = 0;
        continue;
      }
      const level = levels[iy * width + ix]!;
      last.push(level);
      if (last.length <= 4) continue;
      if (level - last.shift()! <= threshold) continue;
      px.push(Math.fround(x0 + dx * (t - 2)));
      py.push(Math.fround(y0 + dy * (t - 2)));
      return;
    }
  };

  const table = ransacTable(values.sets);
  const longest = Math.max(width, height);
  const fiveX = new Float64Array(5);
  const fiveY = new Float64Array(5);
  const fit = new Float64Array(3);
  let best = { x: 0, y: 0, r: 0, votes: 0 };
  let rounds = 0;
  while (rounds < values.iterations) {
    rounds++;
    px = [];
    py = [];
    for (let i = 0; i < values.rays; i++) cast(x, y, directions[2 * i]!, directions[2 * i + 1]!, 0, longest);
    const first = px.length;
    for (let i = 0; i < first; i++) {
      const [bx, by] = [px[i]!, py[i]!];
      const far = Math.hypot(x - bx, y - by);
      if (far < 2) continue;
      const [ux, uy] = [(x - bx) / far, (y - by) / far];
      for (let k = 0; k < values.secondaryRays; k++) {
        const [c, s] = [arc[2 * k]!, arc[2 * k + 1]!];
        cast(bx, by, Math.fround(ux * c - uy * s), Math.fround(ux * s + uy * c), 3, 2 * longest);
      }
    }
    best = { x: 0, y: 0, r: 0, votes: 0 };
    if (px.length < 5) break;
    const n = px.length;
    for (let set = 0; set < values.sets; set++) {
      for (let k = 0; k < 5; k++) {
        const i = Math.trunc(table[(set >> 2) * 20 + k * 4 + (set & 3)]! * n);
        fiveX[k] = px[i]!;
        fiveY[k] = py[i]!;
      }
      fitCircle(fiveX, fiveY, 5, fit);
      const [cx, cy, r] = [fit[0]!, fit[1]!, fit[2]!];
      if (!(r >= minRadius && r <= maxRadius)) continue;
      let votes = 0;
      for (let i = 0; i < n; i++) {
        const dx = px[i]! - cx;
        const dy = py[i]! - cy;
        if (Math.abs(Math.sqrt(dx * dx + dy * dy) - r) < values.voteDistance) votes++;
      }
      if (votes > best.votes) best = { x: cx, y: cy, r, votes };
    }
    const moved = Math.hypot(best.x - x, best.y - y);
    x = best.x;
    y = best.y;
    if (!best.votes || !(x >= 0 && y >= 0 && x < width && y < height) || moved < values.epsilon) break;
  }
  return { ...best, points: px.length, rounds };
}
