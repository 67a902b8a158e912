/**
 * Forks: the angle between the two branches, and the relation of their widths to the trunk's width. Area ratio and
 * asymmetry: Patton et al. 2006. Exponent: Murray 1926, Sherman 1981 (trunk^x = one^x + other^x; 3 has the lowest
 * cost). The widest of the three is the trunk.
 */
import type { GrayImage } from '../../results/types.ts';
import type { Circle } from './zone.ts';
import { lengthOf, resampled, type Line } from '../segment/middle-line.ts';
import type { MiddleLine } from './strands.ts';

// Share of the retina that vessels cover, in four quarters around a place: above, below, towards the nose and away from
// it, each of 90 degrees. Around the disc: from its margin to a distance of one diameter. Around the fovea: the two
// rings of the ETDRS chart, 1 to 6 mm across, with a disc of 1.8 mm.

export interface Quadrants {
  /** 0 to 1. Null if less than half of the quarter is in the field of view. */
  readonly superior: number | null;
  readonly inferior: number | null;
  /** Also null if the direction of the nose is not known. */
  readonly nasal: number | null;
  readonly temporal: number | null;
}

/** In radii of the disc. */
export const AROUND = { disc: [1, 3], fovea: [0.5 / 0.9, 3 / 0.9] } as const;
const SEEN = 0.5;

/** `temporal`: -1 to the left, 1 to the right, 0 not known. */
export function quadrantsOf(
  mask: GrayImage,
  fieldOfView: GrayImage,
  { x, y, radius }: Circle,
  [from, to]: readonly [number, number],
  temporal: -1 | 0 | 1,
): Quadrants {
  const { width, height, data } = mask;
  // Above, right, below, left.
  const [all, seen, covered] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  for (let v = Math.ceil(y - to * radius); v <= y + to * radius; v++)
    for (let u = Math.ceil(x - to * radius); u <= x + to * radius; u++) {
      const [dx, dy] = [u - x, v - y];
      const away = Math.hypot(dx, dy);
      if (away < from * radius || away > to * radius) continue;
      const quarter = Math.abs(dy) >= Math.abs(dx) ? (dy < 0 ? 0 : 2) : dx > 0 ? 1 : 3;
      all[quarter]!++;
      const i = v * width + u;
      if (u < 0 || v < 0 || u >= width || v >= height || !fieldOfView.data[i]) continue;
      seen[quarter]!++;
      if (data[i]) covered[quarter]!++;
    }
  const share = (k: number) => (seen[k]! >= SEEN * all[k]! && seen[k] ? covered[k]! / seen[k]! : null);
  const [left, right] = [share(3), share(1)];
  return {
    superior: share(0),
    inferior: share(2),
    nasal: temporal ? (temporal > 0 ? left : right) : null,
    temporal: temporal ? (temporal > 0 ? right : left) : null,
  };
}

// Fractal dimension of the center lines of vessels by box counting: minus the slope of log count over log size, by
// least squares (Mainster 1990; Family, Masters and Platt 1989). Box sizes are relative to the field of view, so the
// dimension does not depend on the size of the photograph. Among several positions of the grid, the one with the fewest
// boxes counts, because the cover must be minimal.

export interface FractalDimension {
  readonly dimension: number;
  /** Root mean square of the residuals of the line fit, in natural logarithms of the count. */
  readonly residual: number;
  /** Standard error of the slope. */
  readonly error: number;
  /** Box sizes in pixels, and number of boxes that contain part of a line. */
  readonly sides: readonly number[];
  readonly counts: readonly number[];
}

/** Box sizes relative to the field's diameter, with a factor of the square root of two between them. */
const SIDES = { least: 1 / 128, count: 9 };
const SHIFTS = 4;

/** Number of boxes of one grid that contain part of a line. `points`: x, y of each. */
function boxes(lines: readonly Float32Array[], side: number, left: number, top: number): number {
  const seen = new Set<number>();
  for (const points of lines)
    for (let k = 0; k < points.length; k += 2) {
      const next = Math.min(points.length - 2, k + 2);
      const [x, y] = [points[k]!, points[k + 1]!];
      const [dx, dy] = [points[next]! - x, points[next + 1]! - y];
      // Pieces longer than a part of a box are sampled at several positions.
      const pieces = Math.max(1, Math.ceil((4 * Math.hypot(dx, dy)) / side));
      for (let i = 0; i < pieces; i++) {
        const [u, v] = [x + (i / pieces) * dx + left, y + (i / pieces) * dy + top];
        seen.add(Math.floor(u / side) * 65_536 + Math.floor(v / side));
      }
    }
  return seen.size;
}

/** Null without lines. `diameter`: of the field of view, in pixels. */
export function fractalDimension(lines: readonly Float32Array[], diameter: number): FractalDimension | null {
  if (!lines.some((points) => points.length >= 4)) return null;
  const sides = Array.from({ length: SIDES.count }, (_, k) => diameter * SIDES.least * Math.SQRT2 ** k);
  const counts = sides.map((side) =>
    Math.min(
      ...Array.from({ length: SHIFTS * SHIFTS }, (_, k) =>
        boxes(lines, side, ((k % SHIFTS) / SHIFTS) * side, (Math.floor(k / SHIFTS) / SHIFTS) * side),
      ),
    ),
  );
  const [x, y] = [sides.map(Math.log), counts.map(Math.log)];
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const square = x.reduce((s, v) => s + (v - mx) ** 2, 0);
  const slope = x.reduce((s, v, k) => s + (v - mx) * (y[k]! - my), 0) / square;
  const left = y.reduce((s, v, k) => s + (v - my - slope * (x[k]! - mx)) ** 2, 0);
  return {
    dimension: -slope,
    residual: Math.sqrt(left / x.length),
    error: Math.sqrt(left / (x.length - 2) / square),
    sides,
    counts,
  };
}

// Tortuosity of vessels: arc over chord (Lotmar, Freiburghaus and Bracher 1979), and total curvature, the sum of all
// turns (Hart, Goldbaum, Cote, Kube and Nelson 1999). Turns are measured between chords of two widths, so that the
// noise of single points does not count. An arc of a circle yields its angle for any chord length.

export interface Tortuosity {
  /** Length along the vessel divided by the distance of its ends. 1 for a straight vessel. */
  readonly arcOverChord: number;
  /** Sum of the absolute values of all turns, radians. NaN if a segment is shorter than three chords. */
  readonly totalCurvature: number;
  /** Length along the center line, in pixels. */
  readonly length: number;
}

/** Chord length in widths, and minimum in pixels. */
const CHORD = { widths: 2, least: 4 };

export function tortuosityOf({ points, width = 0 }: Pick<MiddleLine, 'points' | 'width'>, usual = 0): Tortuosity {
  const count = points.length >> 1;
  const line: Line = {
    x: Float64Array.from({ length: count }, (_, k) => points[2 * k]!),
    y: Float64Array.from({ length: count }, (_, k) => points[2 * k + 1]!),
  };
  const length = lengthOf(line);
  const chord = count ? Math.hypot(line.x[count - 1]! - line.x[0]!, line.y[count - 1]! - line.y[0]!) : 0;
  const step = Math.max(CHORD.least, CHORD.widths * (width || usual));
  return { arcOverChord: chord > 0 ? length / chord : NaN, totalCurvature: turns(line, length, step), length };
}

function turns(line: Line, length: number, step: number): number {
  if (!(length >= 3 * step)) return NaN;
  const { x, y } = resampled(line, step);
  const list: number[] = [];
  for (let k = 1; k + 1 < x.length; k++) {
    const [ax, ay, bx, by] = [x[k]! - x[k - 1]!, y[k]! - y[k - 1]!, x[k + 1]! - x[k]!, y[k + 1]! - y[k]!];
    list.push(Math.abs(Math.atan2(ax * by - ay * bx, ax * bx + ay * by)));
  }
  // From the center of the first chord to that of the last there is one chord less than the total. The ends are assumed
  // to turn like their neighbors.
  return list.reduce((a, b) => a + b, 0) + (list[0]! + list.at(-1)!) / 2;
}

export interface TortuositySummary {
  /**
   * Over the segments of at least three chords: sum of all lengths divided by the sum of all end distances, so that a
   * loop cannot dominate.
   */
  readonly arcOverChord: number | null;
  /** Sum of all turns divided by the sum of all lengths: radians per pixel. */
  readonly curvature: number | null;
  readonly segments: number;
}

export function tortuosities(segments: readonly MiddleLine[]): { list: Tortuosity[]; summary: TortuositySummary } {
  const widths = segments.flatMap(({ width }) => (width === undefined ? [] : [width])).sort((a, b) => a - b);
  const list = segments.map((segment) => tortuosityOf(segment, widths[widths.length >> 1] ?? 0));
  // A loop has no chord.
  const counted = list.filter((t) => !Number.isNaN(t.totalCurvature + t.arcOverChord));
  const sum = (value: (t: Tortuosity) => number) => counted.reduce((s, t) => s + value(t), 0);
  const length = sum((t) => t.length);
  return {
    list,
    summary: {
      arcOverChord: length > 0 ? length / sum((t) => t.length / t.arcOverChord) : null,
      curvature: length > 0 ? sum((t) => t.totalCurvature) / length : null,
      segments: counted.length,
    },
  };
}

export interface Fork {
  readonly x: number;
  readonly y: number;
  /** Angle between the two branches, in radians. */
  readonly angle: number;
  /** Widths in pixels, measured next to the fork. */
  readonly trunk: number;
  readonly branches: readonly [number, number];
  /**
   * Sum of the branches' squared widths divided by the trunk's squared width. 1.26 if the exponent is 3 and the
   * branches are equal.
   */
  readonly areaRatio: number;
  /** Squared width of the narrower branch divided by the squared width of the wider one. */
  readonly asymmetry: number;
  /** Null if a branch is as wide as the trunk, or if the value is not in 1 to 10. */
  readonly exponent: number | null;
}

/** Range along a branch, in widths of the trunk, where its width and direction are measured. */
const BESIDE = { from: 1, to: 3 };
/** Minimum number of points with a width in this range. */
const LEAST = 3;
const EXPONENTS = [1, 10] as const;

interface Arm {
  readonly segment: MiddleLine;
  readonly backwards: boolean;
  /** Width of the widest vessel at this fork. */
  readonly reach: number;
}

/** Mean width next to the fork, and the direction away from it. */
function beside({ segment, backwards, reach }: Arm, x: number, y: number) {
  const { points, widths } = segment;
  const count = points.length >> 1;
  let [sum, known, far] = [0, 0, -1];
  for (let k = 0; k < count; k++) {
    const at = backwards ? count - 1 - k : k;
    const away = Math.hypot(points[2 * at]! - x, points[2 * at + 1]! - y);
    if (away > BESIDE.to * reach) break;
    if (away < BESIDE.from * reach) continue;
    far = at;
    if (Number.isNaN(widths[at]!)) continue;
    sum += widths[at]!;
    known++;
  }
  if (known < LEAST || far < 0) return null;
  return { width: sum / known, way: Math.atan2(points[2 * far + 1]! - y, points[2 * far]! - x) };
}

/** Solves trunk^x = a^x + b^x by bisection. */
export function junctionExponent(trunk: number, a: number, b: number): number | null {
  const over = (x: number) => (a / trunk) ** x + (b / trunk) ** x - 1;
  let [low, high] = EXPONENTS as readonly [number, number];
  if (!(Math.max(a, b) < trunk) || over(low) < 0 || over(high) > 0) return null;
  for (let k = 0; k < 50; k++) {
    const middle = (low + high) / 2;
    if (over(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const between = (a: number, b: number) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

/** A branch point where three segments end. */
interface Meeting {
  readonly x: number;
  readonly y: number;
  /** Index of each segment, and whether its last point is here. */
  readonly ends: readonly { readonly index: number; readonly backwards: boolean }[];
  /** Width of the widest. */
  readonly reach: number;
}

/**
 * Branch points where three vessels meet. If another branch point is within the measured range, it is a crossing or too
 * close to distinguish.
 */
export function meetingsOf(
  branchPoints: readonly { x: number; y: number }[],
  segments: readonly MiddleLine[],
): Meeting[] {
  return branchPoints.flatMap(({ x, y }): Meeting[] => {
    const touching = (arm: MiddleLine, at: number, near: number) =>
      Math.hypot(arm.points[2 * at]! - x, arm.points[2 * at + 1]! - y) <= near;
    const ends = segments.flatMap((segment, index) =>
      [false, true].flatMap((backwards) => {
        const at = backwards ? (segment.points.length >> 1) - 1 : 0;
        return touching(segment, at, Math.max(3, segment.width ?? 0)) ? [{ index, backwards }] : [];
      }),
    );
    if (ends.length !== 3 || ends.some(({ index }) => segments[index]!.width === undefined)) return [];
    const reach = Math.max(...ends.map(({ index }) => segments[index]!.width!));
    const others = branchPoints.filter((p) => Math.hypot(p.x - x, p.y - y) < BESIDE.to * reach);
    return others.length > 1 ? [] : [{ x, y, ends, reach }];
  });
}

/** Forks of three vessels whose widths are known. */
export function forksOf(branchPoints: readonly { x: number; y: number }[], segments: readonly MiddleLine[]): Fork[] {
  return meetingsOf(branchPoints, segments).flatMap(({ x, y, ends, reach }): Fork[] => {
    const arms = ends.map(({ index, backwards }) => beside({ segment: segments[index]!, backwards, reach }, x, y));
    if (arms.includes(null)) return [];
    const [trunk, one, other] = arms.map((arm) => arm!).sort((a, b) => b.width - a.width) as [
      { width: number; way: number },
      { width: number; way: number },
      { width: number; way: number },
    ];
    return [
      {
        x,
        y,
        angle: between(one.way, other.way),
        trunk: trunk.width,
        branches: [one.width, other.width],
        areaRatio: (one.width ** 2 + other.width ** 2) / trunk.width ** 2,
        asymmetry: (other.width / one.width) ** 2,
        exponent: junctionExponent(trunk.width, one.width, other.width),
      },
    ];
  });
}
