/**
 * A report as groups of values, each with its code, unit and body site. FHIR, DICOM and HTML iterate over it. The codes
 * with their definitions are also a FHIR CodeSystem.
 */
import {
  blinkMeasures,
  concepts,
  furtherReflexMeasures,
  furtherRetinaMeasures,
  quality,
  reflexMeasures,
  retinaMeasures,
  seriesMeasures,
  type CodedConcept,
  type Measure,
} from './measures.ts';
import {
  afferentMeasures,
  anisocoriaMeasures,
  averageMeasures,
  darkAdaptationMeasures,
  hippusMeasures,
  nearMeasures,
  netPostIlluminationMeasures,
  postIlluminationMeasures,
  recordingMeasures,
  taskMeasures,
  testMeasures,
  unrestMeasures,
  type AveragedMeasure,
} from './test-measures.ts';
import { normOf, type Norm } from './norms.ts';
import type { AverageReport, EyeReport, Norms, PupilReport, ReflexReport, Report, Side } from './report.ts';
import { rounded, unitOf, type LengthUnit, type Unit } from './units.ts';
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
  average: {
    code: 'pupil-light-reflex-average',
    display: 'Mean of the light reflexes',
    definition: 'Means over several reactions of a pupil to a flash of light.',
  },
  hippus: {
    code: 'pupil-hippus',
    display: 'Waves at rest (hippus)',
    definition: 'Slow waves of the diameter of a pupil at rest.',
  },
  task: {
    code: 'task-evoked-response',
    display: 'Response to a task',
    definition: 'Dilation of a pupil during a task.',
  },
  postIllumination: {
    code: 'post-illumination-response',
    display: 'Response after the light',
    definition: 'How far a pupil stays constricted after a light (post-illumination pupil response).',
  },
  netPostIllumination: {
    code: 'net-post-illumination-response',
    display: 'Response after the light, blue minus red',
    definition: 'Difference of the post-illumination pupil responses to blue and to red light.',
  },
  unrest: {
    code: 'pupillary-unrest',
    display: 'Pupillary unrest',
    definition: 'Movements of a pupil in the dark over minutes, a measure of sleepiness.',
  },
  darkAdaptation: {
    code: 'pupil-dark-adaptation',
    display: 'Dark adaptation',
    definition: 'Dilation of a pupil from light to dark.',
  },
  near: {
    code: 'near-response',
    display: 'Near response',
    definition: 'Constriction of a pupil when the eye looks from a far to a near target.',
  },
  anisocoria: {
    code: 'pupil-size-comparison',
    display: 'Anisocoria',
    definition: 'Comparison of the diameters of both pupils.',
  },
  afferentDefect: {
    code: 'afferent-comparison',
    display: 'Relative afferent defect',
    definition: 'Comparison of the responses to light in the left and in the right eye.',
  },
  recording: {
    code: 'recording-quality',
    display: 'Quality of the recording',
    definition: 'How many frames of a recording could be measured, and how well.',
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
  /** Only if the report has norms with one for this value. */
  readonly norm?: Norm;
}

/** A group about both eyes, such as a comparison, has the side 'both'. */
export type GroupSide = Side | 'both';

/** After the title of a group: ', left eye'. */
export const sideText = (side: GroupSide | null): string =>
  side === 'both' ? ', both eyes' : side ? `, ${side} eye` : '';

export type PanelName = Exclude<keyof typeof panels, 'pupilReport' | 'retinaReport' | 'camera' | 'researchUse'>;

export interface Group {
  readonly panel: PanelName;
  readonly title: string;
  readonly laterality: GroupSide | null;
  readonly values: readonly GroupValue[];
  /** Onset of the stimulus, ms after the start of the series. Null without a stimulus. */
  readonly onset: number | null;
  /** The stimulus or the task. */
  readonly stimulus: string | null;
  /** Meaning of the values, in words. */
  readonly finding: string | null;
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

/** Standard codes of a group's subject, in addition to our own. The first is for every eye. */
export function panelCodes({ panel, laterality }: Pick<Group, 'panel' | 'laterality'>): readonly CodedConcept[] {
  if (panel === 'reflex' || panel === 'average')
    return [concepts.lightReflex, ...(laterality === 'left' ? [concepts.leftResponse] : [])];
  if (panel === 'series') return [concepts.pupilSize];
  return panel === 'afferentDefect' ? [concepts.swingingLight] : [];
}

/** Standard codes of a measure in an eye, in addition to our own. */
export const measureCodes = ({ measure }: GroupValue, { laterality }: Group): readonly CodedConcept[] =>
  measure === reflexMeasures.latency && laterality === 'left' ? [concepts.leftReactionTime] : (measure.also ?? []);

const none = { onset: null, stimulus: null, finding: null, warnings: [] } as const;

export const sideOf = ({ eye }: EyeReport): Side | null => (eye === 'unknown' ? null : eye);

/** The number of reflexes is listed for a measure only if it is unknown in some of them. */
function averageValues(average: AverageReport, unit: LengthUnit): GroupValue[] {
  const given = Object.entries(average) as [AveragedMeasure, NonNullable<AverageReport[AveragedMeasure]>][];
  const most = Math.max(...given.map(([, { count }]) => count ?? 0));
  return given.flatMap(([name, values]) => {
    const { mean, standardError, count } = averageMeasures[name];
    const parts = { mean, standardError, ...((values.count !== most || name === 'amplitude') && { count }) };
    return valuesOf<string>(parts, values, unit);
  });
}

/** Several groups of the same panel are numbered. */
const titleOf = (panel: PanelName, i: number, all: readonly unknown[], what: string) =>
  panels[panel].display + (all.length > 1 ? `, ${what} ${i + 1}` : '');

function periodGroups(eye: EyeReport, laterality: Side | null, unit: LengthUnit): Group[] {
  const { postIllumination, netPostIllumination, unrest, darkAdaptation, near } = eye;
  const group = (panel: PanelName, values: GroupValue[], more: Partial<Group>): Group => ({
    ...{ ...none, panel, title: panels[panel].display, laterality, values },
    ...more,
  });
  const groups = postIllumination.map((one, i, all) => {
    const { onset, stimulus, warnings } = one;
    const title = titleOf('postIllumination', i, all, 'stimulus');
    return group('postIllumination', valuesOf(postIlluminationMeasures, one, unit), {
      ...{ title, onset, stimulus, warnings },
    });
  });
  if (netPostIllumination)
    groups.push(group('netPostIllumination', valuesOf(netPostIlluminationMeasures, netPostIllumination, unit), {}));
  if (unrest) {
    const { windows, warnings } = unrest;
    const index = unitOf('unrest', unit);
    const each = windows.map((value) => (value === null ? 'not known' : rounded(value, index)));
    const finding = windows.length > 1 ? `Index of each window: ${each.join(', ')} ${index.text}.` : null;
    groups.push(group('unrest', valuesOf(unrestMeasures, unrest, unit), { finding, warnings }));
  }
  if (darkAdaptation) {
    const { warnings } = darkAdaptation;
    groups.push(group('darkAdaptation', valuesOf(darkAdaptationMeasures, darkAdaptation, unit), { warnings }));
  }
  near.forEach((one, i, all) => {
    const { onset, warnings } = one;
    const title = titleOf('near', i, all, 'target');
    groups.push(group('near', valuesOf(nearMeasures, one, unit), { title, onset, warnings }));
  });
  return groups;
}

function testGroups(eye: EyeReport, laterality: Side | null, unit: LengthUnit): Group[] {
  const { average, hippus, tasks } = eye;
  const groups: Group[] = tasks.map((task, i, all) => ({
    ...none,
    panel: 'task',
    title: titleOf('task', i, all, 'task'),
    laterality,
    values: valuesOf(taskMeasures, task, unit),
    onset: task.onset,
    stimulus: task.label,
  }));
  if (average) {
    const values = averageValues(average, unit);
    groups.push({ ...none, panel: 'average', title: panels.average.display, laterality, values });
  }
  if (hippus) {
    const values = valuesOf(hippusMeasures, hippus, unit);
    const { warnings } = hippus;
    groups.push({ ...none, panel: 'hippus', title: panels.hippus.display, laterality, values, warnings });
  }
  groups.push(...periodGroups(eye, laterality, unit));
  return groups;
}

function eyeGroups(eye: EyeReport, unit: LengthUnit): Group[] {
  const { reflexes, summary, blinkSummary } = eye;
  const laterality = sideOf(eye);
  const groups: Group[] = reflexes.map((reflex, i, all) => ({
    panel: 'reflex',
    title: titleOf('reflex', i, all, 'stimulus'),
    laterality,
    values: withQuality([...valuesOf(reflexMeasures, reflex, unit), ...furtherOf(reflex, unit)], reflex.quality),
    onset: reflex.onset,
    stimulus: reflex.stimulus,
    finding: null,
    warnings: reflex.warnings,
  }));
  groups.push(...testGroups(eye, laterality, unit));
  const common = { ...none, laterality };
  if (summary)
    groups.push({
      ...common,
      panel: 'series',
      title: panels.series.display,
      values: valuesOf(seriesMeasures, summary, unit),
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

const larger = {
  left: 'The left pupil is larger.',
  right: 'The right pupil is larger.',
  none: 'Both pupils are equal.',
};
const defect = {
  left: 'The left eye has the relative afferent defect.',
  right: 'The right eye has the relative afferent defect.',
  none: 'No clear relative afferent defect.',
};

function recordingGroups({ anisocoria, afferentDefect, quality, eyes, unit }: PupilReport): Group[] {
  const group = (panel: PanelName, values: GroupValue[], more: Partial<Group> = {}): Group => ({
    ...{ panel, title: panels[panel].display, laterality: 'both', values, ...none },
    ...more,
  });
  const laterality = eyes.length > 1 ? 'both' : sideOf(eyes[0]!);
  return [
    ...(anisocoria
      ? [group('anisocoria', valuesOf(anisocoriaMeasures, anisocoria, unit), { finding: larger[anisocoria.larger] })]
      : []),
    ...(afferentDefect
      ? [
          group('afferentDefect', valuesOf(afferentMeasures, afferentDefect, unit), {
            finding: defect[afferentDefect.eye],
            warnings: afferentDefect.warnings,
          }),
        ]
      : []),
    ...(quality ? [group('recording', valuesOf(recordingMeasures, quality, unit), { laterality })] : []),
  ];
}

const withNorms = (group: Group, norms: Norms): Group => ({
  ...group,
  values: group.values.map((value) => {
    const norm = normOf(norms, value, group.stimulus);
    return norm ? { ...value, norm } : value;
  }),
});

/** Measures of the retina that were not requested are left out, because they are not failures. */
export function groupsOf(report: Report): Group[] {
  if (report.kind === 'pupil') {
    const groups = [...report.eyes.flatMap((eye) => eyeGroups(eye, report.unit)), ...recordingGroups(report)];
    return report.norms ? groups.map((group) => withNorms(group, report.norms!)) : groups;
  }
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
      finding: report.formula && `Formulas of CRAE and CRVE: ${report.formula}.`,
    },
  ];
}

const allMeasures: readonly Measure[] = [
  ...Object.values(reflexMeasures),
  ...Object.values(furtherReflexMeasures),
  ...Object.values(seriesMeasures),
  ...Object.values(blinkMeasures),
  ...Object.values(retinaMeasures),
  ...Object.values(furtherRetinaMeasures),
  ...testMeasures,
  quality,
];

/** Our code of every measure. */
export const ownMeasureCodes: readonly string[] = allMeasures.map(({ code }) => code);

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
