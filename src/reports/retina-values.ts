/** Values of a retina under the names of a report, and as the rows of a table. */
import type { ImageScale, VesselResult } from '../results/types.ts';
import { furtherRetinaMeasures, quality, retinaMeasures, type Measure } from './measures.ts';
import { retinaFurther, retinaHeads, type RetinaGroup } from './retina-names.ts';
import { vesselSummary, type Side, type VesselReport } from './report.ts';
import { rounded, unitOf, type Unit } from './units.ts';

type Caliber = {
  readonly pixels: number;
  readonly micrometres: number | null;
  readonly vessels?: number;
  readonly spread?: number;
} | null;
type Quarters = { readonly [K in 'superior' | 'inferior' | 'nasal' | 'temporal']: number | null } | null;

interface ZoneWidth {
  readonly meanWidth: number | null;
  readonly meanWidthMicrometres: number | null;
}

interface Tortuosity {
  readonly arcOverChord: number | null;
  /** Radians per pixel. */
  readonly curvature?: number | null;
}

/** The result of `retinalMeasures`. Lists of single vessels and forks are in the exports of vessels, not in a report. */
export interface RetinaInput {
  readonly disc: {
    readonly x: number;
    readonly y: number;
    readonly radius: number;
    readonly confidence?: number | null;
  } | null;
  readonly fovea: { readonly x: number; readonly y: number } | null;
  /** The eye, derived from the position of the fovea. */
  readonly eye?: Side | null;
  readonly micrometresPerPixel?: number | null;
  readonly zone: {
    readonly formula?: string;
    readonly crae: Caliber;
    readonly crve: Caliber;
    readonly avr: number | null;
    readonly hubbard?: { readonly crae: Caliber; readonly crve: Caliber; readonly avr: number | null } | null;
    readonly meanWidth?: Caliber;
    readonly confidence?: number;
    readonly seen?: number;
  } | null;
  readonly zones?: { readonly [K in 'A' | 'B' | 'C']: ZoneWidth } | null;
  readonly tortuosity: Tortuosity & { readonly kinds?: { readonly [K in 'artery' | 'vein']: Tortuosity } | null };
  readonly fractal: { readonly dimension: number; readonly error?: number } | null;
  readonly branching: { readonly [K in 'angle' | 'areaRatio' | 'asymmetry' | 'exponent']: number | null } & {
    readonly forks?: readonly object[];
  };
  readonly density: { readonly disc: Quarters; readonly fovea: Quarters };
  readonly warnings?: readonly string[];
}

/** Values of retinalMeasures under the names of a report. */
export function retinaValues(retina: RetinaInput, scale: ImageScale | null, unit: 'px' | 'um'): Partial<VesselReport> {
  const { disc, fovea, zone, zones, tortuosity, fractal, branching, density } = retina;
  const perPixel = unit === 'um' ? scale!.micrometresPerPixel : 1;
  const length = (caliber: Caliber | undefined) => (unit === 'um' ? caliber?.micrometres : caliber?.pixels) ?? null;
  const percent = (place: 'disc' | 'fovea') =>
    Object.entries(density[place] ?? {}).map(([quarter, share]) => [
      `${place}Density${quarter[0]!.toUpperCase()}${quarter.slice(1)}`,
      share === null ? null : 100 * share,
    ]);
  const caliber = (name: 'crae' | 'crve') => {
    const { vessels = null, spread = null } = zone?.[name] ?? {};
    return vessels === null ? {} : { [`${name}Vessels`]: vessels, [`${name}Spread`]: spread && spread * perPixel };
  };
  // Radians per millimeter, or per pixel.
  const turns = (curvature: number | null = null) =>
    curvature !== null && unit === 'um' ? (1000 * curvature) / perPixel : curvature;
  const zoneWidth = ({ meanWidth, meanWidthMicrometres }: ZoneWidth) =>
    unit === 'um' ? meanWidthMicrometres : meanWidth;
  const { kinds, curvature } = tortuosity;
  return {
    ...{ crae: length(zone?.crae), crve: length(zone?.crve), avr: zone?.avr ?? null },
    ...caliber('crae'),
    ...caliber('crve'),
    ...(zone?.hubbard &&
      unit === 'um' && {
        ...{ craeHubbard: length(zone.hubbard.crae), crveHubbard: length(zone.hubbard.crve) },
        avrHubbard: zone.hubbard.avr,
      }),
    ...(zone?.meanWidth && { zoneMeanWidth: length(zone.meanWidth) }),
    ...(zone?.seen !== undefined && { zoneSeen: zone.seen }),
    ...(zone?.confidence !== undefined && { kindsConfidence: zone.confidence }),
    ...{ tortuosity: tortuosity.arcOverChord, fractalDimension: fractal?.dimension ?? null },
    ...(curvature !== undefined && { curvature: turns(curvature) }),
    ...(kinds && {
      ...{ arteryTortuosity: kinds.artery.arcOverChord, veinTortuosity: kinds.vein.arcOverChord },
      ...{ arteryCurvature: turns(kinds.artery.curvature), veinCurvature: turns(kinds.vein.curvature) },
    }),
    ...(zones && { zoneAWidth: zoneWidth(zones.A), zoneBWidth: zoneWidth(zones.B), zoneCWidth: zoneWidth(zones.C) }),
    ...(fractal?.error !== undefined && { fractalError: fractal.error }),
    ...(branching.forks && { forks: branching.forks.length }),
    ...{ branchingAngle: branching.angle, branchingAreaRatio: branching.areaRatio },
    ...{ branchingAsymmetry: branching.asymmetry, branchingExponent: branching.exponent },
    ...Object.fromEntries([...percent('disc'), ...percent('fovea')]),
    ...(disc && { discX: disc.x, discY: disc.y, discRadius: disc.radius, discConfidence: disc.confidence ?? null }),
    ...(fovea && { foveaX: fovea.x, foveaY: fovea.y }),
  };
}

/** One measure of a photograph. */
export interface RetinaRow {
  readonly name: string;
  readonly measure: Measure;
  readonly group: RetinaGroup;
  /** One of the measures that a reader looks at first. */
  readonly head: boolean;
  /** Rounded as in a report. Null: not known. */
  readonly value: number | null;
  readonly unit: Unit;
}

const all: Readonly<Record<string, Measure>> = { ...retinaMeasures, ...furtherRetinaMeasures, quality };

/** Every measure of a photograph, in the order of its groups. `unit`: of lengths. */
export function retinaRows(result: VesselResult, retina: RetinaInput | null, unit: 'px' | 'um'): RetinaRow[] {
  const values: Readonly<Record<string, number | null | undefined>> = {
    ...vesselSummary(result, unit),
    ...(retina && retinaValues(retina, result.scale ?? null, unit)),
    quality: result.confidence,
  };
  return (Object.keys(retinaHeads) as RetinaGroup[]).flatMap((group) =>
    [retinaHeads, retinaFurther].flatMap((names) =>
      Object.keys(names[group]).flatMap((name): RetinaRow[] => {
        if (name === 'agreement' && !result.quality) return []; // only the network knows it
        const measure = all[name]!;
        const own = unitOf(measure.quantity, unit);
        const value = values[name] ?? null;
        return [
          {
            ...{ name, measure, group, head: names === retinaHeads, unit: own },
            value: value === null ? null : rounded(value, own),
          },
        ];
      }),
    ),
  );
}
