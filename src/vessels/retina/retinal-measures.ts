/**
 * Measures of retinal vessels used in ophthalmology, from the result of engine.vessels and the position of the disc.
 */
import { FoveolaError } from '../../runtime/error.ts';
import type { VesselResult } from '../../results/types.ts';
import {
  forksOf,
  meetingsOf,
  type Fork,
  AROUND,
  quadrantsOf,
  type Quadrants,
  fractalDimension,
  type FractalDimension,
  tortuosities,
  type Tortuosity,
  type TortuositySummary,
} from './shape-measures.ts';
import type { MiddleLine, VesselDepths } from './strands.ts';
import { sectionsOf, type VesselKind, ZONE, ZONES, type Circle, type ZoneName } from './zone.ts';
import { zoneCalibers, type ZoneCalibers } from './zone-calibers.ts';

export interface RetinalOptions {
  /** Result of engine.opticDisc, or marked manually, in pixels. Without it, measures that need the disc are null. */
  disc?: (Circle & { readonly confidence?: number }) | null;
  fovea?: { readonly x: number; readonly y: number } | null;
  /** From engine.opticDisc. They are needed to distinguish arteries and veins. */
  depths?: readonly VesselDepths[] | null;
  /** Known kind of each segment. It replaces the classification by color. */
  kinds?: readonly (VesselKind | null)[] | null;
  /** Manual kind of each segment. Null if `kinds` or the colors decide. */
  corrected?: readonly (VesselKind | 'unknown' | null)[] | null;
  /** Replaces the scale in the result of the vessels. */
  micrometresPerPixel?: number;
  /** Initial warnings from engine.opticDisc, so that its whole result can be passed as options. */
  warnings?: readonly string[];
}

/** Vessels between two distances from the disc. */
export interface ZoneSummary {
  /** In radii of the disc, from its center. */
  readonly from: number;
  readonly to: number;
  /** Number of pieces of vessels with a width. */
  readonly sections: number;
  /** Mean width weighted by length, in pixels, and in micrometers if the scale is known. Null without vessels. */
  readonly meanWidth: number | null;
  readonly meanWidthMicrometres: number | null;
}

export interface KindTortuosity extends TortuositySummary {
  /** `curvature` in radians per millimeter. Null if the scale is not known. */
  readonly curvaturePerMillimetre: number | null;
}

export interface RetinalMeasures {
  disc: (Circle & { readonly confidence: number | null }) | null;
  fovea: { readonly x: number; readonly y: number } | null;
  /** Derived from the position of the fovea in a photograph that is not mirrored. Null without a fovea. */
  eye: 'left' | 'right' | null;
  micrometresPerPixel: number | null;
  /** Calibers in the zone from half to one disc diameter from the disc's margin. Null without a disc. */
  zone: ZoneCalibers | null;
  /** The zones of the ARIC study by distance from the disc. Null without a disc. */
  zones: Readonly<Record<ZoneName, ZoneSummary>> | null;
  /** Summary of all segments, and the tortuosity of each in their order. */
  tortuosity: KindTortuosity & {
    readonly list: readonly Tortuosity[];
    /** Tortuosity of the arteries and of the veins in the zone. Null if they were not distinguished. */
    readonly kinds: Readonly<Record<VesselKind, KindTortuosity>> | null;
  };
  fractal: FractalDimension | null;
  /** Medians over the forks. Null without forks. `exponents`: number of forks that have one. */
  branching: {
    readonly angle: number | null;
    readonly areaRatio: number | null;
    readonly asymmetry: number | null;
    readonly exponent: number | null;
    readonly exponents: number;
    readonly forks: readonly Fork[];
  };
  /** Share of the retina that vessels cover, by quarters. Null without a disc or a fovea. */
  density: { readonly disc: Quadrants | null; readonly fovea: Quadrants | null };
  warnings: string[];
}

const bad = (message: string) => new FoveolaError('invalid-argument', `retinalMeasures: ${message}`);
const finite = (...values: unknown[]) => values.every((v) => typeof v === 'number' && Number.isFinite(v));

function check({ segments, branchPoints, skeleton }: VesselResult, options: RetinalOptions): void {
  if (!segments || !branchPoints || !skeleton)
    throw bad('the result has no segments. Call engine.vessels with measures: true.');
  const { disc, fovea, depths, kinds, corrected, micrometresPerPixel = 0 } = options;
  if (disc && !(finite(disc.x, disc.y, disc.radius) && disc.radius > 0))
    throw bad('disc must have x, y and a radius above 0 in pixels, or be null.');
  if (fovea && !finite(fovea.x, fovea.y)) throw bad('fovea must have x and y in pixels, or be null.');
  for (const [name, list] of Object.entries({ depths, kinds, corrected }))
    if (list && list.length !== segments.length)
      throw bad(`${name} must have one entry for each of the ${segments.length} segments, not ${list.length}.`);
  if (!finite(micrometresPerPixel) || micrometresPerPixel < 0 || micrometresPerPixel > 1000)
    throw bad('micrometresPerPixel must be a number from 0 (not known) to 1000.');
}

const middle = (values: readonly number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length ? (sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2) : null;
};

/** Share of the zone inside the field of view. */
function seenOf({ width, height, data }: VesselResult['fieldOfView'], { x, y, radius }: Circle): number {
  let [all, seen] = [0, 0];
  for (let a = 0; a < 360; a++)
    for (let k = 0; k < 5; k++) {
      const away = radius * (ZONE.from + (k / 4) * (ZONE.to - ZONE.from));
      const [u, v] = [
        Math.round(x + away * Math.cos((a * Math.PI) / 180)),
        Math.round(y + away * Math.sin((a * Math.PI) / 180)),
      ];
      all++;
      if (u >= 0 && v >= 0 && u < width && v < height && data[v * width + u]) seen++;
    }
  return seen / all;
}

function zonesOf(segments: readonly MiddleLine[], disc: Circle, micrometresPerPixel: number) {
  const of = (ring: (typeof ZONES)[ZoneName]): ZoneSummary => {
    const sections = sectionsOf(segments, disc, null, ring);
    const length = sections.reduce((sum, one) => sum + one.length, 0);
    const meanWidth = length ? sections.reduce((sum, one) => sum + one.width * one.length, 0) / length : null;
    const meanWidthMicrometres = meanWidth && micrometresPerPixel ? meanWidth * micrometresPerPixel : null;
    return { ...ring, sections: sections.length, meanWidth, meanWidthMicrometres };
  };
  return { A: of(ZONES.A), B: of(ZONES.B), C: of(ZONES.C) };
}

function kindTortuosity(segments: readonly MiddleLine[], micrometresPerPixel: number) {
  const { list, summary } = tortuosities(segments);
  const { curvature } = summary;
  const known = curvature !== null && micrometresPerPixel > 0;
  const curvaturePerMillimetre = known ? (1000 * curvature) / micrometresPerPixel : null;
  return { list, summary: { ...summary, curvaturePerMillimetre } };
}

/** Tortuosity of the segments in the zone that are known as arteries or veins. */
function tortuosityByKind(segments: readonly MiddleLine[], zone: ZoneCalibers | null, micrometresPerPixel: number) {
  if (zone?.kinds !== 'apart') return null;
  const of = (kind: VesselKind) => {
    const own = new Set(zone.vessels.filter((vessel) => vessel.kind === kind).map(({ segment }) => segment));
    return kindTortuosity(
      segments.filter((_, i) => own.has(i)),
      micrometresPerPixel,
    ).summary;
  };
  return { artery: of('artery'), vein: of('vein') };
}

/**
 * Calibers next to the optic disc (CRAE, CRVE, AVR), tortuosity, fractal dimension, forks and density, from the result
 * of `engine.vessels` with `measures: true`. Pass the result of `engine.opticDisc` as options. Lengths are in pixels of
 * the photograph, and in micrometers if the scale is known. Angles are in radians, densities are shares of 1. Measures
 * that need a missing disc or fovea are null, with a warning. Sources are in docs/retinal-measures.md.
 * @throws {FoveolaError} 'invalid-argument' for a result without segments, or options that do not fit it
 */
export function retinalMeasures(vessels: VesselResult, options: RetinalOptions = {}): RetinalMeasures {
  check(vessels, options);
  const { mask, fieldOfView, scale } = vessels;
  const [segments, branchPoints] = [vessels.segments!, vessels.branchPoints!];
  const { disc = null, fovea = null, depths = null, kinds = null, corrected = null } = options;
  const micrometresPerPixel = options.micrometresPerPixel || scale?.micrometresPerPixel || 0;
  const warnings = [...(options.warnings ?? [])];
  if (!disc) warnings.push('Without an optic disc, CRAE, CRVE, AVR and the densities by quadrant are not measured.');
  else if (!fovea) warnings.push('Without a fovea, nasal and temporal densities are not measured.');
  const temporal = disc && fovea ? (fovea.x > disc.x ? 1 : -1) : 0;
  const area = fieldOfView.data.reduce((s, v) => s + (v ? 1 : 0), 0);
  const { list, summary } = kindTortuosity(segments, micrometresPerPixel);
  const forks = forksOf(branchPoints, segments);
  const exponents = forks.flatMap(({ exponent }) => (exponent === null ? [] : [exponent]));
  const around = (place: { x: number; y: number } | null, ring: readonly [number, number]) =>
    disc && place ? quadrantsOf(mask, fieldOfView, { ...place, radius: disc.radius }, ring, temporal) : null;
  const meeting = meetingsOf(branchPoints, segments).map(({ ends }) => ends.map(({ index }) => index));
  const zoneGiven = { depths, kinds, forks: meeting, corrected, micrometresPerPixel };
  const zone = disc && zoneCalibers(segments, { ...zoneGiven, disc, seen: seenOf(fieldOfView, disc) }, warnings);
  return {
    disc: disc && { x: disc.x, y: disc.y, radius: disc.radius, confidence: disc.confidence ?? null },
    fovea: fovea && { x: fovea.x, y: fovea.y },
    eye: temporal ? (temporal > 0 ? 'left' : 'right') : null,
    micrometresPerPixel: micrometresPerPixel || null,
    zone,
    zones: disc && zonesOf(segments, disc, micrometresPerPixel),
    tortuosity: { ...summary, list, kinds: tortuosityByKind(segments, zone, micrometresPerPixel) },
    fractal: fractalDimension(
      segments.map(({ points }) => points),
      Math.sqrt((4 * area) / Math.PI),
    ),
    branching: {
      angle: middle(forks.map(({ angle }) => angle)),
      areaRatio: middle(forks.map(({ areaRatio }) => areaRatio)),
      asymmetry: middle(forks.map(({ asymmetry }) => asymmetry)),
      exponent: middle(exponents),
      exponents: exponents.length,
      forks,
    },
    density: { disc: around(disc, AROUND.disc), fovea: around(fovea, AROUND.fovea) },
    warnings,
  };
}
