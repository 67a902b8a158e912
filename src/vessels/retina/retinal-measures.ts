/**
 * Measures of retinal vessels used in ophthalmology, from the result of engine.vessels and the position of the disc.
 */
import { FoveolaError } from '../../runtime/error.ts';
import type { VesselResult } from '../../results/types.ts';
import {
  forksOf,
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
import type { VesselDepths } from './strands.ts';
import { type VesselKind, ZONE, type Circle } from './zone.ts';
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

export interface RetinalMeasures {
  disc: (Circle & { readonly confidence: number | null }) | null;
  fovea: { readonly x: number; readonly y: number } | null;
  /** Derived from the position of the fovea in a photograph that is not mirrored. Null without a fovea. */
  eye: 'left' | 'right' | null;
  micrometresPerPixel: number | null;
  /** Calibers in the zone from half to one disc diameter from the disc's margin. Null without a disc. */
  zone: ZoneCalibers | null;
  /** Summary of all segments, and the tortuosity of each in their order. */
  tortuosity: TortuositySummary & { readonly list: readonly Tortuosity[] };
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

/**
 * Calibers beside the optic disc (CRAE, CRVE, AVR), tortuosity, fractal dimension, forks and density, from the result
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
  const { list, summary } = tortuosities(segments);
  const forks = forksOf(branchPoints, segments);
  const exponents = forks.flatMap(({ exponent }) => (exponent === null ? [] : [exponent]));
  const around = (place: { x: number; y: number } | null, ring: readonly [number, number]) =>
    disc && place ? quadrantsOf(mask, fieldOfView, { ...place, radius: disc.radius }, ring, temporal) : null;
  return {
    disc: disc && { x: disc.x, y: disc.y, radius: disc.radius, confidence: disc.confidence ?? null },
    fovea: fovea && { x: fovea.x, y: fovea.y },
    eye: temporal ? (temporal > 0 ? 'left' : 'right') : null,
    micrometresPerPixel: micrometresPerPixel || null,
    zone:
      disc &&
      zoneCalibers(
        segments,
        { disc, seen: seenOf(fieldOfView, disc), depths, kinds, corrected, micrometresPerPixel },
        warnings,
      ),
    tortuosity: { ...summary, list },
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
