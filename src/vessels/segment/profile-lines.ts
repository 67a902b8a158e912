/** Profiles across middle lines: what the stage needs to know of them, and the blur of the photograph. */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { normals, type Line } from './middle-line.ts';
import { FOUND, POINT, profileWidths, RUN, SAMPLES } from './profiles.ts';

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
