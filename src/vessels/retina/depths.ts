/**
 * How dark vessels are against the retina beside them, in red and in green, point by point: what tells arteries from veins.
 * Levels of the middle half of the vessel over those to both sides of it; the reflex of a wide vessel lies in that half as
 * well, and is wider on arteries.
 */
import type { MiddleLine } from './strands.ts';

/** 1 minus the vessel's level over that beside it, for each point; NaN where either is not known. */
export interface VesselDepths {
  red: Float32Array;
  /** Of a gray picture the same as red. */
  green: Float32Array;
}

/** What is needed of a photograph: its samples, and where they begin. */
export interface Samples {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number>;
  readonly start: number;
  /** From row to row and from pixel to pixel. */
  readonly stride: number;
  readonly step: number;
}

/** Parts of the width across which the vessel's own level is taken, to either side of its middle. */
const OWN = [-0.25, -0.125, 0, 0.125, 0.25];
/** Parts of the width, and pixels more, at which the level beside it is taken. */
const BESIDE = [0.9, 1.1, 1.3];
const MORE = 1;
/** Points to either side for a direction. */
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
      // The brighter side: beside the other there may be a vessel.
      const sides = [-1, 1].map((side) =>
        mean(
          samples.step > 1 ? channel : 0,
          BESIDE.map((t) => side * (t * width + MORE)),
        ),
      );
      const beside = Math.max(...sides.map((v) => (Number.isNaN(v) ? -Infinity : v)));
      if (beside > 0) list[k] = 1 - own / beside;
    }
  }
  return { red, green };
}
