/**
 * The plain sequential baseline of the ladder (paper 000, section 4, where it is C on one core): every step over the
 * whole frame, one after the other, scalar TypeScript without SIMD, tiles, regions or fused steps. It finds what the
 * package's variant 'paper' finds; windows and Gaussian are separable, as the paper's times of its sequential version
 * (22 frames a second) let suppose.
 */
import { gaussianTaps } from '../../../src/image/gaussian-kernel.ts';
import type { PupilValues } from '../../../src/pupil/parameters.ts';
import { ransacTable } from '../../../src/pupil/ransac-table.ts';
import { arcDirections, radiusLimits, rayDirections } from '../../../src/pupil/starburst-search.ts';

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

type Choose = (a: number, b: number) => number;

/** Minimum or maximum over 2 radius + 1 samples along one axis. */
function sweep({ width, height, data }: Image, radius: number, along: 'x' | 'y', choose: Choose): Image {
  const out = new Uint8Array(width * height);
  const [step, count] = along === 'x' ? [1, width] : [width, height];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const place = along === 'x' ? x : y;
      let extreme = data[at]!;
      const last = Math.min(count - 1 - place, radius);
      for (let k = -Math.min(place, radius); k <= last; k++) extreme = choose(extreme, data[at + k * step]!);
      out[at] = extreme;
    }
  return { width, height, data: out };
}

const least: Choose = (a, b) => (a < b ? a : b);
const greatest: Choose = (a, b) => (a > b ? a : b);

function square(image: Image, size: number, choose: Choose): Image {
  return sweep(sweep(image, size >> 1, 'x', choose), size >> 1, 'y', choose);
}

function map({ width, height, data }: Image, value: (v: number, i: number) => number): Image {
  const out = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) out[i] = value(data[i]!, i);
  return { width, height, data: out };
}

function smooth({ width, height, data }: Image, size: number, sigma: number): Image {
  const taps = gaussianTaps(size, sigma);
  const radius = size >> 1;
  const across = new Uint16Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let k = -radius; k <= radius; k++)
        sum += taps[Math.abs(k)]! * data[y * width + Math.min(width - 1, Math.max(0, x + k))]!;
      across[y * width + x] = sum;
    }
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 32768;
      for (let k = -radius; k <= radius; k++)
        sum += taps[Math.abs(k)]! * across[Math.min(height - 1, Math.max(0, y + k)) * width + x]!;
      out[y * width + x] = sum >> 16;
    }
  return { width, height, data: out };
}

/** Taubin's circle through five points, by Newton's iteration as in the golden figures; radius 0 for a line. */
function circleOf(px: readonly number[], py: readonly number[]): [number, number, number] {
  const n = px.length;
  const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / n;
  const mx = mean(px);
  const my = mean(py);
  const x = px.map((v) => v - mx);
  const y = py.map((v) => v - my);
  const z = x.map((v, i) => v * v + y[i]! * y[i]!);
  const product = (a: readonly number[], b: readonly number[]) => mean(a.map((v, i) => v * b[i]!));
  const [xx, yy, xy, xz, yz, zz] = [
    [x, x],
    [y, y],
    [x, y],
    [x, z],
    [y, z],
    [z, z],
  ].map(([a, b]) => product(a!, b!)) as [number, number, number, number, number, number];
  const mz = xx + yy;
  const cov = xx * yy - xy * xy;
  if (!(cov > 1e-5 * mz * mz)) return [0, 0, 0];
  const a3 = 4 * mz;
  const a2 = -3 * mz * mz - zz;
  const a1 = zz * mz + 4 * cov * mz - xz * xz - yz * yz - mz * mz * mz;
  const a0 = xz * xz * yy + yz * yz * xx - zz * cov - 2 * xz * yz * xy + mz * mz * cov;
  let e = 0;
  for (let i = 0; i < 5; i++) e -= (a0 + e * (a1 + e * (a2 + e * a3))) / (a1 + e * (2 * a2 + e * 3 * a3));
  const det = 2 * (e * e - e * mz + cov);
  const cx = (xz * (yy - e) - yz * xy) / det;
  const cy = (yz * (xx - e) - xz * xy) / det;
  return [cx + mx, cy + my, Math.sqrt(cx * cx + cy * cy + mz)];
}

/** One frame from a start point. */
export function baseline(image: Image, x: number, y: number, values: PupilValues): BaselineResult {
  const { width, height } = image;
  const { reflectionKernel, reflectionThreshold, reflectionDilation, gaussianSize, gaussianSigma } = values;
  const opened = square(square(image, reflectionKernel, least), reflectionKernel, greatest);
  const hat = map(image, (v, i) => v - opened.data[i]!);
  const spots = map(hat, (v) => (v > reflectionThreshold ? 255 : 0));
  const mask = square(spots, reflectionDilation, greatest).data;
  const levels = smooth(image, gaussianSize, gaussianSigma).data;
  const directions = rayDirections(values.rays);
  const arc = arcDirections(values.secondaryRays);
  const threshold = Math.trunc(values.gradient);
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
    for (let set = 0; set < values.sets; set++) {
      const chosen = Array.from({ length: 5 }, (_, k) =>
        Math.trunc(table[(set >> 2) * 20 + k * 4 + (set & 3)]! * px.length),
      );
      const [cx, cy, r] = circleOf(
        chosen.map((i) => px[i]!),
        chosen.map((i) => py[i]!),
      );
      if (!(r >= minRadius && r <= maxRadius)) continue;
      let votes = 0;
      for (let i = 0; i < px.length; i++)
        if (Math.abs(Math.hypot(px[i]! - cx, py[i]! - cy) - r) < values.voteDistance) votes++;
      if (votes > best.votes) best = { x: cx, y: cy, r, votes };
    }
    const moved = Math.hypot(best.x - x, best.y - y);
    x = best.x;
    y = best.y;
    if (!best.votes || !(x >= 0 && y >= 0 && x < width && y < height) || moved < values.convergence) break;
  }
  return { ...best, points: px.length, rounds };
}
