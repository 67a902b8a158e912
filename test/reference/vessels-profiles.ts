/** Profiles across vessels and the blurred box that fits them, one sample after the other. */
import { normalTable } from '../../src/vessels/segment/profile-lines.ts';
import { type Reference, make, type ReferenceImage, type ReferenceValue } from './image.ts';

const SAMPLES = 40;
const STEPS = 64;
const MIDDLE = 5 * STEPS;
const [SPRING, LOOSE] = [0.001, 0.0003];
const table = normalTable();

/** Between the four pixels around a place; NaN beyond the border. */
function pixelAt({ width, height, data }: ReferenceImage, x: number, y: number): number {
  if (!(x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1)) return NaN;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, bottom] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const row = (k: number) =>
    data[k * width + left]! + (x - left) * (data[k * width + right]! - data[k * width + left]!);
  return row(top) + (y - top) * (row(bottom) - row(top));
}

function profileOf(
  image: ReferenceImage,
  field: ReferenceImage,
  block: number,
  [x, y, nx, ny, step]: readonly [number, number, number, number, number],
): number[] {
  const taps = Math.max(1, Math.ceil(step));
  const part = step / taps;
  return Array.from({ length: SAMPLES }, (_, k) => {
    const begin = (k - SAMPLES / 2) * step + part / 2;
    let sum = 0;
    for (let j = 0; j < taps; j++) sum += pixelAt(image, x + (begin + j * part) * nx, y + (begin + j * part) * ny);
    const middle = begin + 0.5 * (step - part);
    const column = Math.trunc((x + middle * nx + 0.5) * (1 / block));
    const row = Math.trunc((y + middle * ny + 0.5) * (1 / block));
    return field.data[row * field.width + column]! > 0.5 ? Math.fround(sum / taps) : NaN;
  });
}

function meanOf(values: readonly number[], weights: readonly number[]): number {
  let [sum, whole] = [0, 0];
  values.forEach((v, i) => {
    if (Number.isNaN(v)) return;
    sum += weights[i]! * v;
    whole += weights[i]!;
  });
  return sum / whole;
}

const ones = new Array<number>(SAMPLES).fill(1);

/** Place and width at half the depth. */
export function halfWidth(line: readonly number[], step: number): [number, number] | null {
  const eighth = SAMPLES / 8;
  let darkest = SAMPLES / 2;
  for (let k = SAMPLES / 4; k < (3 * SAMPLES) / 4; k++) if (line[k]! < line[darkest]!) darkest = k;
  const until = (way: number, level: number) => {
    for (let k = darkest + way; k >= 0 && k < SAMPLES; k += way) {
      if (Number.isNaN(line[k]!)) return NaN;
      const before = line[k - way]!;
      if (line[k]! >= level) return Math.abs(k - way - darkest) + (level - before) / (line[k]! - before);
    }
    return NaN;
  };
  const before = until(-1, 0.5 * (meanOf(line.slice(0, eighth), ones) + line[darkest]!));
  const after = until(1, 0.5 * (meanOf(line.slice(-eighth), ones) + line[darkest]!));
  if (!(before + after > 0)) return null;
  return [(darkest + 0.5 * (after - before) - 0.5 * (SAMPLES - 1)) * step, (before + after) * step];
}

/** Entry of the table at a place in steps; 0: the distribution, 1: its density. */
function tabled(place: number, which: 0 | 1): number {
  if (!(place > 0)) return 0;
  if (place >= 2 * MIDDLE) return which ? 0 : 1;
  const i = Math.floor(place);
  return table[2 * i + which]! + (place - i) * (table[2 * i + 2 + which]! - table[2 * i + which]!);
}

/** By Cholesky: the answer; the diagonal stays in `m`. */
function solve(m: number[][], rhs: readonly number[]): number[] | null {
  const n = rhs.length;
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = m[i]![j]!;
      for (let k = 0; k < j; k++) sum -= m[i]![k]! * m[j]![k]!;
      if (i === j && !(sum > 1e-12)) return null;
      m[i]![j] = i === j ? Math.sqrt(sum) : sum / m[j]![j]!;
    }
  const answer = [...rhs];
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) answer[i]! -= m[i]![k]! * answer[k]!;
    answer[i]! /= m[i]![i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) answer[i]! -= m[k]![i]! * answer[k]!;
    answer[i]! /= m[i]![i]!;
  }
  return answer;
}

const limited = (v: number, most: number) => (v > most ? most : v < -most ? -most : v);

function withoutBlur(half: number, s: number): number {
  const seen = half / (2.355 * s);
  return half * Math.sqrt(seen > 1.05 ? 1 - 1 / (seen * seen * seen) : 0.12);
}

/** Place, width, blur and what is not sure; `spring`: how weakly the reflex is held. */
export function fit(
  line: readonly number[],
  step: number,
  { sigma, free, spring = free ? LOOSE : SPRING }: { sigma: number; free: boolean; spring?: number },
  [c0, half]: [number, number],
): number[] | null {
  const reach = 0.5 * SAMPLES * step;
  const taps = Math.max(1, Math.ceil(step));
  const added = (step * step * (1 - 1 / (taps * taps))) / 12;
  let s = Math.sqrt(sigma * sigma + added);
  const start = withoutBlur(half, s);
  let reflex = start > 3 * s && start > 5;
  let [a, b, d, r, c, w, misfit] = [0, 0, 0, 0, c0, start, Infinity];
  let m: number[][] = [];
  for (let iteration = 0; iteration < 10; iteration++) {
    m = Array.from({ length: 7 }, () => new Array<number>(7).fill(0));
    const rhs = new Array<number>(7).fill(0);
    const scale = STEPS / s;
    const perBlur = d / s;
    const reflexScale = STEPS / Math.sqrt(s * s + 0.007 * start * start);
    const tolerated = iteration ? 0.0625 * d * d + misfit : Infinity;
    let [weights, squares] = [0, 0];
    for (const [k, v] of line.entries()) {
      if (Number.isNaN(v)) continue;
      const t = (k - 0.5 * (SAMPLES - 1)) * step;
      const [left, right] = [(t - c + 0.5 * w) * scale, (t - c - 0.5 * w) * scale];
      const box = tabled(left + MIDDLE, 0) - tabled(right + MIDDLE, 0);
      const [rise, fall] = [tabled(left + MIDDLE, 1), tabled(right + MIDDLE, 1)];
      const shine = reflex ? tabled((t - c) * reflexScale + MIDDLE, 1) : 0;
      const along = t / reach;
      const e = v - (a + b * along - d * box + r * shine);
      const weight = 1 / (1 + (e * e) / tolerated);
      const softer = free ? (perBlur * (left * rise - right * fall)) / STEPS : 0;
      const row = [1, along, -box, shine, perBlur * (rise - fall), -0.5 * perBlur * (rise + fall), softer];
      row.forEach((x, i) => {
        rhs[i]! += weight * e * x;
        for (let j = 0; j <= i; j++) m[i]![j]! += weight * x * row[j]!;
      });
      weights += weight;
      squares += weight * e * e;
    }
    if (!(weights >= 12)) return null;
    misfit = squares / weights;
    for (let i = 0; i < 7; i++) m[i]![i] = 1.0001 * m[i]![i]! + 1e-6;
    m[3]![3]! += spring;
    rhs[3]! -= spring * r;
    const by = solve(m, rhs) as [number, number, number, number, number, number, number] | null;
    if (!by) return null;
    a += by[0];
    b += by[1];
    d += by[2];
    r += by[3];
    if (r < 0 && !free) {
      r = 0;
      if (iteration > 3) reflex = false;
    }
    const moved = limited(by[4], 0.4 * w);
    const widened = limited(by[5], 0.4 * w);
    const blurred = limited(by[6], 0.3 * s);
    c += moved;
    w = Math.max(0.3, w + widened);
    s += blurred;
    if (iteration > 1 && Math.abs(moved) + Math.abs(widened) + Math.abs(blurred) < 0.005 * w) break;
  }
  const spread = Math.sqrt(misfit);
  const side = (0.5 * w * STEPS) / s;
  const depth = d * (tabled(MIDDLE + side, 0) - tabled(MIDDLE - side, 0));
  if (!(depth > 1 && depth > 1.5 * spread && Math.abs(c) + 0.5 * w < 0.85 * reach)) return null;
  const width = free || spread / m[5]![5]! < 0.5 * w ? w : NaN;
  return [c, width, Math.sqrt(Math.max(0.01, s * s - added)), free ? spread / m[6]![6]! : spread / depth];
}

export function profileWidths(
  [image, field, points, runs]: readonly [ReferenceImage, ReferenceImage, Float64Array, Float64Array],
  { block, ...given }: { block: number; sigma: number; free: boolean },
): ReferenceValue[] {
  const profiles = Array.from({ length: points.length / 5 }, (_, i) =>
    profileOf(
      image,
      field,
      block,
      Array.from(points.subarray(5 * i, 5 * i + 5)) as [number, number, number, number, number],
    ),
  );
  const out = new Float64Array((4 * points.length) / 5).fill(NaN);
  for (let n = 0; n < runs.length; n += 5) {
    const [first, count, near, step, every] = runs.subarray(n, n + 5) as unknown as [
      number,
      number,
      number,
      number,
      number,
    ];
    for (let i = ((count - 1) % every) >> 1; i < count; i += every) {
      const from = Math.max(0, i - near);
      const rows = profiles.slice(first + from, first + Math.min(count, i + near + 1));
      const weights = rows.map((_, j) => near + 1 - Math.abs(from + j - i));
      const line = Array.from({ length: SAMPLES }, (_, k) =>
        meanOf(
          rows.map((row) => row[k]!),
          weights,
        ),
      );
      const begin = halfWidth(line, step);
      out.set((begin && fit(line, step, given, begin)) ?? [], 4 * (first + i));
    }
  }
  return [out];
}

export const references: Readonly<Record<string, Reference>> = {
  'vessels/green': ([source]: readonly ReferenceImage[]) => [
    make(source!.width, source!.height, 'u8', (x, y) => source!.data[4 * (y * source!.width + x) + 1]!),
  ],
  'vessels/profile-widths': profileWidths as unknown as Reference,
};
