/** Profiles across center lines: the inputs of the stage, and the blur of the photograph. */
import { boolean, number } from '../../runtime/parameters.ts';
import type { Block, Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import { normals, type Line } from './middle-line.ts';

// Widths from the photograph itself: a box is fitted, through the photograph's blur, to gray levels across a vessel,
// averaged a little along it. The width of the box is correct even for vessels narrower than the blur, while the width
// of the mask depends on a response and a threshold. A slope of the background, the bright reflex along wide vessels
// and other vessels nearby are part of the fit. If it finds no edge, the width is not known.

/** Sizes of the lists, as in assembly/vessels/segment/profile-fit.ts. */
export const SAMPLES = 40;
export const POINT = 5;
export const RUN = 5;
export const FOUND = 4;
const END = 5;
const STEPS = 64;
/** Number of points whose profiles are in memory at a time. */
const SOME = 1 << 14;

/** The normal distribution and its density from -END to END. */
export function normalTable(): Float64Array {
  const table = new Float64Array(2 * (2 * END * STEPS + 2));
  const density = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  let value = 0;
  for (let i = 0; i < table.length / 2; i++) {
    const z = i / STEPS - END;
    // Simpson's rule over the last step.
    if (i) value += (density(z - 1 / STEPS) + 4 * density(z - 0.5 / STEPS) + density(z)) / (6 * STEPS);
    table[2 * i] = value;
    table[2 * i + 1] = density(z);
  }
  return table;
}

let normal: Float64Array | null = null;

/** Batches of runs of about SOME points. */
function* batches(runs: Float64Array): Generator<[from: number, to: number, first: number, count: number]> {
  const total = runs.length / RUN;
  for (let from = 0; from < total;) {
    const first = runs[RUN * from]!;
    let [to, count] = [from, 0];
    for (; to < total && (to === from || count + runs[RUN * to + 1]! <= SOME); to++) count += runs[RUN * to + 1]!;
    yield [from, to, first, count];
    from = to;
  }
}

/** Numbers of an array on the arena. */
const part = (scope: Scope, values: Float64Array, from: number, to: number): Block =>
  scope.table(values.subarray(from, to));

/**
 * Inputs:
 * - The photograph.
 * - The area that counts: a mask of 0 and 1 whose samples are `block` pixels wide.
 * - Points (x, y, normal x, normal y, distance between samples).
 * - Runs of consecutive points: first, count, number of points averaged before and after, distance between samples,
 *   step between fitted points.
 *
 * Output for each point: distance of the vessel's center along the normal, its width, the blur, and the uncertainty.
 * The uncertainty is the residual relative to the depth or, if the blur is also fitted, the standard error of the blur.
 * NaN if no vessel fits.
 */
export const profileWidths = defineStage({
  name: 'vessels/profile-widths',
  params: {
    block: number({ default: 4, min: 1, max: 512, integer: true, unit: 'px', effect: 'Side of a block of the field.' }),
    sigma: number({ default: 1, min: 0.1, max: 64, unit: 'px', effect: 'Blur of the photograph.' }),
    free: boolean({ default: false, effect: 'Estimates the blur as well, starting at this scale.' }),
  },
  inputs: ['u8', 'f32', 'f64[]', 'f64[]'],
  outputs: ['f64[]'],
  tolerance: 0,
  wasmOnly: 'A few thousand fits of some steps each, of profiles that are on this side.',
  *wasm(scope, [source, field, points, runs], { block, sigma, free }) {
    const { width, height } = source;
    const found = new Float64Array((FOUND * points.length) / POINT);
    const table = scope.table((normal ??= normalTable()));
    for (const [from, to, first, count] of batches(runs)) {
      const near = part(scope, points, POINT * first, POINT * (first + count));
      const own = runs.slice(RUN * from, RUN * to);
      for (let k = 0; k < own.length; k += RUN) own[k]! -= first;
      const list = scope.table(own);
      const samples = scope.block(4 * SAMPLES * Math.max(1, count));
      const results = scope.block(8 * FOUND * Math.max(1, count));
      yield* scope.kernels.profileSamples(
        { source, width, height, field, block, points: near, samples },
        { rows: count, cost: 8 * SAMPLES },
      );
      const each = Math.max(1, Math.round((count / Math.max(1, to - from)) * 64 * SAMPLES));
      yield* scope.kernels.profileFits(
        { samples, runs: list, table, sigma, free: Number(free), found: results },
        { rows: to - from, minimumBand: 1, bands: 4, cost: each },
      );
      found.set(scope.f64(results, FOUND * count), FOUND * first);
      for (const block of [near, list, samples, results]) scope.free(block);
    }
    return [found];
  },
});

/** The photograph used for measuring vessels. */
export interface Photograph {
  /** The channel of the vessel detection, in full size. */
  readonly gray: Plane;
  /** The area that counts: a coarse mask of 0 and 1, and the width of its samples. */
  readonly field: Plane;
  readonly block: number;
}

/** A center line with the approximate width of the vessel. */
export interface Course {
  readonly line: Line;
  readonly width: number;
}

/** For each point: distance of the center along the normal, if a profile was fitted, and the width. Otherwise NaN. */
export interface Measured {
  readonly offsets: Float64Array;
  readonly widths: Float64Array;
}

/** Maximum residual, relative to the depth, for a vessel profile. */
const MISFIT = 0.35;

/** Averaging length of profiles along the vessel, to each side: as a share of its width, and minimum in pixels. */
const ALONG = { widths: 1.5, least: 3 };

/** Half the length of a profile: the vessel, both borders, and an equal part of background. */
const reachOf = (width: number, sigma: number) => 1.1 * width + 3 * sigma + 2;

const stepBetween = ({ x, y }: Line) => (x.length > 1 ? Math.max(1e-6, Math.hypot(x[1]! - x[0]!, y[1]! - y[0]!)) : 1);

/** Number of points averaged to each side. */
function nearOf({ line, width }: Course): number {
  const near = Math.round(Math.max(ALONG.least, ALONG.widths * width) / stepBetween(line));
  return Math.max(1, Math.min(16, near));
}

/** Step between fitted points: the averages extend from one to the next. */
const everyOf = nearOf;

/**
 * Results of the stage for each point. With `once`, only the middle point of a course is fitted, including the blur.
 */
function* fitted(
  scope: Scope,
  { gray, field, block }: Photograph,
  courses: readonly Course[],
  sigma: number,
  once: boolean,
): Plan<Float64Array> {
  const total = courses.reduce((s, { line }) => s + line.x.length, 0);
  const points = new Float64Array(POINT * total);
  const runs = new Float64Array(RUN * courses.length);
  let [first, at] = [0, 0];
  for (const [n, course] of courses.entries()) {
    const { line, width } = course;
    const { x, y } = line;
    const { x: u, y: v } = normals(line);
    const step = (2 * reachOf(width, sigma)) / SAMPLES;
    for (let k = 0; k < x.length; k++) {
      points[at++] = x[k]!;
      points[at++] = y[k]!;
      points[at++] = u[k]!;
      points[at++] = v[k]!;
      points[at++] = step;
    }
    runs.set([first, x.length, nearOf(course), step, once ? x.length : everyOf(course)], RUN * n);
    first += x.length;
  }
  const [found] = yield* scope.run(profileWidths, [gray, field, points, runs], { block, sigma, free: once });
  return found;
}

export function* measureCourses(
  scope: Scope,
  photograph: Photograph,
  courses: readonly Course[],
  sigma: number,
): Plan<Measured[]> {
  const found = yield* fitted(scope, photograph, courses, sigma, false);
  let at = 0;
  return courses.map((course) => {
    const from = at;
    const count = course.line.x.length;
    at += count;
    const offsets = Float64Array.from({ length: count }, (_, i) => found[FOUND * (from + i)]!);
    return { offsets, widths: widthsOf(found.subarray(FOUND * from, FOUND * at), count, everyOf(course)) };
  });
}

/** Widths of all points from the fitted profiles, interpolated linearly between two good fits. */
function widthsOf(found: Float64Array, count: number, every: number): Float64Array {
  const begin = ((count - 1) % every) >> 1;
  const last = Math.floor((count - 1 - begin) / every);
  const at = (k: number) => {
    const i = FOUND * (begin + every * k);
    return found[i + 3]! < MISFIT ? found[i + 1]! : NaN;
  };
  return new Float64Array(count).map((_, i) => {
    const place = Math.max(0, Math.min(last, (i - begin) / every));
    const before = Math.floor(place);
    const [low, high] = [at(before), at(Math.min(last, before + 1))];
    const between = low + (place - before) * (high - low);
    return Number.isNaN(between) ? at(Math.round(place)) : between;
  });
}

/** Number of profiles used to estimate the blur. */
const ENOUGH = 200;

/**
 * The blur (sigma of a Gaussian, in pixels) of the photograph, estimated from profiles all over it. Each is weighted by
 * its precision. Wide and dark vessels therefore also determine the blur for narrow ones, where blur and width are hard
 * to distinguish.
 */
export function* blurOf(scope: Scope, photograph: Photograph, courses: readonly Course[], start: number): Plan<number> {
  const total = courses.reduce((s, { line }) => s + line.x.length, 0);
  const every = Math.max(4, total / ENOUGH);
  const pieces: Course[] = [];
  let next = every / 2;
  for (const course of courses) {
    const { line, width } = course;
    const near = nearOf(course);
    for (; next < line.x.length; next += every) {
      const from = Math.max(0, Math.min(Math.floor(next) - near, line.x.length - 2 * near - 1));
      const to = from + 2 * near + 1;
      pieces.push({ line: { x: line.x.slice(from, to), y: line.y.slice(from, to) }, width });
    }
    next -= line.x.length;
  }
  const found = yield* fitted(scope, photograph, pieces, start, true);
  const blurs: [blur: number, weight: number][] = [];
  for (let k = 0; k < found.length; k += FOUND) {
    const [, width, blur, unsure] = found.subarray(k, k + FOUND) as unknown as [number, number, number, number];
    if (unsure < blur) blurs.push([blur, Math.min(1, width / (WIDE * blur)) ** 4 / (unsure ** 2 + UNSURE ** 2)]);
  }
  if (!blurs.length) return start;
  blurs.sort(([a], [b]) => a - b);
  let left = blurs.reduce((s, [, weight]) => s + weight, 0) / 2;
  return (blurs.find(([, weight]) => (left -= weight) <= 0) ?? blurs[0]!)[0];
}

/** Minimum uncertainty in pixels: blurs are not exact Gaussians. */
const UNSURE = 0.03;
/**
 * Vessels narrower than this multiple of the blur have a lower weight, because noise makes them appear wider and
 * sharper.
 */
const WIDE = 3;
