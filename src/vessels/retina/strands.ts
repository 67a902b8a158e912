/** The vessels' middle lines as short pieces: place, direction, length and width of each. */
import type { VesselSegment } from '../../results/types.ts';

export interface Strand {
  readonly x: number;
  readonly y: number;
  /** Unit vector along the vessel, in the order of its points. */
  readonly dx: number;
  readonly dy: number;
  readonly length: number;
  /** Of the vessel here, else the segment's; 0 where neither is known. */
  readonly width: number;
  /** Which segment it is of, and which of its points. */
  readonly segment: number;
  readonly point: number;
}

export type MiddleLine = Pick<VesselSegment, 'points' | 'widths' | 'width' | 'length'>;

/** Points to either side that give a direction: one alone follows the pixels. */
const BESIDE = 2;

/** `unit`: pixels of the photograph for one of the strands' coordinates. */
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
