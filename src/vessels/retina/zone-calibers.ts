/**
 * Calibers of the zone: the equivalents at rings through it, computed from the vessels that cross each ring. A vessel
 * that forks in the zone counts as its trunk at the inner rings and as its branches at the outer ones, never as both.
 * The result is the median over the rings.
 */
import { median } from '../../image/numbers.ts';
import { kindsOf, type Kinds, type VesselKind, sectionsOf, ZONE, type Circle, type Section } from './zone.ts';
import type { VesselDepths, MiddleLine } from './strands.ts';

// Central retinal artery and vein equivalents by the revised formulas: Knudtson, Lee, Hubbard, Wong, Klein and Klein,
// "Revised formulas for summarizing retinal vessel diameters", Current Eye Research 27 (2003). Of the six largest
// vessels, the largest is combined with the smallest, the next largest with the next smallest. A remaining one is kept
// for the next round. This repeats until one is left.

/** Width of a trunk divided by the square root of the sum of its branches' squared widths. */
const COEFFICIENTS = { artery: 0.88, vein: 0.95 } as const;
/** Number of vessels in the formulas. */
const LARGEST = 6;

/** Joins the largest with the smallest, the next with the next, until one is left. NaN without widths. */
function joinedPairs(widths: readonly number[], join: (smaller: number, larger: number) => number): number {
  let left = [...widths].sort((a, b) => b - a);
  while (left.length > 1) {
    const joined: number[] = [];
    for (let k = 0; k < left.length >> 1; k++) joined.push(join(left[left.length - 1 - k]!, left[k]!));
    if (left.length % 2) joined.push(left[left.length >> 1]!);
    left = joined.sort((a, b) => b - a);
  }
  return left[0] ?? NaN;
}

/** Equivalent of the six largest, in the unit of `widths`. NaN without widths. */
export const equivalent = (widths: readonly number[], kind: VesselKind): number =>
  joinedPairs([...widths].sort((a, b) => b - a).slice(0, LARGEST), (a, b) => COEFFICIENTS[kind] * Math.hypot(a, b));

// The earlier formulas, which population studies before 2003 report: Parr and Spears, Am J Ophthalmol 77 (1974), for
// arterioles, and Hubbard et al., Ophthalmology 106 (1999), for venules. They use every vessel of 25 um or more and hold
// for micrometers only.

const PARR_HUBBARD = {
  artery: (a: number, b: number) => Math.sqrt(Math.max(0, 0.87 * a * a + 1.01 * b * b - 0.22 * a * b - 10.76)),
  vein: (a: number, b: number) => Math.sqrt(0.72 * a * a + 0.91 * b * b + 450.05),
} as const;
const THINNEST = 25;

/** Equivalent by the formulas of Parr and Hubbard, of widths in micrometers. NaN without widths. */
export const hubbardEquivalent = (widths: readonly number[], kind: VesselKind): number =>
  joinedPairs(
    widths.filter((width) => width >= THINNEST),
    PARR_HUBBARD[kind],
  );

interface Caliber {
  /** In pixels. */
  readonly pixels: number;
  /** Null if the scale is not known. */
  readonly micrometres: number | null;
  /** Number of vessels used: six, or fewer if there are not enough (median over the rings). */
  readonly vessels: number;
  /**
   * Half the interquartile range over the rings, in pixels. It shows how much the value depends on the position in the
   * zone.
   */
  readonly spread: number;
}

interface ZoneVessel extends Pick<Section, 'segment' | 'width' | 'error' | 'angle'> {
  readonly kind: VesselKind | null;
  /** Confidence of this kind of vessel, 0 to 1. */
  readonly confidence: number;
}

export interface ZoneCalibers {
  /** Formulas of `crae` and `crve`. */
  readonly formula: 'Knudtson 2003';
  /**
   * Central retinal artery and vein equivalents. Null if they cannot be measured, with a warning that contains the
   * reason.
   */
  readonly crae: Caliber | null;
  readonly crve: Caliber | null;
  /** Arteries divided by veins. */
  readonly avr: number | null;
  /** Equivalents by the earlier formulas. Null if the scale is not known, because they hold for micrometers only. */
  readonly hubbard: {
    readonly formula: 'Parr 1974, Hubbard 1999';
    readonly crae: Caliber | null;
    readonly crve: Caliber | null;
    readonly avr: number | null;
  } | null;
  /** Separation of arteries and veins, 0 to 1. 0: none. 1 if the caller named the kinds. */
  readonly confidence: number;
  /** 'both': arteries and veins were not distinguished, and `meanWidth` includes both. */
  readonly kinds: 'apart' | 'both';
  /** Mean width of the widest twelve vessels of the zone, of any kind. Null without vessels. */
  readonly meanWidth: Caliber | null;
  /** Share of the zone inside the field of view. */
  readonly seen: number;
  readonly vessels: readonly ZoneVessel[];
}

const RINGS = 9;
/**
 * In radii of the disc: arteries and veins of the zone are compared with all vessels in this range, outside the disc
 * itself.
 */
const COMPARED = { from: 1.5, to: 5 };
/**
 * Minimum number of vessels per kind for an equivalent. Three trunks that fork behind the zone are common, and the
 * coefficients are those by which six branches make three trunks.
 */
const LEAST = 3;
/** Minimum share of the zone in the field of view for an equivalent, and for a result without a warning. */
const SEEN = { none: 0.4, warn: 0.9 };

const names = { artery: ['CRAE', 'arteries'], vein: ['CRVE', 'veins'] } as const;

/** Applies `value` to the widths that cross each ring. Null if fewer than `least` cross it. */
function over(
  sections: readonly Section[],
  largest: number,
  least: number,
  micrometresPerPixel: number,
  value: (widths: number[]) => number,
): Caliber | null {
  const found: { value: number; count: number }[] = [];
  for (let k = 0; k < RINGS; k++) {
    const ring = ZONE.from + ((k + 0.5) / RINGS) * (ZONE.to - ZONE.from);
    const widths = sections.filter(({ from, to }) => from <= ring && ring <= to).map(({ width }) => width);
    const taken = widths.sort((a, b) => b - a).slice(0, largest);
    if (taken.length >= least) found.push({ value: value(taken), count: taken.length });
  }
  if (2 * found.length < RINGS) return null;
  const values = found.map((ring) => ring.value).sort((a, b) => a - b);
  const pixels = median(values);
  return {
    pixels,
    micrometres: micrometresPerPixel > 0 ? pixels * micrometresPerPixel : null,
    vessels: median(found.map(({ count }) => count)),
    spread: (values[Math.floor(0.75 * (values.length - 1))]! - values[Math.ceil(0.25 * (values.length - 1))]!) / 2,
  };
}

/** Inputs of the zone measurement in addition to the vessels. */
interface ZoneGiven {
  readonly disc: Circle;
  /** Share of the zone inside the field of view. */
  readonly seen: number;
  /** Depths of every segment, from engine.opticDisc. */
  readonly depths: readonly VesselDepths[] | null;
  /** Known kind of every segment, used unchanged. */
  readonly kinds: readonly (VesselKind | null)[] | null;
  /** Segments that meet at a fork, by their indices. */
  readonly forks: readonly (readonly number[])[];
  /** Manual kind of every segment. Null: unchanged. */
  readonly corrected?: readonly (VesselKind | 'unknown' | null)[] | null;
  /** 0 if the scale is not known. */
  readonly micrometresPerPixel: number;
}

/** For each vessel, a manual kind overrides the kind derived from colors. */
function withCorrected(judged: Kinds, sections: readonly Section[], corrected: ZoneGiven['corrected']): Kinds {
  const said = sections.map(({ segment }) => corrected?.[segment] ?? null);
  const kinds = said.map((kind, k) => (kind === 'unknown' ? null : (kind ?? judged.kinds[k]!)));
  const known = said.some((kind) => kind === 'artery' || kind === 'vein');
  return {
    kinds,
    sure: said.map((kind, k) => (kind ? Number(kind !== 'unknown') : judged.sure[k]! * judged.confidence)),
    confidence: judged.confidence || Number(known),
  };
}

export function zoneCalibers(
  segments: readonly MiddleLine[],
  { disc, seen, depths, kinds: said, forks, corrected, micrometresPerPixel }: ZoneGiven,
  warnings: string[],
): ZoneCalibers {
  const sections = sectionsOf(segments, disc, depths);
  const found = said
    ? { kinds: sections.map(({ segment }) => said[segment] ?? null), sure: sections.map(() => 1), confidence: 1 }
    : kindsOf(sections, sectionsOf(segments, disc, depths, COMPARED), forks);
  const judged = withCorrected(found, sections, corrected);
  const apart = judged.confidence > 0;
  const enough = seen >= SEEN.none;
  if (!apart)
    warnings.push(
      depths || said
        ? 'Arteries and veins cannot be distinguished in this photograph. CRAE, CRVE and AVR are not measured, and the mean width includes both.'
        : 'Without the colors along the vessels (engine.opticDisc), arteries and veins cannot be distinguished. CRAE, CRVE and AVR are not measured, and the mean width includes both.',
    );
  if (!enough)
    warnings.push(
      `Only ${Math.round(100 * seen)} % of the zone around the disc is in the field of view. CRAE, CRVE and AVR are not measured.`,
    );
  else if (seen < SEEN.warn)
    warnings.push(
      `${Math.round(100 * seen)} % of the zone around the disc is in the field of view. CRAE, CRVE and AVR exclude vessels outside of it.`,
    );
  const of = (kind: VesselKind): Caliber | null => {
    if (!apart || !enough) return null;
    const own = sections.filter((_, k) => judged.kinds[k] === kind);
    const found = over(own, LARGEST, LEAST, micrometresPerPixel, (widths) => equivalent(widths, kind));
    const [name, plural] = names[kind];
    if (!found) warnings.push(`Fewer than ${LEAST} ${plural} in the zone have a width. ${name} is not measured.`);
    else if (found.vessels < LARGEST)
      warnings.push(`${name} uses ${found.vessels} ${plural}. The formulas use ${LARGEST}.`);
    return found;
  };
  const [crae, crve] = [of('artery'), of('vein')];
  const earlier = (kind: VesselKind): Caliber | null => {
    const wide = sections.filter((one, k) => judged.kinds[k] === kind && one.width * micrometresPerPixel >= THINNEST);
    return over(wide, Infinity, LEAST, micrometresPerPixel, (widths) => {
      const inMicrometres = widths.map((width) => width * micrometresPerPixel);
      return hubbardEquivalent(inMicrometres, kind) / micrometresPerPixel;
    });
  };
  const [arteries, veins] = micrometresPerPixel ? [crae && earlier('artery'), crve && earlier('vein')] : [null, null];
  return {
    formula: 'Knudtson 2003',
    crae,
    crve,
    avr: crae && crve ? crae.pixels / crve.pixels : null,
    hubbard: micrometresPerPixel
      ? {
          formula: 'Parr 1974, Hubbard 1999',
          ...{ crae: arteries, crve: veins, avr: arteries && veins ? arteries.pixels / veins.pixels : null },
        }
      : null,
    confidence: judged.confidence,
    kinds: apart ? 'apart' : 'both',
    meanWidth: over(
      sections,
      2 * LARGEST,
      1,
      micrometresPerPixel,
      (widths) => widths.reduce((a, b) => a + b, 0) / widths.length,
    ),
    seen,
    vessels: sections.map(({ segment, width, error, angle }, k) => ({
      segment,
      width,
      error,
      angle,
      kind: judged.kinds[k]!,
      confidence: judged.sure[k]!,
    })),
  };
}
