/** From a place that a person points at to a correction: across which vessel a cut goes, and where a vessel's marks lie. */
import { strandsOf, type MiddleLine } from '../retina/strands.ts';
import type { KindCorrection, StrokeCorrection } from './corrections.ts';

/** Distance of a place from the points of a middle line, in pixels. */
export function distanceTo({ points }: MiddleLine, x: number, y: number): number {
  let least = Infinity;
  for (let k = 0; k < points.length; k += 2) least = Math.min(least, (points[k]! - x) ** 2 + (points[k + 1]! - y) ** 2);
  return Math.sqrt(least);
}

/** A gap of fewer pixels would be closed again before the mask is thinned (segment/closing.ts). */
const GAP = 4;
/** How far a cut reaches beyond a vessel's borders, in its widths and in pixels: a mask is a little wider than its vessel. */
const BEYOND = { widths: 0.4, pixels: 3 };
/** Where nothing is known of a width, in pixels. */
const USUAL = 6;

const rounded = (values: readonly number[]) => values.map((v) => Math.round(10 * v) / 10);

/** Across the vessel, at the point of its middle line that is nearest to a place. */
export function cutAcross(segment: MiddleLine, x: number, y: number): StrokeCorrection {
  const strands = strandsOf([segment]);
  const away = (strand: { x: number; y: number }) => Math.hypot(strand.x - x, strand.y - y);
  const at = strands.reduce((best, strand) => (away(strand) < away(best) ? strand : best));
  const half = (0.5 + BEYOND.widths) * (at.width || USUAL) + BEYOND.pixels;
  const [u, v] = [-at.dy * half, at.dx * half];
  return { action: 'cut', points: rounded([at.x - u, at.y - v, at.x + u, at.y + v]), width: GAP };
}

/** Pixels from mark to mark, and how far the first and the last lie from the ends, where other vessels begin. */
const MARKS = 12;

/** The vessel is of this kind, also where it is parted later. */
export function kindCorrection(
  { points, widths, width = USUAL }: MiddleLine,
  kind: KindCorrection['kind'],
): KindCorrection {
  const count = widths.length;
  const step = count > 1 ? Math.hypot(points[2]! - points[0]!, points[3]! - points[1]!) || 1 : 1;
  const end = Math.min(Math.round(width / step), (count - 1) >> 1);
  const every = Math.max(1, Math.round(MARKS / step));
  const marks: number[] = [];
  for (let k = end; k < count - end; k += every) marks.push(points[2 * k]!, points[2 * k + 1]!);
  return { action: 'kind', kind, points: rounded(marks) };
}
