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
