/**
 * A report as groups of values, each with its code, unit and body site. FHIR, DICOM and HTML iterate over it. The codes
 * with their definitions are also a FHIR CodeSystem.
 */
import {
  blinkMeasures,
  furtherReflexMeasures,
  furtherRetinaMeasures,
  quality,
  reflexMeasures,
  retinaMeasures,
  seriesMeasures,
  type Measure,
  allMeasures,
} from './measures.ts';
import {
  unitOf,
  type LengthUnit,
  type Unit,
  type EyeReport,
  type ReflexReport,
  type Report,
  type Side,
} from './report.ts';
import { version } from '../results/version.ts';
import type { FhirCodeSystem } from './fhir-types.ts';

// Our codes that do not have a number: types of groups and reports.

export const panels = {
  reflex: {
    code: 'pupil-light-reflex',
    display: 'Pupil light reflex',
    definition: 'Reaction of a pupil to a flash of light, measured in a video.',
  },
  series: {
    code: 'pupil-series',
    display: 'Pupil diameter over time',
    definition: 'Summary of the diameter of a pupil during a recording.',
  },
  blinks: {
    code: 'blink-summary',
    display: 'Blinks',
    definition: 'Summary of the blinks of an eye during a recording.',
  },
  retina: {
    code: 'retinal-vessels',
    display: 'Retinal vessels',
    definition: 'Measures of the vessels in a photograph of the retina.',
  },
  pupilReport: { code: 'pupil-report', display: 'Pupillometry report', definition: 'Report of a pupil test by video.' },
  retinaReport: {
    code: 'retinal-vessel-report',
    display: 'Retinal vessel report',
    definition: 'Report of the vessels in a photograph of the retina.',
  },
  camera: { code: 'camera', display: 'Camera', definition: 'What took the recording or the photograph.' },
  researchUse: {
    code: 'research-use',
    display: 'For research use, not a medical device.',
    definition: 'What was measured by software for research, which is no medical device.',
  },
} as const;

export interface GroupValue {
  readonly measure: Measure;
  readonly unit: Unit;
  /** Not rounded. Null if it is not known. */
  readonly value: number | null;
}

export interface Group {
  readonly panel: 'reflex' | 'series' | 'blinks' | 'retina';
  readonly title: string;
  readonly laterality: Side | null;
  readonly values: readonly GroupValue[];
  /** Onset of the stimulus, ms after the start of the series. Null without a stimulus. */
  readonly onset: number | null;
  readonly stimulus: string | null;
  readonly warnings: readonly string[];
}

function valuesOf<K extends string>(
  measures: Readonly<Record<K, Measure>>,
  values: Readonly<Record<NoInfer<K>, number | null>>,
  length: LengthUnit,
): GroupValue[] {
  return (Object.keys(measures) as K[]).map((name) => ({
    measure: measures[name],
    unit: unitOf(measures[name].quantity, length),
    value: values[name],
  }));
}

const withQuality = (values: GroupValue[], value: number | null): GroupValue[] =>
  value === null ? values : [...values, { measure: quality, unit: unitOf(quality.quantity, 'px'), value }];

/** Values that were measured: undefined means not requested, null means not found. */
const furtherOf = (reflex: ReflexReport, unit: LengthUnit): GroupValue[] => {
  const { latencyLow = null, latencyHigh = null, maximum = null, peakDilationVelocity = null, pipr = null } = reflex;
  const values = { latencyLow, latencyHigh, maximum, peakDilationVelocity, pipr };
  const given = valuesOf(furtherReflexMeasures, values, unit);
  const names = Object.keys(furtherReflexMeasures) as (keyof typeof furtherReflexMeasures)[];
  return given.filter((_, i) => reflex[names[i]!] !== undefined);
};

const none = { onset: null, stimulus: null, warnings: [] } as const;

export const sideOf = ({ eye }: EyeReport): Side | null => (eye === 'unknown' ? null : eye);

function eyeGroups(eye: EyeReport, unit: LengthUnit): Group[] {
  const { reflexes, summary, blinkSummary } = eye;
  const laterality = sideOf(eye);
  const groups: Group[] = reflexes.map((reflex, i) => ({
    panel: 'reflex',
    title: panels.reflex.display + (reflexes.length > 1 ? `, stimulus ${i + 1}` : ''),
    laterality,
    values: withQuality([...valuesOf(reflexMeasures, reflex, unit), ...furtherOf(reflex, unit)], reflex.quality),
    onset: reflex.onset,
    stimulus: reflex.stimulus,
    warnings: reflex.warnings,
  }));
  const common = { laterality, ...none };
  if (summary)
    groups.push({
      panel: 'series',
      title: panels.series.display,
      values: valuesOf(seriesMeasures, summary, unit),
      ...common,
      warnings: eye.series?.warnings ?? [],
    });
  if (blinkSummary) {
    const { closures = null } = blinkSummary;
    const values = valuesOf(blinkMeasures, { ...blinkSummary, closures }, unit);
    groups.push({
      panel: 'blinks',
      title: panels.blinks.display,
      values: values.filter(({ measure, value }) => measure !== blinkMeasures.closures || value !== null),
      ...common,
    });
  }
  return groups;
}

/** Measures of the retina that were not requested are left out, because they are not failures. */
export function groupsOf(report: Report): Group[] {
  if (report.kind === 'pupil') return report.eyes.flatMap((eye) => eyeGroups(eye, report.unit));
  const all = { ...retinaMeasures, ...furtherRetinaMeasures };
  const given = Object.fromEntries(
    (Object.keys(all) as (keyof typeof all)[]).map((name) => [name, report.vessels[name] ?? null]),
  ) as Record<keyof typeof all, number | null>;
  const values = valuesOf(all, given, report.unit).filter(({ value }) => value !== null);
  return [
    {
      panel: 'retina',
      title: panels.retina.display,
      laterality: report.laterality,
      values: withQuality(values, report.quality),
      ...none,
    },
  ];
}

/** Our own codes, for concepts without a code in LOINC, SNOMED CT and DICOM or without one that could be looked up. */

/** Base address of our identifiers. It does not have to exist as a page. */
export const canonical = 'https://github.com/foveola/foveola/fhir';
export const codeSystem = `${canonical}/CodeSystem/measures`;

/**
 * All codes with their definitions as a FHIR CodeSystem, for a server that needs the meaning of the codes it receives.
 */
export function foveolaCodeSystem(): FhirCodeSystem {
  const concept = [...Object.values(panels), ...allMeasures].map(({ code, display, definition }) => ({
    ...{ code, display, definition },
  }));
  return {
    resourceType: 'CodeSystem',
    id: 'foveola-measures',
    url: codeSystem,
    version,
    name: 'FoveolaMeasures',
    title: 'Measures of foveola',
    status: 'active',
    experimental: true,
    description:
      'Values that foveola measures in recordings of pupils and in photographs of the retina. For research use, not a medical device.',
    caseSensitive: true,
    content: 'complete',
    count: concept.length,
    concept,
  };
}
