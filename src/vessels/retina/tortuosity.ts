/**
 * How far vessels wind: arc over chord (Lotmar, Freiburghaus and Bracher 1979), and total curvature, the sum of all turns (Hart,
 * Goldbaum, Cote, Kube and Nelson 1999). Turns are taken between chords of two widths, so that the noise of single points
 * is no turn; an arc of a circle gives its angle whatever the chords' length.
 */
import { lengthOf, resampled, type Line } from '../segment/middle-line.ts';
import type { MiddleLine } from './strands.ts';

export interface Tortuosity {
  /** Length along the vessel over the distance of its ends; 1 where it is straight. */
  readonly arcOverChord: number;
  /** Sum of all turns in radians, whichever way; NaN where a segment is shorter than three chords. */
  readonly totalCurvature: number;
  /** Along the middle line, in pixels. */
  readonly length: number;
}

/** Chords in widths, and at least so many pixels. */
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
  // Between the middles of the first and the last chord lies one chord less than there are: the ends turn as what is next.
  return list.reduce((a, b) => a + b, 0) + (list[0]! + list.at(-1)!) / 2;
}

export interface TortuositySummary {
  /** Of the segments of at least three chords: all lengths over all distances of ends, so that no loop outweighs the rest. */
  readonly arcOverChord: number | null;
  /** Of all turns over all lengths: radians per pixel. */
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
