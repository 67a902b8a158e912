/** Center lines of vessels as short pieces: position, direction, length and width of each. */
import type { VesselSegment } from '../../results/types.ts';

export interface Strand {
  readonly x: number;
  readonly y: number;
  /** Unit vector along the vessel, in the order of its points. */
  readonly dx: number;
  readonly dy: number;
  readonly length: number;
  /** Width of the vessel here. If it is not known, width of the segment. 0 if neither is known. */
  readonly width: number;
  /** Index of the segment, and index of the point in it. */
  readonly segment: number;
  readonly point: number;
}

export type MiddleLine = Pick<VesselSegment, 'points' | 'widths' | 'width' | 'length'>;

/** Number of points before and after that determine a direction. A single one would follow the pixel grid. */
const BESIDE = 2;

/** `unit`: pixels of the photograph per unit of the strands' coordinates. */
export function strandsOf(segments: readonly MiddleLine[], unit = 1): Strand[] {
  return segments.flatMap(({ points, widths, width: usual = 0 }, segment) => {
    const count = points.length >> 1;
    const strands: Strand[] = [];
    for (let k = 0; k < count; k++) {
      const [from, to] = [Math.max(0, k - BESIDE), Math.min(count - 1, k + BESIDE)];
      const [dx, dy] = [points[2 * to]! - points[2 * from]!, points[2 * to + 1]! - points[2 * from + 1]!];
      const across = Math.hypot(dx, dy);
      if (!(across > 0)) continue;
      const own = widths[k] ?? NaN;
      strands.push({
        x: (points[2 * k]! + 0.5) / unit - 0.5,
        y: (points[2 * k + 1]! + 0.5) / unit - 0.5,
        dx: dx / across,
        dy: dy / across,
        length: across / (to - from) / unit,
        width: (Number.isNaN(own) ? usual : own) / unit,
        segment,
        point: k,
      });
    }
    return strands;
  });
}

/**
 * Darkness of vessels relative to the surrounding retina, in red and in green, point by point. Without the network it
 * distinguishes arteries from veins. The vessel level is taken from the middle half of the vessel, and the retina level from both
 * sides of the vessel. The reflex of a wide vessel is also in that half, and is wider on arteries.
 */

/**
 * 1 minus the vessel's level divided by the level of the retina next to it, for each point. NaN if either is not known.
 */
export interface VesselDepths {
  red: Float32Array;
  /** For a gray image, equal to red. */
  green: Float32Array;
  /**
   * Logarithm of the odds of an artery, by the network. NaN for a vessel that it cannot resolve. Missing for a gray image
   * and without the network.
   */
  odds?: number;
}

/** The required data of a photograph: its samples and their start. */
interface Samples {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number>;
  readonly start: number;
  /** Distance from row to row and from pixel to pixel. */
  readonly stride: number;
  readonly step: number;
}

/** Sample positions for the level of the vessel, as shares of its width, relative to its center. */
const OWN = [-0.25, -0.125, 0, 0.125, 0.25];
/** Sample positions for the level of the retina, as shares of the width, plus a distance in pixels. */
const BESIDE_WIDTHS = [0.9, 1.1, 1.3];
const MORE = 1;
/** Number of points before and after that determine a direction. */
const AROUND = 2;

function level({ width, height, data, start, stride, step }: Samples, channel: number, x: number, y: number): number {
  const [u, v] = [Math.floor(x), Math.floor(y)];
  if (!(u >= 0 && v >= 0 && u + 1 < width && v + 1 < height)) return NaN;
  const at = start + v * stride + u * step + channel;
  const [a, b] = [x - u, y - v];
  const upper = data[at]! + a * (data[at + step]! - data[at]!);
  const lower = data[at + stride]! + a * (data[at + stride + step]! - data[at + stride]!);
  return upper + b * (lower - upper);
}

export function depthsOf(samples: Samples, { points, widths, width: usual = NaN }: MiddleLine): VesselDepths {
  const count = points.length >> 1;
  const [red, green] = [new Float32Array(count).fill(NaN), new Float32Array(count).fill(NaN)];
  for (let k = 0; k < count; k++) {
    const width = Number.isNaN(widths[k] ?? NaN) ? usual : widths[k]!;
    const [from, to] = [Math.max(0, k - AROUND), Math.min(count - 1, k + AROUND)];
    const [dx, dy] = [points[2 * to]! - points[2 * from]!, points[2 * to + 1]! - points[2 * from + 1]!];
    const length = Math.hypot(dx, dy);
    if (!(width > 0 && length > 0)) continue;
    const [nx, ny] = [-dy / length, dx / length];
    const mean = (channel: number, places: readonly number[]) =>
      places.reduce((s, t) => s + level(samples, channel, points[2 * k]! + t * nx, points[2 * k + 1]! + t * ny), 0) /
      places.length;
    for (const [channel, list] of [red, green].entries()) {
      const own = mean(
        samples.step > 1 ? channel : 0,
        OWN.map((t) => t * width),
      );
      // Uses the brighter side, because the other one may contain a vessel.
      const sides = [-1, 1].map((side) =>
        mean(
          samples.step > 1 ? channel : 0,
          BESIDE_WIDTHS.map((t) => side * (t * width + MORE)),
        ),
      );
      const beside = Math.max(...sides.map((v) => (Number.isNaN(v) ? -Infinity : v)));
      if (beside > 0) list[k] = 1 - own / beside;
    }
  }
  return { red, green };
}
