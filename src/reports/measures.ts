/**
 * Every number that a report can contain: its code, name, meaning and unit. FHIR, DICOM, HTML and docs share this one
 * table, so that they cannot differ.
 *
 * Codes: `also` contains the LOINC, SNOMED CT and DICOM codes that were looked up. A measure without one has only our
 * code. No code is invented. Sources: SNOMED CT 40137007 (value set "observable-entities" of the HL7 eyecare guide),
 * 16089004, 52378001 and 363953003 (value sets and profile of the pupil of the German intensive care module). The LOINC
 * codes and their names: a copy of LOINC 2.82 (healthassure.in). All others are from DICOM PS3.16 (context groups 210,
 * 244, 3810, 4209, 7192, 7468).
 */
import { retinaFurther, retinaHeads } from './retina-names.ts';
import type { Quantity } from './units.ts';

export interface CodedConcept {
  readonly system: string;
  readonly code: string;
  readonly display: string;
}

export interface Measure {
  /** Code in our code system. */
  readonly code: string;
  readonly display: string;
  readonly definition: string;
  readonly quantity: Quantity;
  /** It may be below 0. */
  readonly signed?: boolean;
  readonly also?: readonly CodedConcept[];
}

export const snomedSystem = 'http://snomed.info/sct';
export const loincSystem = 'http://loinc.org';
export const dicomSystem = 'http://dicom.nema.org/resources/ontology/DCM';

const sct = (code: string, display: string): CodedConcept => ({ system: snomedSystem, code, display });
const loinc = (code: string, display: string): CodedConcept => ({ system: loincSystem, code, display });
const dcm = (code: string, display: string): CodedConcept => ({ system: dicomSystem, code, display });

export const concepts = {
  lightReflex: sct('40137007', 'Pupil light reflex'),
  pupilSize: sct('363953003', 'Size of pupil'),
  /** A time. The code for the right eye was not found. */
  leftReactionTime: loinc('75944-9', 'Left eye Pupil reaction [Time]'),
  leftResponse: loinc('79899-1', 'Left pupil Pupillary response'),
  swingingLight: loinc('106805-5', 'Eye Pupillary response Swinging light test'),
  pupilOfLeftEye: sct('16089004', 'Structure of pupil of left eye'),
  pupilOfRightEye: sct('52378001', 'Structure of pupil of right eye'),
  eye: sct('81745001', 'Eye'),
  retina: sct('5665001', 'Retina'),
  bloodVessel: sct('59820001', 'Blood vessel'),
  artery: sct('51114001', 'Artery'),
  vein: sct('29092000', 'Vein'),
  disc: sct('81016008', 'Optic nerve head'),
  fovea: sct('67046006', 'Fovea centralis'),
  laterality: sct('272741003', 'Laterality'),
  left: sct('7771000', 'Left'),
  right: sct('24028007', 'Right'),
  both: sct('51440002', 'Right and left'),
} as const;

/** Keys are the names of a light reflex's values. */
export const reflexMeasures = {
  latency: {
    code: 'constriction-latency',
    display: 'Constriction latency',
    definition: 'Time from the onset of the stimulus to the onset of the constriction.',
    quantity: 'time',
  },
  baseline: {
    code: 'baseline-diameter',
    display: 'Baseline diameter',
    definition: 'Diameter of the pupil at rest, directly before the stimulus.',
    quantity: 'length',
  },
  minimum: {
    code: 'minimum-diameter',
    display: 'Minimum diameter',
    definition: 'Smallest diameter of the pupil after the stimulus.',
    quantity: 'length',
  },
  amplitude: {
    code: 'constriction-amplitude',
    display: 'Constriction amplitude',
    definition: 'Diameter before the stimulus less the smallest diameter after it.',
    quantity: 'length',
  },
  amplitudePercent: {
    code: 'constriction-amplitude-percent',
    display: 'Relative constriction amplitude',
    definition: 'Amplitude of the constriction as a share of the diameter before the stimulus.',
    quantity: 'percent',
  },
  constrictionVelocity: {
    code: 'constriction-velocity',
    display: 'Mean constriction velocity',
    definition: 'Mean change of the diameter per second from the onset of the constriction to the smallest diameter.',
    quantity: 'speed',
  },
  peakConstrictionVelocity: {
    code: 'peak-constriction-velocity',
    display: 'Peak constriction velocity',
    definition: 'Largest change of the diameter per second during the constriction.',
    quantity: 'speed',
  },
  dilationVelocity: {
    code: 'dilation-velocity',
    display: 'Mean dilation velocity',
    definition: 'Mean change of the diameter per second during the recovery after the smallest diameter.',
    quantity: 'speed',
  },
  timeToMinimum: {
    code: 'time-to-minimum',
    display: 'Time to minimum diameter',
    definition: 'Time from the onset of the stimulus to the smallest diameter.',
    quantity: 'time',
  },
  t50: {
    code: 'recovery-time-50',
    display: '50 % recovery time',
    definition: 'Time from the smallest diameter until half of the amplitude is regained.',
    quantity: 'time',
  },
  t75: {
    code: 'recovery-time-75',
    display: '75 % recovery time',
    definition: 'Time from the smallest diameter until three quarters of the amplitude are regained.',
    quantity: 'time',
  },
} as const satisfies Record<string, Measure>;

export const seriesMeasures = {
  mean: {
    code: 'mean-diameter',
    display: 'Mean diameter',
    definition: 'Mean of the valid diameters of the series.',
    quantity: 'length',
  },
  deviation: {
    code: 'diameter-standard-deviation',
    display: 'Diameter standard deviation',
    definition: 'Standard deviation (of a sample, divisor n - 1) of the valid diameters of the series.',
    quantity: 'length',
  },
  minimum: {
    code: 'series-minimum-diameter',
    display: 'Series minimum diameter',
    definition: 'Smallest valid diameter of the series.',
    quantity: 'length',
  },
  maximum: {
    code: 'series-maximum-diameter',
    display: 'Series maximum diameter',
    definition: 'Largest valid diameter of the series.',
    quantity: 'length',
  },
  duration: {
    code: 'series-duration',
    display: 'Series duration',
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
    display: 'Mean blink duration',
    definition: 'Mean time from the onset to the offset of a blink.',
    quantity: 'time',
  },
  closures: {
    code: 'eye-closures',
    display: 'Closures',
    definition: 'Number of times that the eye was shut for longer than a blink.',
    quantity: 'count',
  },
} as const satisfies Record<string, Measure>;

export const retinaMeasures = {
  vesselPercent: {
    code: 'vessel-area',
    display: retinaHeads.vessels.vesselPercent,
    definition: 'Share of the field of view that vessels cover.',
    quantity: 'percent',
  },
  segments: {
    code: 'vessel-segments',
    display: retinaHeads.vessels.segments,
    definition: 'Number of pieces of vessels between ends and branchings.',
    quantity: 'count',
  },
  branchPoints: {
    code: 'vessel-branch-points',
    display: retinaHeads.vessels.branchPoints,
    definition: 'Number of places where vessels branch or cross.',
    quantity: 'count',
  },
  totalLength: {
    code: 'vessel-length',
    display: retinaHeads.vessels.totalLength,
    definition: 'Sum of the lengths of the middle lines of all segments.',
    quantity: 'length',
  },
  meanWidth: {
    code: 'vessel-mean-width',
    display: retinaHeads.vessels.meanWidth,
    definition: 'Mean width of the segments whose width could be measured, weighted by their length.',
    quantity: 'length',
  },
  crae: {
    code: 'central-retinal-artery-equivalent',
    display: retinaHeads.caliber.crae,
    definition:
      'Summary of the widths of the six largest arterioles around the optic disc, by the formula that the report names.',
    quantity: 'length',
  },
  crve: {
    code: 'central-retinal-vein-equivalent',
    display: retinaHeads.caliber.crve,
    definition:
      'Summary of the widths of the six largest venules around the optic disc, by the formula that the report names.',
    quantity: 'length',
  },
  avr: {
    code: 'arteriole-to-venule-ratio',
    display: retinaHeads.caliber.avr,
    definition: 'Central retinal artery equivalent divided by the central retinal vein equivalent.',
    quantity: 'ratio',
  },
  tortuosity: {
    code: 'vessel-tortuosity',
    display: retinaHeads.shape.tortuosity,
    definition: 'How much the vessels wind, as the parameters of the report say it is measured.',
    quantity: 'ratio',
    also: [sct('15690004', 'tortuosity')],
  },
  fractalDimension: {
    code: 'vessel-fractal-dimension',
    display: retinaHeads.shape.fractalDimension,
    definition: 'Fractal dimension of the network of vessels.',
    quantity: 'ratio',
    also: [dcm('126050', 'Fractal Dimension')],
  },
} as const satisfies Record<string, Measure>;

export const quality: Measure = {
  code: 'quality',
  display: retinaHeads.quality.quality,
  definition: 'How sure the values of the group are, from 0 to 1, as the software judges it.',
  quantity: 'share',
};

/** Optional values of lightReflex. They are left out of a report without them. */
export const furtherReflexMeasures = {
  latencyLow: {
    code: 'constriction-latency-low',
    display: 'Latency, 95 % interval, lower limit',
    definition: 'Lower end of the 95 % interval of the latency of the constriction.',
    quantity: 'time',
  },
  latencyHigh: {
    code: 'constriction-latency-high',
    display: 'Latency, 95 % interval, upper limit',
    definition: 'Upper end of the 95 % interval of the latency of the constriction.',
    quantity: 'time',
  },
  maximum: {
    code: 'maximum-diameter',
    display: 'Maximum diameter',
    definition: 'Largest diameter of the pupil from shortly before the stimulus on.',
    quantity: 'length',
  },
  peakDilationVelocity: {
    code: 'peak-dilation-velocity',
    display: 'Peak dilation velocity',
    definition: 'Largest change of the diameter per second during the recovery after the smallest diameter.',
    quantity: 'speed',
  },
  pipr: {
    code: 'post-illumination-pupil-response',
    display: 'Post-illumination response (PIPR)',
    definition: 'Constriction that is left some seconds after the light, as a share of the diameter before it.',
    quantity: 'percent',
  },
} as const satisfies Record<string, Measure>;

/** Measures of retinalMeasures beside the vessels. They are left out of a report without them. */
export const furtherRetinaMeasures = {
  craeVessels: {
    code: 'central-retinal-artery-equivalent-vessels',
    display: retinaFurther.caliber.craeVessels,
    definition: 'Number of arterioles in the central retinal artery equivalent, median over the rings of the zone.',
    quantity: 'count',
  },
  craeSpread: {
    code: 'central-retinal-artery-equivalent-spread',
    display: retinaFurther.caliber.craeSpread,
    definition: 'Half the interquartile range of the central retinal artery equivalent over the rings of the zone.',
    quantity: 'length',
  },
  crveVessels: {
    code: 'central-retinal-vein-equivalent-vessels',
    display: retinaFurther.caliber.crveVessels,
    definition: 'Number of venules in the central retinal vein equivalent, median over the rings of the zone.',
    quantity: 'count',
  },
  crveSpread: {
    code: 'central-retinal-vein-equivalent-spread',
    display: retinaFurther.caliber.crveSpread,
    definition: 'Half the interquartile range of the central retinal vein equivalent over the rings of the zone.',
    quantity: 'length',
  },
  craeHubbard: {
    code: 'central-retinal-artery-equivalent-hubbard',
    display: retinaFurther.caliber.craeHubbard,
    definition:
      'Central retinal artery equivalent of every arteriole of 25 um or more, by the earlier formula of Parr.',
    quantity: 'length',
  },
  crveHubbard: {
    code: 'central-retinal-vein-equivalent-hubbard',
    display: retinaFurther.caliber.crveHubbard,
    definition: 'Central retinal vein equivalent of every venule of 25 um or more, by the earlier formula of Hubbard.',
    quantity: 'length',
  },
  avrHubbard: {
    code: 'arteriole-to-venule-ratio-hubbard',
    display: retinaFurther.caliber.avrHubbard,
    definition: 'Ratio of the equivalents by the earlier formulas of Parr and Hubbard.',
    quantity: 'ratio',
  },
  kindsConfidence: {
    code: 'artery-vein-separation',
    display: retinaHeads.quality.kindsConfidence,
    definition: 'How clearly arteries and veins differ around the optic disc, from 0 (not at all) to 1.',
    quantity: 'share',
  },
  zoneMeanWidth: {
    code: 'zone-mean-width',
    display: retinaFurther.caliber.zoneMeanWidth,
    definition: 'Mean width of the widest twelve vessels from half to one disc diameter from the margin of the disc.',
    quantity: 'length',
  },
  zoneSeen: {
    code: 'zone-in-view',
    display: retinaHeads.quality.zoneSeen,
    definition: 'Share of the zone from half to one disc diameter from the margin of the disc in the field of view.',
    quantity: 'share',
  },
  curvature: {
    code: 'vessel-curvature',
    display: retinaHeads.shape.curvature,
    definition: 'Sum of the absolute values of all turns divided by the length of the vessels.',
    quantity: 'curvature',
  },
  arteryTortuosity: {
    code: 'arteriole-tortuosity',
    display: retinaFurther.shape.arteryTortuosity,
    definition: 'Sum of lengths divided by the sum of end-to-end distances of the arterioles beside the optic disc.',
    quantity: 'ratio',
  },
  arteryCurvature: {
    code: 'arteriole-curvature',
    display: retinaFurther.shape.arteryCurvature,
    definition:
      'Sum of the absolute values of all turns of the arterioles beside the optic disc, divided by their length.',
    quantity: 'curvature',
  },
  veinTortuosity: {
    code: 'venule-tortuosity',
    display: retinaFurther.shape.veinTortuosity,
    definition: 'Sum of lengths divided by the sum of end-to-end distances of the venules beside the optic disc.',
    quantity: 'ratio',
  },
  veinCurvature: {
    code: 'venule-curvature',
    display: retinaFurther.shape.veinCurvature,
    definition:
      'Sum of the absolute values of all turns of the venules beside the optic disc, divided by their length.',
    quantity: 'curvature',
  },
  zoneAWidth: {
    code: 'zone-a-mean-width',
    display: retinaFurther.caliber.zoneAWidth,
    definition:
      'Mean width of the vessels up to half a disc diameter from the margin of the optic disc, weighted by length.',
    quantity: 'length',
  },
  zoneBWidth: {
    code: 'zone-b-mean-width',
    display: retinaHeads.caliber.zoneBWidth,
    definition:
      'Mean width of the vessels from half to one disc diameter from the margin of the optic disc, weighted by length.',
    quantity: 'length',
  },
  zoneCWidth: {
    code: 'zone-c-mean-width',
    display: retinaHeads.caliber.zoneCWidth,
    definition:
      'Mean width of the vessels from half to two disc diameters from the margin of the optic disc, weighted by length.',
    quantity: 'length',
  },
  fractalError: {
    code: 'vessel-fractal-dimension-standard-error',
    display: retinaFurther.shape.fractalError,
    definition: 'Standard error of the slope that is the fractal dimension.',
    quantity: 'ratio',
  },
  forks: {
    code: 'vessel-forks',
    display: retinaFurther.shape.forks,
    definition: 'Number of forks of three vessels that were measured.',
    quantity: 'count',
  },
  branchingAngle: {
    code: 'vessel-branching-angle',
    display: retinaHeads.shape.branchingAngle,
    definition: 'Median angle between the two branches of a fork.',
    quantity: 'angle',
  },
  branchingAreaRatio: {
    code: 'vessel-branching-area-ratio',
    display: retinaFurther.shape.branchingAreaRatio,
    definition: "Median over the forks: sum of the branches' squared widths divided by the trunk's squared width.",
    quantity: 'ratio',
  },
  branchingAsymmetry: {
    code: 'vessel-branching-asymmetry',
    display: retinaFurther.shape.branchingAsymmetry,
    definition: 'Median over the forks: squared width of the narrower branch divided by that of the wider one.',
    quantity: 'ratio',
  },
  branchingExponent: {
    code: 'vessel-branching-exponent',
    display: retinaHeads.shape.branchingExponent,
    definition: 'Median junction exponent of the forks after Murray.',
    quantity: 'ratio',
  },
  discDensitySuperior: {
    code: 'vessel-density-disc-superior',
    display: retinaFurther.vessels.discDensitySuperior,
    definition:
      'Share of the superior quarter that vessels cover, from the margin of the optic disc to one diameter from it.',
    quantity: 'percent',
  },
  discDensityInferior: {
    code: 'vessel-density-disc-inferior',
    display: retinaFurther.vessels.discDensityInferior,
    definition:
      'Share of the inferior quarter that vessels cover, from the margin of the optic disc to one diameter from it.',
    quantity: 'percent',
  },
  discDensityNasal: {
    code: 'vessel-density-disc-nasal',
    display: retinaFurther.vessels.discDensityNasal,
    definition:
      'Share of the nasal quarter that vessels cover, from the margin of the optic disc to one diameter from it.',
    quantity: 'percent',
  },
  discDensityTemporal: {
    code: 'vessel-density-disc-temporal',
    display: retinaFurther.vessels.discDensityTemporal,
    definition:
      'Share of the temporal quarter that vessels cover, from the margin of the optic disc to one diameter from it.',
    quantity: 'percent',
  },
  foveaDensitySuperior: {
    code: 'vessel-density-fovea-superior',
    display: retinaFurther.vessels.foveaDensitySuperior,
    definition: 'Share of the superior quarter that vessels cover, in the ETDRS rings around the fovea.',
    quantity: 'percent',
  },
  foveaDensityInferior: {
    code: 'vessel-density-fovea-inferior',
    display: retinaFurther.vessels.foveaDensityInferior,
    definition: 'Share of the inferior quarter that vessels cover, in the ETDRS rings around the fovea.',
    quantity: 'percent',
  },
  foveaDensityNasal: {
    code: 'vessel-density-fovea-nasal',
    display: retinaFurther.vessels.foveaDensityNasal,
    definition: 'Share of the nasal quarter that vessels cover, in the ETDRS rings around the fovea.',
    quantity: 'percent',
  },
  foveaDensityTemporal: {
    code: 'vessel-density-fovea-temporal',
    display: retinaFurther.vessels.foveaDensityTemporal,
    definition: 'Share of the temporal quarter that vessels cover, in the ETDRS rings around the fovea.',
    quantity: 'percent',
  },
  discX: {
    code: 'optic-disc-x',
    display: retinaFurther.quality.discX,
    definition: 'Horizontal position of the center of the optic disc in the photograph, from the left.',
    quantity: 'pixels',
  },
  discY: {
    code: 'optic-disc-y',
    display: retinaFurther.quality.discY,
    definition: 'Vertical position of the center of the optic disc in the photograph, from the top.',
    quantity: 'pixels',
  },
  agreement: {
    code: 'expected-agreement',
    display: retinaFurther.quality.agreement,
    definition: 'Expected overlap (Dice) of the vessel mask with the mask of a human annotator, from 0 to 1.',
    quantity: 'share',
  },
  discConfidence: {
    code: 'optic-disc-confidence',
    display: retinaHeads.quality.discConfidence,
    definition: 'How sure the software is of the optic disc, from 0 to 1.',
    quantity: 'share',
  },
  discRadius: {
    code: 'optic-disc-radius',
    display: retinaFurther.quality.discRadius,
    definition: 'Radius of the circle of the optic disc.',
    quantity: 'pixels',
  },
  foveaX: {
    code: 'fovea-x',
    display: retinaFurther.quality.foveaX,
    definition: 'Horizontal position of the fovea in the photograph, from the left.',
    quantity: 'pixels',
  },
  foveaY: {
    code: 'fovea-y',
    display: retinaFurther.quality.foveaY,
    definition: 'Vertical position of the fovea in the photograph, from the top.',
    quantity: 'pixels',
  },
} as const satisfies Record<string, Measure>;
