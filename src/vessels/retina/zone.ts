/**
 * Vessels in the zone between half and one disc diameter from the disc's margin, where calibers are compared between
 * eyes (zone B of the ARIC study, Hubbard et al. 1999, also used by Knudtson et al. 2003).
 */
import type { VesselDepths } from './depths.ts';
import { strandsOf, type MiddleLine } from './strands.ts';

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** A piece of one segment inside the zone. */
export interface Section {
  readonly segment: number;
  /** Mean of the measured widths, in pixels. */
  readonly width: number;
  /** Standard error of that mean from the spread of the widths, in pixels. */
  readonly error: number;
  readonly length: number;
  /** Direction of its center as seen from the disc, from +x towards +y, in (-pi, pi]. */
  readonly angle: number;
  /** Range of its distances from the disc's center, in radii of the disc. */
  readonly from: number;
  readonly to: number;
  /** Means over the section. NaN if the photograph was not read. */
  readonly red: number;
  readonly green: number;
}

/** In radii from the center: half a diameter and one diameter from the margin. */
export const ZONE = { from: 2, to: 3 } as const;
/** A section shorter than this share of the disc's radius is a corner cut off by the zone. */
const SHORT = 0.3;
/** Minimum share of points with a width, for a section to have a width. */
const SHARE = 0.4;

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

export function sectionsOf(
  segments: readonly MiddleLine[],
  disc: Circle,
  depths: readonly VesselDepths[] | null = null,
  ring: { readonly from: number; readonly to: number } = ZONE,
): Section[] {
  const sections: Section[] = [];
  const strands = strandsOf(segments).map((strand) => ({
    ...strand,
    away: Math.hypot(strand.x - disc.x, strand.y - disc.y) / disc.radius,
  }));
  const inside = ({ away }: { away: number }) => away >= ring.from && away <= ring.to;
  for (let first = 0; first < strands.length;) {
    if (!inside(strands[first]!)) {
      first++;
      continue;
    }
    const { segment } = strands[first]!;
    let last = first;
    while (last < strands.length && strands[last]!.segment === segment && inside(strands[last]!)) last++;
    const run = strands.slice(first, last);
    first = last;
    const length = run.reduce((s, strand) => s + strand.length, 0);
    const widths = run.map(({ point }) => segments[segment]!.widths[point]!).filter((w) => !Number.isNaN(w));
    if (length < SHORT * disc.radius || !widths.length || widths.length < SHARE * run.length) continue;
    const width = mean(widths);
    const { x, y } = run[run.length >> 1]!;
    const along = (color: 'red' | 'green') => {
      const list = depths?.[segment]?.[color];
      return list ? mean(run.map(({ point }) => list[point]!).filter((v) => !Number.isNaN(v))) : NaN;
    };
    sections.push({
      segment,
      width,
      error: Math.sqrt(mean(widths.map((w) => (w - width) ** 2)) / widths.length),
      length,
      angle: Math.atan2(y - disc.y, x - disc.x),
      from: Math.min(...run.map(({ away }) => away)),
      to: Math.max(...run.map(({ away }) => away)),
      red: along('red'),
      green: along('green'),
    });
  }
  return sections;
}
