/**
 * Everything that a report can say in numbers: its code, its name, what it means, its unit. One table for FHIR, DICOM, HTML
 * and docs, so that they cannot differ.
 *
 * Codes: `also` has those of LOINC, SNOMED CT and DICOM that were looked up. A measure without one has ours alone; none is
 * made up. Looked up: SNOMED CT 40137007 (value set "observable-entities" of the HL7 eyecare guide), 16089004 and 52378001
 * (value set of the German intensive care module), and, in DICOM PS3.16 (context groups 244, 3810, 4209, 7192, 7468), all
 * others here.
 */
export interface CodedConcept {
  readonly system: string;
  readonly code: string;
  readonly display: string;
}

/** What a number is; the unit follows, of lengths and speeds from the unit of the report. */
export type Quantity = 'length' | 'speed' | 'time' | 'percent' | 'share' | 'count' | 'ratio' | 'rate' | 'frequency';

export interface Measure {
  /** In our code system. */
  readonly code: string;
  readonly display: string;
  readonly definition: string;
  readonly quantity: Quantity;
  readonly also?: readonly CodedConcept[];
}

export type LengthUnit = 'px' | 'mm' | 'um';

export interface Unit {
  /** As people read it; the space before it is not there. */
  readonly text: string;
  /** UCUM. Pixels have no unit there: they stand in braces, as in DICOM. */
  readonly ucum: string;
  readonly name: string;
  /** Digits after the point. */
  readonly digits: number;
}

export const ucumSystem = 'http://unitsofmeasure.org';
export const snomedSystem = 'http://snomed.info/sct';
export const dicomSystem = 'http://dicom.nema.org/resources/ontology/DCM';

const lengths: Readonly<Record<LengthUnit, Unit>> = {
  px: { text: 'px', ucum: '{pixels}', name: 'pixels', digits: 2 },
  mm: { text: 'mm', ucum: 'mm', name: 'millimeter', digits: 3 },
  um: { text: 'µm', ucum: 'um', name: 'micrometer', digits: 1 },
};
const others: Readonly<Record<Exclude<Quantity, 'length' | 'speed'>, Unit>> = {
  time: { text: 'ms', ucum: 'ms', name: 'millisecond', digits: 0 },
  percent: { text: '%', ucum: '%', name: 'percent', digits: 1 },
  share: { text: '', ucum: '1', name: 'no units', digits: 3 },
  count: { text: '', ucum: '1', name: 'no units', digits: 0 },
  ratio: { text: '', ucum: '1', name: 'no units', digits: 3 },
  rate: { text: '/min', ucum: '/min', name: 'per minute', digits: 1 },
  frequency: { text: 'Hz', ucum: 'Hz', name: 'hertz', digits: 1 },
};

export function unitOf(quantity: Quantity, length: LengthUnit): Unit {
  const { text, ucum, name, digits } = lengths[length];
  if (quantity === 'length') return lengths[length];
  if (quantity === 'speed') return { text: `${text}/s`, ucum: `${ucum}/s`, name: `${name} per second`, digits };
  return others[quantity];
}

const sct = (code: string, display: string): CodedConcept => ({ system: snomedSystem, code, display });
const dcm = (code: string, display: string): CodedConcept => ({ system: dicomSystem, code, display });

export const concepts = {
  lightReflex: sct('40137007', 'Pupil light reflex'),
  pupilOfLeftEye: sct('16089004', 'Structure of pupil of left eye'),
  pupilOfRightEye: sct('52378001', 'Structure of pupil of right eye'),
  eye: sct('81745001', 'Eye'),
  retina: sct('5665001', 'Retina'),
  bloodVessel: sct('59820001', 'Blood vessel'),
  laterality: sct('272741003', 'Laterality'),
  left: sct('7771000', 'Left'),
  right: sct('24028007', 'Right'),
} as const;

/** By the names of a light reflex's values. */
export const reflexMeasures = {
  latency: {
    code: 'constriction-latency',
    display: 'Latency of the constriction',
    definition: 'Time from the onset of the stimulus to the onset of the constriction.',
    quantity: 'time',
  },
  baseline: {
    code: 'baseline-diameter',
    display: 'Diameter before the stimulus',
    definition: 'Diameter of the pupil at rest, directly before the stimulus.',
    quantity: 'length',
  },
  minimum: {
    code: 'minimum-diameter',
    display: 'Smallest diameter',
    definition: 'Smallest diameter of the pupil after the stimulus.',
    quantity: 'length',
  },
  amplitude: {
    code: 'constriction-amplitude',
    display: 'Amplitude of the constriction',
    definition: 'Diameter before the stimulus less the smallest diameter after it.',
    quantity: 'length',
  },
  amplitudePercent: {
    code: 'constriction-amplitude-percent',
    display: 'Amplitude, relative',
    definition: 'Amplitude of the constriction as a share of the diameter before the stimulus.',
    quantity: 'percent',
  },
  constrictionVelocity: {
    code: 'constriction-velocity',
    display: 'Velocity of the constriction, mean',
    definition: 'Mean change of the diameter in a second from the onset of the constriction to the smallest diameter.',
    quantity: 'speed',
  },
  peakConstrictionVelocity: {
    code: 'peak-constriction-velocity',
    display: 'Velocity of the constriction, peak',
    definition: 'Largest change of the diameter in a second during the constriction.',
    quantity: 'speed',
  },
  dilationVelocity: {
    code: 'dilation-velocity',
    display: 'Velocity of the dilation, mean',
    definition: 'Mean change of the diameter in a second during the recovery after the smallest diameter.',
    quantity: 'speed',
  },
  timeToMinimum: {
    code: 'time-to-minimum',
    display: 'Time to the smallest diameter',
    definition: 'Time from the onset of the stimulus to the smallest diameter.',
    quantity: 'time',
  },
  t50: {
    code: 'recovery-time-50',
    display: 'Recovery time, 50 %',
    definition: 'Time until half of the amplitude is recovered, as lightReflex of this version measures it.',
    quantity: 'time',
  },
  t75: {
    code: 'recovery-time-75',
    display: 'Recovery time, 75 %',
    definition: 'Time until three quarters of the amplitude are recovered, as lightReflex of this version measures it.',
    quantity: 'time',
  },
} as const satisfies Record<string, Measure>;

export const seriesMeasures = {
  mean: {
    code: 'mean-diameter',
    display: 'Diameter, mean',
    definition: 'Mean of the valid diameters of the series.',
    quantity: 'length',
  },
  deviation: {
    code: 'diameter-standard-deviation',
    display: 'Diameter, standard deviation',
    definition: 'Standard deviation (of a sample, divisor n - 1) of the valid diameters of the series.',
    quantity: 'length',
  },
  minimum: {
    code: 'series-minimum-diameter',
    display: 'Diameter, smallest',
    definition: 'Smallest valid diameter of the series.',
    quantity: 'length',
  },
  maximum: {
    code: 'series-maximum-diameter',
    display: 'Diameter, largest',
    definition: 'Largest valid diameter of the series.',
    quantity: 'length',
  },
  duration: {
    code: 'series-duration',
    display: 'Duration of the series',
    definition: 'Time from the first to the last sample.',
    quantity: 'time',
  },
  rate: {
    code: 'sampling-rate',
    display: 'Sampling rate',
    definition: 'Number of samples in a second.',
    quantity: 'frequency',
  },
  samples: { code: 'samples', display: 'Samples', definition: 'Number of samples of the series.', quantity: 'count' },
  validPercent: {
    code: 'valid-samples',
    display: 'Valid samples',
    definition: 'Samples with a pupil that was measured and not filled in, as a share of all.',
    quantity: 'percent',
  },
} as const satisfies Record<string, Measure>;

export const blinkMeasures = {
  count: { code: 'blinks', display: 'Blinks', definition: 'Number of blinks in the recording.', quantity: 'count' },
  rate: {
    code: 'blink-rate',
    display: 'Blink rate',
    definition: 'Blinks in a minute of the recording.',
    quantity: 'rate',
  },
  meanDuration: {
    code: 'mean-blink-duration',
    display: 'Duration of a blink, mean',
    definition: 'Mean time from the onset to the offset of a blink.',
    quantity: 'time',
  },
} as const satisfies Record<string, Measure>;

export const retinaMeasures = {
  vesselPercent: {
    code: 'vessel-area',
    display: 'Area of the vessels',
    definition: 'Share of the field of view that vessels cover.',
    quantity: 'percent',
  },
  segments: {
    code: 'vessel-segments',
    display: 'Vessel segments',
    definition: 'Number of pieces of vessels between ends and branchings.',
    quantity: 'count',
  },
  branchPoints: {
    code: 'vessel-branch-points',
    display: 'Branchings',
    definition: 'Number of places where vessels branch or cross.',
    quantity: 'count',
  },
  totalLength: {
    code: 'vessel-length',
    display: 'Length of the vessels, in all',
    definition: 'Sum of the lengths of the middle lines of all segments.',
    quantity: 'length',
  },
  meanWidth: {
    code: 'vessel-mean-width',
    display: 'Width of the vessels, mean',
    definition: 'Mean width of the segments whose width could be measured, weighted by their length.',
    quantity: 'length',
  },
  crae: {
    code: 'central-retinal-artery-equivalent',
    display: 'Central retinal artery equivalent (CRAE)',
    definition: 'Summary of the widths of the largest arterioles around the optic disc.',
    quantity: 'length',
  },
  crve: {
    code: 'central-retinal-vein-equivalent',
    display: 'Central retinal vein equivalent (CRVE)',
    definition: 'Summary of the widths of the largest venules around the optic disc.',
    quantity: 'length',
  },
  avr: {
    code: 'arteriole-to-venule-ratio',
    display: 'Arteriole-to-venule ratio (AVR)',
    definition: 'Central retinal artery equivalent divided by the central retinal vein equivalent.',
    quantity: 'ratio',
  },
  tortuosity: {
    code: 'vessel-tortuosity',
    display: 'Tortuosity of the vessels',
    definition: 'How much the vessels wind, as the parameters of the report say it is measured.',
    quantity: 'ratio',
    also: [sct('15690004', 'tortuosity')],
  },
  fractalDimension: {
    code: 'vessel-fractal-dimension',
    display: 'Fractal dimension of the vessels',
    definition: 'Fractal dimension of the network of vessels.',
    quantity: 'ratio',
    also: [dcm('126050', 'Fractal Dimension')],
  },
} as const satisfies Record<string, Measure>;

export const quality: Measure = {
  code: 'quality',
  display: 'Quality',
  definition: 'How sure the values of the group are, from 0 to 1, as the software judges it.',
  quantity: 'share',
};

/** What has a code and no number. */
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

export type PanelName = keyof typeof panels;

export const allMeasures: readonly Measure[] = [
  ...Object.values(reflexMeasures),
  ...Object.values(seriesMeasures),
  ...Object.values(blinkMeasures),
  ...Object.values(retinaMeasures),
  quality,
];

/** Rounded for people and records; null stays null. */
export const rounded = (value: number, { digits }: Unit): number => Number(value.toFixed(digits));
