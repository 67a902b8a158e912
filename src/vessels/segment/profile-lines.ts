/** Profiles across middle lines: what the stage needs to know of them, and the blur of the photograph. */
import { boolean, number } from '../../runtime/parameters.ts';
import type { Block, Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import { normals, type Line } from './middle-line.ts';

// Widths from the photograph itself: gray levels across a vessel, averaged a little along it, and the box that looks like
// them through the photograph's blur. Its width is the vessel's where it is narrower than the blur as well; the mask's
// width is one of a response and a level. A slope of the background, the bright reflex along wide vessels and other
// vessels nearby are part of the fit. Where it finds no edge, the width is not known.

/** Sizes of the lists, as in assembly/vessels/segment/profile-fit.ts. */
export const SAMPLES = 40;
export const POINT = 5;
export const RUN = 5;
export const FOUND = 4;
const END = 5;
const STEPS = 64;
/** Points of which the profiles are held at a time. */
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
 * Inputs: the photograph; where it counts, a mask of 0 and 1 whose samples are `block` pixels wide; points (x, y, normal x,
 * normal y, distance between samples); runs of points one after the other (first, how many, points to either side that are
 * averaged, distance between samples, each how manyth is fitted). Output for each point: how far the vessel's middle is along
 * the normal, its width, the blur, and what is not sure: the misfit in parts of its depth, or where the blur is sought as
 * well, that one's standard error; NaN where no vessel fits.
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

/** At each point: how far the middle is along the normal, where a profile was fitted, and the width; else NaN. */
export interface Measured {
  readonly offsets: Float64Array;
  readonly widths: Float64Array;
}

/** Misfit, in parts of the depth, above which what was fitted is no vessel's profile. */
const MISFIT = 0.35;

/** How far along the vessel profiles are averaged, to either side: a part of its width, and pixels. */
const ALONG = { widths: 1.5, least: 3 };

/** Half the length of a profile: the vessel, both borders, and as much background. */
const reachOf = (width: number, sigma: number) => 1.1 * width + 3 * sigma + 2;

const stepBetween = ({ x, y }: Line) => (x.length > 1 ? Math.max(1e-6, Math.hypot(x[1]! - x[0]!, y[1]! - y[0]!)) : 1);

/** Points to either side that are averaged. */
function nearOf({ line, width }: Course): number {
  const near = Math.round(Math.max(ALONG.least, ALONG.widths * width) / stepBetween(line));
  return Math.max(1, Math.min(16, near));
}

/** Each how manyth point is fitted: what is averaged reaches from one to the next. */
const everyOf = nearOf;

/** What the stage finds of each point. Where `once`, only the middle one of a course is fitted, and the blur sought. */
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

/** Widths of all points from those of the profiles that were fitted, straight between two that fit. */
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

/** Profiles that the blur is judged by. */
const ENOUGH = 200;

/**
 * The blur (sigma of a Gaussian, in pixels) of the photograph: sought in profiles from all over it. Each counts as it is
 * sure of it, so that wide and dark vessels speak for the narrow ones, whose blur and width look alike.
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

/** Nothing is surer than this, in pixels: blurs are no exact Gaussians. */
const UNSURE = 0.03;
/** Vessels less wide than this, in blurs, count less: noise makes them seem wider and sharper. */
const WIDE = 3;
