/**
 * Numbers of a pupil test besides its reflexes and series: both pupils compared, waves at rest, responses to tasks,
 * averages of reflexes, and the quality of the recording. They extend the table in measures.ts.
 */
import { furtherReflexMeasures, quality, reflexMeasures, type Measure } from './measures.ts';

/** Keys are the names in the result of `anisocoria`. */
export const anisocoriaMeasures = {
  difference: {
    code: 'anisocoria',
    display: 'Anisocoria, left minus right',
    definition: 'Median diameter of the left pupil less that of the right pupil.',
    quantity: 'length',
    signed: true,
  },
  differencePercent: {
    code: 'anisocoria-percent',
    display: 'Relative anisocoria, left minus right',
    definition: 'Difference of the median diameters, left minus right, as a share of their mean.',
    quantity: 'percent',
    signed: true,
  },
  left: {
    code: 'left-median-diameter',
    display: 'Median diameter, left pupil',
    definition: 'Median diameter of the left pupil in the period in which both pupils are compared.',
    quantity: 'length',
  },
  right: {
    code: 'right-median-diameter',
    display: 'Median diameter, right pupil',
    definition: 'Median diameter of the right pupil in the period in which both pupils are compared.',
    quantity: 'length',
  },
} as const satisfies Record<string, Measure>;

/** Keys are the names in the result of `relativeAfferentDefect`. */
export const afferentMeasures = {
  score: {
    code: 'relative-afferent-defect',
    display: 'Relative afferent defect',
    definition:
      'log10 of the mean response to light in the right eye divided by the response to light in the left eye. Above 0, the left eye has the defect.',
    quantity: 'ratio',
    signed: true,
  },
  standardError: {
    code: 'relative-afferent-defect-standard-error',
    display: 'Relative afferent defect, standard error',
    definition: 'Standard error of the relative afferent defect.',
    quantity: 'ratio',
  },
  left: {
    code: 'response-to-light-in-left-eye',
    display: 'Response to light in the left eye',
    definition: 'Mean amplitude of the constriction to light in the left eye, as a share of the diameter before it.',
    quantity: 'percent',
  },
  right: {
    code: 'response-to-light-in-right-eye',
    display: 'Response to light in the right eye',
    definition: 'Mean amplitude of the constriction to light in the right eye, as a share of the diameter before it.',
    quantity: 'percent',
  },
} as const satisfies Record<string, Measure>;

/** Keys are the names in the result of `hippus`. */
export const hippusMeasures = {
  rms: {
    code: 'hippus-rms',
    display: 'Waves at rest (hippus), root mean square',
    definition: 'Square root of the power of the waves of the pupil at rest.',
    quantity: 'length',
  },
  rmsPercent: {
    code: 'hippus-rms-percent',
    display: 'Waves at rest, relative',
    definition: 'Square root of the power of the waves of the pupil at rest, as a share of the mean diameter.',
    quantity: 'percent',
  },
  power: {
    code: 'hippus-power',
    display: 'Waves at rest, power',
    definition: 'Variance of the waves of the pupil at rest within the band of frequencies.',
    quantity: 'area',
  },
  peakFrequency: {
    code: 'hippus-peak-frequency',
    display: 'Waves at rest, peak frequency',
    definition: 'Frequency of the highest point of the spectrum within the band.',
    quantity: 'slow-frequency',
  },
} as const satisfies Record<string, Measure>;

export const taskMeasures = {
  dilation: {
    code: 'task-evoked-dilation',
    display: 'Task-evoked dilation',
    definition: 'Maximum mean diameter over half a second during a task, minus the mean of the second before it.',
    quantity: 'length',
    signed: true,
  },
} as const satisfies Record<string, Measure>;

const afterLight = {
  sixSecond: {
    code: 'post-illumination-6-s',
    display: 'Response after the light, 6 s',
    definition: 'Constriction 6 s after the end of the light, as a share of the diameter before it.',
    quantity: 'percent',
    signed: true,
  },
  plateau: {
    code: 'post-illumination-plateau',
    display: 'Response after the light, plateau',
    definition:
      'Constriction at the asymptote of an exponential recovery, as a share of the diameter before the light.',
    quantity: 'percent',
    signed: true,
  },
  earlyArea: {
    code: 'post-illumination-early-area',
    display: 'Response after the light, early area',
    definition: 'Integral of the relative constriction from 0 to 10 s after the end of the light.',
    quantity: 'percent-seconds',
    signed: true,
  },
  lateArea: {
    code: 'post-illumination-late-area',
    display: 'Response after the light, late area',
    definition: 'Integral of the relative constriction from 10 to 30 s after the end of the light.',
    quantity: 'percent-seconds',
    signed: true,
  },
} as const satisfies Record<string, Measure>;

/** Keys are the names in the result of `postIllumination`. */
export const postIlluminationMeasures = {
  baseline: {
    code: 'post-illumination-baseline-diameter',
    display: 'Diameter before the light',
    definition: 'Median diameter of the pupil in the seconds before the light.',
    quantity: 'length',
  },
  ...afterLight,
} as const satisfies Record<string, Measure>;

/** Differences of the same measures: blue light minus red light. */
export const netPostIlluminationMeasures = Object.fromEntries(
  Object.entries<Measure>(afterLight).map(([name, { code, display, definition, quantity }]) => [
    name,
    {
      ...{ code: `net-${code}`, display: `${display}, blue minus red`, quantity, signed: true },
      definition: `After blue light minus after red light: ${definition[0]!.toLowerCase()}${definition.slice(1)}`,
    },
  ]),
) as Record<keyof typeof afterLight, Measure>;

/** Keys are the names in the result of `unrest`. */
export const unrestMeasures = {
  index: {
    code: 'pupillary-unrest-index',
    display: 'Pupillary unrest index (PUI)',
    definition:
      'Sum of the absolute differences of consecutive means over 0.64 s, per minute, averaged over windows of 81.92 s.',
    quantity: 'unrest',
  },
  rms: {
    code: 'pupillary-unrest-rms',
    display: 'Pupillary unrest, root mean square',
    definition: 'Standard deviation of the means over 0.64 s within a window of the pupillary unrest index.',
    quantity: 'length',
  },
  lowest: {
    code: 'pupillary-unrest-band-low',
    display: 'Pupillary unrest, lower end of the band',
    definition: 'Lowest frequency of the movements that the pupillary unrest index contains.',
    quantity: 'slow-frequency',
  },
  highest: {
    code: 'pupillary-unrest-band-high',
    display: 'Pupillary unrest, upper end of the band',
    definition: 'Highest frequency of the movements that the pupillary unrest index contains.',
    quantity: 'slow-frequency',
  },
  mean: {
    code: 'pupillary-unrest-mean-diameter',
    display: 'Mean diameter during the unrest test',
    definition: 'Mean diameter of the pupil over the windows of the pupillary unrest index.',
    quantity: 'length',
  },
} as const satisfies Record<string, Measure>;

/** Keys are the names in the result of `darkAdaptation`. */
export const darkAdaptationMeasures = {
  light: {
    code: 'diameter-before-dark',
    display: 'Diameter in the light',
    definition: 'Median diameter of the pupil in the last second before the dark.',
    quantity: 'length',
  },
  dark: {
    code: 'dark-adapted-diameter',
    display: 'Diameter in the dark',
    definition: 'Median diameter of the pupil in the last ten seconds of the dark.',
    quantity: 'length',
  },
  dilation: {
    code: 'dark-dilation',
    display: 'Dilation in the dark',
    definition: 'Diameter at the end of the dark less the diameter before it.',
    quantity: 'length',
    signed: true,
  },
  dilationPercent: {
    code: 'dark-dilation-percent',
    display: 'Relative dilation in the dark',
    definition: 'Dilation in the dark as a share of the diameter before it.',
    quantity: 'percent',
    signed: true,
  },
  t50: {
    code: 'dark-dilation-time-50',
    display: '50 % dilation time',
    definition: 'Time in the dark until half of the dilation is reached.',
    quantity: 'time',
  },
  t90: {
    code: 'dark-dilation-time-90',
    display: '90 % dilation time',
    definition: 'Time in the dark until nine tenths of the dilation are reached.',
    quantity: 'time',
  },
} as const satisfies Record<string, Measure>;

/** Keys are the names in the result of `nearResponse`. */
export const nearMeasures = {
  far: {
    code: 'far-diameter',
    display: 'Diameter when looking far',
    definition: 'Median diameter of the pupil in the last second of looking at a far target.',
    quantity: 'length',
  },
  near: {
    code: 'near-diameter',
    display: 'Diameter when looking near',
    definition: 'Median diameter of the pupil in the second half of looking at a near target.',
    quantity: 'length',
  },
  constriction: {
    code: 'near-constriction',
    display: 'Near constriction',
    definition: 'Diameter when looking at a far target less the diameter when looking at a near one.',
    quantity: 'length',
    signed: true,
  },
  constrictionPercent: {
    code: 'near-constriction-percent',
    display: 'Relative near constriction',
    definition: 'Near constriction as a share of the diameter when looking at a far target.',
    quantity: 'percent',
    signed: true,
  },
} as const satisfies Record<string, Measure>;

/** Keys are the names in the result of `QualityMeter.judge`. */
export const recordingMeasures = {
  frames: {
    code: 'recording-frames',
    display: 'Frames',
    definition: 'Number of frames of the recording.',
    quantity: 'count',
  },
  found: {
    code: 'recording-pupil-found',
    display: 'Frames with a pupil',
    definition: 'Share of the frames in which each required pupil was found, blinks excluded.',
    quantity: 'share',
  },
  confidence: {
    code: 'recording-confidence',
    display: 'Confidence, median',
    definition: 'Median confidence of the pupils that were found, from 0 to 1.',
    quantity: 'share',
  },
  rate: {
    code: 'recording-rate',
    display: 'Frame rate',
    definition: 'Number of frames that were measured in a second.',
    quantity: 'frequency',
  },
  dropped: {
    code: 'recording-dropped',
    display: 'Dropped frames',
    definition: "Share of the source's frames that were dropped.",
    quantity: 'share',
  },
  blinking: {
    code: 'recording-eye-closed',
    display: 'Frames with a closed eye',
    definition: 'Share of the frames in which the eye was closed.',
    quantity: 'share',
  },
} as const satisfies Record<string, Measure>;

/** Every measure of a reflex that `averageReflexes` averages. */
export const averagedMeasures = { ...reflexMeasures, ...furtherReflexMeasures, quality } as const;
export type AveragedMeasure = keyof typeof averagedMeasures;
export type AverageParts = 'mean' | 'standardError' | 'count';

function averageOf({ code, display, definition, quantity }: Measure): Record<AverageParts, Measure> {
  const lower = definition[0]!.toLowerCase() + definition.slice(1);
  return {
    mean: {
      code: `${code}-mean`,
      display: `${display}, mean`,
      definition: `Mean over several reflexes: ${lower}`,
      quantity,
      signed: true,
    },
    standardError: {
      code: `${code}-standard-error`,
      display: `${display}, standard error`,
      definition: `Standard error of the mean over several reflexes: ${lower}`,
      quantity,
    },
    count: {
      code: `${code}-count`,
      display: `${display}, reflexes`,
      definition: `Number of reflexes in the mean: ${lower}`,
      quantity: 'count',
    },
  };
}

export const averageMeasures = Object.fromEntries(
  Object.entries<Measure>(averagedMeasures).map(([name, measure]) => [name, averageOf(measure)]),
) as Record<AveragedMeasure, Record<AverageParts, Measure>>;

export const testMeasures: readonly Measure[] = [
  ...[
    ...[anisocoriaMeasures, afferentMeasures, hippusMeasures, taskMeasures, recordingMeasures],
    ...[postIlluminationMeasures, netPostIlluminationMeasures, unrestMeasures, darkAdaptationMeasures, nearMeasures],
  ].flatMap((table: Readonly<Record<string, Measure>>) => Object.values(table)),
  ...Object.values(averageMeasures).flatMap((parts) => Object.values(parts)),
];
