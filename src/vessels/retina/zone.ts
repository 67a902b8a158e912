/**
 * Vessels in the zone between half and one disc diameter from the disc's margin, where calibers are compared between
 * eyes (zone B of the ARIC study, Hubbard et al. 1999, also used by Knudtson et al. 2003), and which of them are arteries
 * and veins.
 */
import { type VesselDepths, strandsOf, type MiddleLine } from './strands.ts';

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
  /** Logarithm of the odds of an artery, of the whole segment. NaN if the network cannot resolve it. */
  readonly odds: number;
}

/** In radii from the center: half a diameter and one diameter from the margin. */
export const ZONE = { from: 2, to: 3 } as const;
/** Zones by distance from the margin, in disc diameters: A to half, B from half to one, C from half to two. */
export const ZONES = { A: { from: 1, to: 2 }, B: ZONE, C: { from: 2, to: 5 } } as const;
export type ZoneName = keyof typeof ZONES;
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
      odds: depths?.[segment]?.odds ?? NaN,
    });
  }
  return sections;
}

/**
 * Distinguishes arteries and veins around the disc by the odds of a network. Its level differs between cameras, so the
 * vessels are compared with each other. They form two clusters in one number, after Grisan and Ruggeri 2003, who divide
 * the zone into quarters. Without the network that number is the darkness in red and in green, because the blood in
 * veins contains less oxygen and absorbs more red. Without separated clusters no kinds are returned.
 */

export type VesselKind = 'artery' | 'vein';

export interface Kinds {
  /** Kind of each section. Null for those that were not classified. */
  readonly kinds: readonly (VesselKind | null)[];
  /** Confidence of each section, 0 to 1: 0 halfway between the clusters. */
  readonly sure: readonly number[];
  /** Separation of the clusters, 0 to 1. With the network, the mean of `sure`. 0 without a result. */
  readonly confidence: number;
}

/** Below this share of the maximum width, the darkness of a vessel depends on the blur of the photograph. */
const NARROW = 0.4;
/** Minimum number of sections for two clusters. */
const LEAST = 6;
/**
 * Share of the spread that is between the two clusters (Otsu 1979, eta squared). For one normal cluster cut in two it
 * is 2 / pi if there are many vessels. For n vessels it is above 2 / pi + 0.6 / sqrt(n) in one of ten cases (2000
 * simulations for each n of 6 to 40). The confidence starts there and has its maximum at the second number.
 */
const BETWEEN = { none: (count: number) => 2 / Math.PI + 0.6 / Math.sqrt(count), sure: 0.95 };
const variance = (values: readonly number[]) => {
  const middle = mean(values);
  return mean(values.map((v) => (v - middle) ** 2));
};

/** The threshold with the minimum spread in both parts (Otsu 1979, for few values). */
function border(sorted: readonly number[]): number {
  let [best, least] = [NaN, Infinity];
  for (let k = 2; k <= sorted.length - 2; k++) {
    const parts = [sorted.slice(0, k), sorted.slice(k)];
    const spread = parts.reduce((s, part) => s + part.length * variance(part), 0);
    if (spread < least) [best, least] = [(sorted[k - 1]! + sorted[k]!) / 2, spread];
  }
  return best;
}

/** Below this confidence, fewer than six kinds in ten are expected to be right, and tossing a coin gets five. */
const GUESSED = 0.2;

/** Share of forks whose vessels are of one kind. The others are crossings that look like forks. */
const TOGETHER = 0.88;

type Colored = Pick<Section, 'segment' | 'width' | 'red' | 'green' | 'odds'>;

/**
 * `among`: the vessels that form the clusters, if there are more than those to classify. `forks`: segments that meet, by
 * their indices.
 */
export function kindsOf(
  sections: readonly Colored[],
  among: readonly Colored[] = sections,
  forks: readonly (readonly number[])[] = [],
): Kinds {
  const seen = among.filter(({ odds }) => !Number.isNaN(odds));
  return seen.length < LEAST ? kindsByDarkness(sections, among) : kindsByOdds(sections, seen, forks);
}

const unknown = (sections: readonly Colored[]): Kinds => ({
  kinds: sections.map(() => null),
  sure: sections.map(() => 0),
  confidence: 0,
});

/**
 * Compares each segment with the border between the clusters, and adds the odds of the vessels that fork with it. The
 * confidence of a kind is its probability above one half, on a scale of 0 to 1.
 */
function kindsByOdds(
  sections: readonly Colored[],
  known: readonly Colored[],
  forks: readonly (readonly number[])[],
): Kinds {
  const middle = border(known.map(({ odds }) => odds).sort((a, b) => a - b));
  const own = new Map([...known, ...sections].map(({ segment, odds }) => [segment, odds - middle]));
  const joined = new Map([...own].filter(([, odds]) => !Number.isNaN(odds)));
  for (const fork of forks)
    for (const one of fork) {
      const others = fork
        .flatMap((other) => (other === one ? [] : (own.get(other) ?? [])))
        .filter((v) => !Number.isNaN(v));
      if (!others.length) continue;
      const sum = others.reduce((a, v) => a + v, 0);
      joined.set(one, (joined.get(one) ?? 0) + 2 * Math.atanh((2 * TOGETHER - 1) * Math.tanh(sum / 2)));
    }
  const odds = sections.map(({ segment }) => joined.get(segment) ?? NaN);
  const sure = odds.map((v) => (Number.isNaN(v) ? 0 : Math.tanh(Math.abs(v) / 2)));
  const judged = sure.filter((_, k) => !Number.isNaN(odds[k]!));
  const confidence = judged.length ? mean(judged) : 0;
  if (!(confidence >= GUESSED)) return unknown(sections);
  return { kinds: odds.map((v) => (Number.isNaN(v) ? null : v > 0 ? 'artery' : 'vein')), sure, confidence };
}

function kindsByDarkness(sections: readonly Colored[], among: readonly Colored[]): Kinds {
  const widest = Math.max(...among.map(({ width }) => width));
  const judges = ({ width, red, green }: Colored) => width >= NARROW * widest && !Number.isNaN(red + green);
  const judged = sections.map(judges);
  const known = among.filter(judges);
  if (known.length < LEAST) return unknown(sections);
  const unit = (values: readonly number[]) => Math.sqrt(variance(values)) || 1;
  const [red, green] = [unit(known.map((s) => s.red)), unit(known.map((s) => s.green))];
  const darknessOf = (s: Colored) => s.red / red + s.green / green;
  const darkness = sections.map(darknessOf);
  const sorted = known.map(darknessOf).sort((a, b) => a - b);
  const middle = border(sorted);
  const [light, dark] = [sorted.filter((v) => v < middle), sorted.filter((v) => v >= middle)];
  const [artery, vein] = [mean(light), mean(dark)];
  const within = (light.length * variance(light) + dark.length * variance(dark)) / sorted.length;
  const none = BETWEEN.none(sorted.length);
  const between = 1 - within / variance(sorted);
  const confidence = Math.min(1, Math.max(0, (between - none) / (BETWEEN.sure - none)));
  if (!(confidence > 0)) return unknown(sections);
  return {
    kinds: darkness.map((v, k) => (judged[k] ? (v < middle ? 'artery' : 'vein') : null)),
    sure: darkness.map((v, k) =>
      judged[k] ? Math.min(1, Math.abs(v - middle) / Math.abs((v < middle ? artery : vein) - middle)) : 0,
    ),
    confidence,
  };
}
