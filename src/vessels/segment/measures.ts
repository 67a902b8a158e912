/**
 * Clinical measures of the vessels: center lines, branch points, segments with their length and width. The mask
 * determines the location of vessels. The photograph determines their width and center (see profile-lines.ts).
 */
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import { distanceTransform, skeleton } from '../../image/skeleton.ts';
import { median } from '../../image/numbers.ts';
import type { GrayImage, VesselMeasures, VesselSegment } from '../../results/types.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { filled, lengthOf, normals, resampled, smoothed, smoothLine, type Line } from './middle-line.ts';
import { blurOf, measureCourses, type Course, type Measured, type Photograph } from './profile-lines.ts';
import { prune, without, type Arm, traceSkeleton, type Junction } from './trace.ts';

// End of a vessel: the point where the photograph along its center line has half the depth of before. The mask ends
// somewhere near, and thinning removes half a width more.

/** Lateral positions in widths, and how much shorter a round end is there than in the center, in widths. */
const BESIDE = 0.35;
const ROUND = 0.5 - Math.sqrt(0.25 - BESIDE ** 2);
/**
 * Minimum share of that difference for an end rounder than blur explains, and the range over which it becomes a full
 * circle.
 */
const CORNERS = [0.35, 0.4] as const;
const STEP = 0.25;
/** Minimum depth of a vessel in gray levels, for its end to be visible. */
const DEPTH = 4;

export interface End {
  readonly x: number;
  readonly y: number;
  /** Unit vector that points out of the vessel. */
  readonly dx: number;
  readonly dy: number;
}

/** How far the vessel continues beyond its end or, if negative, ends before it. 0 if the photograph is not clear. */
export function endBeyond(scope: Scope, gray: Plane, { x, y, dx, dy }: End, vessel: number): number {
  const { u8 } = scope.arena;
  const { width, height, address, stride } = gray;
  const at = (along: number, beside: number): number => {
    const [u, v] = [x + along * dx - beside * dy, y + along * dy + beside * dx];
    if (!(u >= 0 && v >= 0 && u <= width - 1 && v <= height - 1)) return NaN;
    const [left, top] = [Math.min(width - 2, Math.floor(u)), Math.min(height - 2, Math.floor(v))];
    if (left < 0 || top < 0) return NaN;
    const p = address + top * stride + left;
    const [a, b] = [u - left, v - top];
    const upper = u8[p]! + a * (u8[p + 1]! - u8[p]!);
    return upper + b * (u8[p + stride]! + a * (u8[p + stride + 1]! - u8[p + stride]!) - upper);
  };
  const mean = (from: number, to: number, ...beside: number[]) => {
    let [sum, count] = [0, 0];
    for (let t = from; t <= to; t += 2 * STEP)
      for (const v of beside) {
        sum += at(t, v);
        count++;
      }
    return sum / count;
  };
  const far = 2.5 * vessel + 4;
  const near = -0.25 * vessel - 2;
  const back = near - vessel - 3;
  const inside = mean(back, near, -0.2 * vessel, 0, 0.2 * vessel);
  const border = 0.9 * vessel + 3;
  const outside = mean(back, near, -border, border);
  if (!(outside - inside > DEPTH)) return 0;
  const level = (inside + outside) / 2;
  const crossing = (...beside: number[]): number => {
    let before = inside;
    for (let t = near; t <= far; t += STEP) {
      const v = mean(t - 2 * STEP, t + 2 * STEP, ...beside);
      // The vessel leaves the image.
      if (Number.isNaN(v)) return t;
      if (v >= level) return t - STEP * ((v - level) / Math.max(1e-9, v - before));
      before = v;
    }
    return NaN;
  };
  const tip = crossing(-0.1 * vessel, 0, 0.1 * vessel);
  const sides = (crossing(-BESIDE * vessel) + crossing(BESIDE * vessel)) / 2;
  if (Number.isNaN(tip)) return 0;
  // The center line of a round end stops at the center of its circle. Blur rounds the corners of a straight one.
  const round = Math.max(0, Math.min(1, ((tip - sides) / (ROUND * vessel) - CORNERS[0]) / CORNERS[1] || 0));
  return tip - (round * vessel) / 2;
}

// Fills holes and notches of a mask: sets a sample if most of the 5x5 samples around it are set. The border is
// replicated.

export const closing = defineStage({
  name: 'vessels/closing',
  params: {},
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'The mask is in WASM memory, where it is thinned next.',
  *wasm(scope, [source]) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.closeMask({ source, target, width, height }, { rows: height });
    return [target];
  },
});

/** Smoothing of a center line, as a share of the width, and minimum in pixels (sigma of a Gaussian). */
const SMOOTH = { widths: 0.5, least: 2 };
/** Minimum share of measured points for a segment to have a width. */
const SHARE = 0.4;
/**
 * Vessels narrower than this multiple of the blur have no width, because a slightly smaller blur would look like a much
 * larger width.
 */
const NARROW = 1.25;
/** Initial blur, in steps. The center does not depend on it. */
const BLUR = 0.7;

const smoothingOf = (width: number) => Math.max(SMOOTH.least, SMOOTH.widths * width);

/** The pixels of an arm from junction to junction, smoothed. */
function courseOf({ from, to, indices, radius }: Arm, columns: number, step: number): Course {
  const ends = (junction: Junction | null) => (junction ? [junction] : []);
  const points = [...ends(from), ...indices.map((i) => ({ x: i % columns, y: Math.floor(i / columns) })), ...ends(to)];
  const raw: Line = { x: Float64Array.from(points, ({ x }) => x), y: Float64Array.from(points, ({ y }) => y) };
  const width = Math.max(1, 2 * radius - 1);
  const fine = smoothLine(resampled(raw, 1), smoothingOf(width));
  return { line: resampled(fine, step), width };
}

/** Moves the line to the measured centers, point by point. */
function moved({ line, width }: Course, measured: Measured, step: number): Course {
  const measuredWidth = median(measured.widths.filter((v) => !Number.isNaN(v)));
  const now = Number.isNaN(measuredWidth) ? width : measuredWidth;
  const offsets = smoothed(filled(measured.offsets), smoothingOf(now) / step);
  const { x: u, y: v } = normals(line);
  const [x, y] = [line.x.map((x, k) => x + offsets[k]! * u[k]!), line.y.map((y, k) => y + offsets[k]! * v[k]!)];
  return { line: { x, y }, width: now };
}

/** The moved line at even distances. */
function centered(course: Course, measured: Measured, step: number): Course {
  const { line, width } = moved(course, measured, step);
  return { line: resampled(line, step), width };
}

interface Widths {
  readonly line: Line;
  readonly widths: Float64Array;
}

const reversed = ({ line, widths }: Widths): Widths => ({
  line: { x: line.x.slice().reverse(), y: line.y.slice().reverse() },
  widths: widths.slice().reverse(),
});

/** Extends or shortens the line to the end visible in the photograph. The added part was not measured. */
function ended(scope: Scope, photograph: Photograph, { line, widths }: Widths, width: number, step: number): Widths {
  const { x, y } = line;
  // The last points may turn to a corner of the end, so earlier points determine the direction.
  const last = x.length - 1 - Math.min(Math.round(width / step), x.length >> 2);
  const back = Math.max(0, last - Math.max(2, Math.round((2 * width) / step)));
  const length = Math.hypot(x[last]! - x[back]!, y[last]! - y[back]!);
  if (!(length > 0)) return { line, widths };
  const [dx, dy] = [(x[last]! - x[back]!) / length, (y[last]! - y[back]!) / length];
  const beyond = endBeyond(scope, photograph.gray, { x: x[last]!, y: y[last]!, dx, dy }, width);
  if (!beyond) return { line, widths };
  // Points beyond the end are removed, as are those before it that turn away. The last point is the end itself.
  const end = { x: x[last]! + beyond * dx, y: y[last]! + beyond * dy };
  let keep = last + 1;
  while (keep > 1 && (x[keep - 1]! - end.x) * dx + (y[keep - 1]! - end.y) * dy > -0.25 * step) keep--;
  const between = Math.floor(Math.hypot(end.x - x[keep - 1]!, end.y - y[keep - 1]!) / step);
  const added = Array.from({ length: Math.max(1, between) }, (_, k) => (k + 1) / Math.max(1, between));
  const [fromX, fromY] = [x[keep - 1]!, y[keep - 1]!];
  return {
    line: {
      x: Float64Array.of(...x.subarray(0, keep), ...added.map((t) => fromX + t * (end.x - fromX))),
      y: Float64Array.of(...y.subarray(0, keep), ...added.map((t) => fromY + t * (end.y - fromY))),
    },
    widths: Float64Array.of(...widths.subarray(0, keep), ...added.map(() => NaN)),
  };
}

/**
 * Whether the mask was changed manually around the last pixel of a vessel of this width. Thinning removes half a width.
 */
function endsByHand(byHand: GrayImage | null | undefined, index: number, usual: number): boolean {
  if (!byHand) return false;
  const { width, height, data } = byHand;
  const [x, y, reach] = [index % width, Math.floor(index / width), Math.ceil(usual / 2) + 3];
  for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++)
    for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) if (data[v * width + u]) return true;
  return false;
}

/** Inputs for measuring a mask. */
export interface MeasuredWith {
  readonly photograph: Photograph;
  /** Pixels per pixel at DRIVE's scale. */
  readonly unit: number;
  /** 0 if the scale is not known. */
  readonly micrometresPerPixel: number;
  /**
   * 255 where the mask was changed manually. Vessels added there are not a border of the response, and vessels that end
   * there are not extended.
   */
  readonly byHand?: GrayImage | null;
}

/** The distances at the pixels of a skeleton. For a large photograph the whole plane is not kept. */
function distancesOn(
  { arena }: Scope,
  lines: Uint8Array,
  { width, address, stride }: Plane,
): (index: number) => number {
  let count = 0;
  for (let i = 0; i < lines.length; i++) if (lines[i]) count++;
  const indices = new Uint32Array(count);
  const distances = new Float32Array(count);
  const { f32 } = arena;
  for (let i = 0, n = 0; i < lines.length; i++) {
    if (!lines[i]) continue;
    indices[n] = i;
    distances[n++] = f32[(address + Math.floor(i / width) * stride) / 4 + (i % width)]!;
  }
  return (index) => {
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (indices[middle]! < index) low = middle + 1;
      else high = middle;
    }
    return distances[low]!;
  };
}

export function* measure(
  scope: Scope,
  mask: GrayImage,
  { photograph, unit, micrometresPerPixel, byHand }: MeasuredWith,
): Plan<VesselMeasures> {
  const { width, height, data } = mask;
  const ragged = scope.own(scope.runtime.plane(width, height, 'u8', data));
  const [image] = yield* scope.run(closing, [ragged]);
  scope.free(ragged);
  // The distances, four bytes per pixel, then do not need a second memory block as large as the photograph.
  scope.settle(image, photograph.gray, photograph.field);
  const [thin] = yield* scope.run(skeleton, [image]);
  const lines = (yield* scope.read(thin)) as Uint8Array;
  scope.free(thin);
  const [far] = yield* scope.run(distanceTransform, [image]);
  scope.free(image);
  const radiusAt = distancesOn(scope, lines, far);
  scope.free(far);
  const geometry = { width, radiusAt };
  const step = Math.max(1, unit);
  const found = prune(traceSkeleton(lines, width, height, radiusAt), geometry);
  const known = new Map<Arm, Course>();
  const imagined = new Set<Arm>();
  function* center(arms: readonly Arm[]): Plan<void> {
    const rough = arms.map((arm) => courseOf(arm, width, step));
    const first = yield* measureCourses(scope, photograph, rough, BLUR * step);
    for (const [n, arm] of arms.entries()) {
      known.set(arm, centered(rough[n]!, first[n]!, step));
      const free = !(arm.from && arm.to);
      if (free && first[n]!.offsets.every(Number.isNaN) && !arm.indices.some((i) => byHand?.data[i])) imagined.add(arm);
    }
  }
  yield* center(found.arms);
  // If the photograph shows no vessel profile at all, a free arm is the border of the mask's response and not a vessel.
  const { junctions, arms } = imagined.size ? without(found, imagined, geometry) : found;
  yield* center(arms.filter((arm) => !known.has(arm)));
  const courses = arms.map((arm) => known.get(arm)!);
  // Not earlier: means along a line off the center would blur the profiles.
  const sigma = yield* blurOf(scope, photograph, courses, BLUR * step);
  const second = yield* measureCourses(scope, photograph, courses, sigma);
  const segments = courses.map((course, n): VesselSegment => {
    const { line, width: usual } = moved(course, second[n]!, step);
    const { offsets, widths } = second[n]!;
    // If a profile was fitted without a width, the vessel is too narrow for one. Leaving it out would count only those
    // that noise made wide.
    const fitted = widths.filter((_, k) => !Number.isNaN(offsets[k]!)).map((v) => (Number.isNaN(v) ? 0 : v));
    const wide = usual > NARROW * sigma && median(fitted) > NARROW * sigma;
    let found: Widths = { line, widths: wide ? widths : widths.fill(NaN) };
    const { from, to, indices } = arms[n]!;
    if (!to && !endsByHand(byHand, indices.at(-1)!, usual)) found = ended(scope, photograph, found, usual, step);
    if (!from && !endsByHand(byHand, indices[0]!, usual))
      found = reversed(ended(scope, photograph, reversed(found), usual, step));
    return segmentOf(found.line, Float32Array.from(found.widths), micrometresPerPixel);
  });
  return { skeleton: { width, height, data: lines }, branchPoints: junctions.map(({ x, y }) => ({ x, y })), segments };
}

function segmentOf(line: Line, widths: Float32Array, micrometresPerPixel: number): VesselSegment {
  const points = new Float32Array(2 * line.x.length);
  line.x.forEach((x, k) => points.set([x, line.y[k]!], 2 * k));
  const known = widths.filter((w) => !Number.isNaN(w));
  const length = lengthOf(line);
  const width =
    known.length && known.length >= SHARE * widths.length ? known.reduce((a, b) => a + b, 0) / known.length : undefined;
  return {
    points,
    widths,
    length,
    ...(width !== undefined && { width }),
    ...(micrometresPerPixel > 0 && { lengthMicrometres: length * micrometresPerPixel }),
    ...(micrometresPerPixel > 0 && width !== undefined && { widthMicrometres: width * micrometresPerPixel }),
  };
}
