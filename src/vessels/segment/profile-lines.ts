/** Profiles across middle lines: what the stage needs to know of them, and the blur of the photograph. */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { normals, type Line } from './middle-line.ts';
import { FOUND, POINT, profileWidths, RUN } from './profiles.ts';

/** What vessels are measured in. */
export interface Photograph {
  /** The channel that the vessels were found in, at full size. */
  readonly gray: Plane;
  /** Where it counts: a coarse mask of 0 and 1, and the side of its samples. */
  readonly field: Plane;
  readonly block: number;
}

/** A middle line with about how wide the vessel is. */
export interface Course {
  readonly line: Line;
  readonly width: number;
}

/** At each point: how far the middle is along the normal, the width, the misfit; NaN where they cannot be had. */
export interface Measured {
  readonly offsets: Float64Array;
  readonly widths: Float64Array;
  readonly misfits: Float64Array;
}

const SAMPLES = 64;
/** How far along the vessel profiles are averaged, to either side: a part of its width, and pixels. */
const ALONG = { widths: 1.5, least: 3 };

/** Half the length of a profile: the vessel, both borders, and as much background. */
const reachOf = (width: number, sigma: number) => 1.1 * width + 3 * sigma + 2;

const stepBetween = ({ x, y }: Line) => (x.length > 1 ? Math.max(1e-6, Math.hypot(x[1]! - x[0]!, y[1]! - y[0]!)) : 1);

export function* measureCourses(
  scope: Scope,
  { gray, field, block }: Photograph,
  courses: readonly Course[],
  sigma: number,
): Plan<Measured[]> {
  const total = courses.reduce((s, { line }) => s + line.x.length, 0);
  const points = new Float64Array(POINT * total);
  const runs = new Float64Array(RUN * courses.length);
  let first = 0;
  for (const [n, { line, width }] of courses.entries()) {
    const { x, y } = line;
    const { x: u, y: v } = normals(line);
    const step = (2 * reachOf(width, sigma)) / SAMPLES;
    for (let k = 0; k < x.length; k++) points.set([x[k]!, y[k]!, u[k]!, v[k]!, step], POINT * (first + k));
    const near = Math.round(Math.max(ALONG.least, ALONG.widths * width) / stepBetween(line));
    runs.set([first, x.length, Math.max(1, Math.min(16, near)), step], RUN * n);
    first += x.length;
  }
  const [found] = yield* scope.run(profileWidths, [gray, field, points, runs], { block, sigma });
  let at = 0;
  return courses.map(({ line }) => {
    const from = at;
    at += line.x.length;
    const each = (k: number) => Float64Array.from(line.x, (_, i) => found[FOUND * (from + i) + k]!);
    return { offsets: each(0), widths: each(1), misfits: each(2) };
  });
}

/** Blurs that are tried, in pixels: that of sampling alone, and up. */
const SIGMAS = Array.from({ length: 16 }, (_, k) => 0.5 * 2 ** (k / 4));
/** Points that it is judged by. */
const ENOUGH = 240;
const CHUNK = 12;

/**
 * The blur (sigma of a Gaussian, in pixels) with which boxes look like the vessels, over pieces of vessels from all over
 * the photograph.
 */
export function* blurOf(
  scope: Scope,
  photograph: Photograph,
  courses: readonly Course[],
  widest: number,
): Plan<number> {
  const pieces: Course[] = [];
  const total = courses.reduce((s, { line }) => s + line.x.length, 0);
  const every = Math.max(1, Math.floor(total / ENOUGH)) * CHUNK;
  let next = CHUNK >> 1;
  let passed = 0;
  for (const { line, width } of courses) {
    for (; next < passed + line.x.length; next += every) {
      const from = Math.max(0, Math.min(next - passed - (CHUNK >> 1), line.x.length - CHUNK));
      const piece = { x: line.x.slice(from, from + CHUNK), y: line.y.slice(from, from + CHUNK) };
      pieces.push({ line: piece, width });
    }
    passed += line.x.length;
  }
  const tried = SIGMAS.filter((sigma) => sigma <= Math.max(1, widest));
  const misfits: Float64Array[] = [];
  for (const sigma of tried) {
    const measured = yield* measureCourses(scope, photograph, pieces, sigma);
    misfits.push(Float64Array.from(measured.flatMap((m) => Array.from(m.misfits))));
  }
  return tried[sharpest(misfits)]!;
}

/** Misfits below this part of the depth are all the same: gray levels are whole numbers, and blurs no exact Gaussians. */
const FLOOR = 0.01;
/** Blurs that too few points allow are none. */
const FITTED = 0.6;

/**
 * Of lists of misfits by rising blur, the first that is hardly worse than the best: narrow vessels look alike through more
 * blur than there is, at a width that is far too small.
 */
function sharpest(misfits: readonly Float64Array[]): number {
  const fitted = misfits.map((list) => list.filter((v) => v > 0).length);
  const most = Math.max(...fitted);
  const allowed = misfits.map((_, n) => n).filter((n) => fitted[n]! >= Math.max(1, FITTED * most));
  if (!allowed.length) return 1;
  const common = Array.from(misfits[0]!, (_, i) => i).filter((i) => allowed.every((n) => misfits[n]![i]! > 0));
  if (common.length < 3) return 1;
  const logs = misfits.map((list) => common.map((i) => Math.log(list[i]! ** 2 + FLOOR ** 2) / 2));
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const best = allowed.reduce((a, b) => (mean(logs[b]!) < mean(logs[a]!) ? b : a));
  const found = allowed.find((n) => {
    const worse = logs[n]!.map((v, i) => v - logs[best]![i]!);
    const by = mean(worse);
    const unsure = Math.sqrt(mean(worse.map((v) => (v - by) ** 2)) / worse.length);
    return by <= Math.max(0.02, unsure);
  });
  return found ?? best;
}
