/**
 * The columns of PupilEXT's CSV (Zandi et al., "PupilEXT: Flexible Open-Source Platform for High-Resolution
 * Pupillometry in Vision Research", Front. Neurosci. 2021), in its order, as written by version 0.1.1: for one pupil,
 * and for two pupils in one image. Its ellipse is an OpenCV RotatedRect of a fitted ellipse: the width is the minor
 * axis and the height the major one. The angle belongs to the width, and axisRatio is width to height. It writes -1 for
 * unknown values. Here they are empty fields.
 */

import { type Field, rounded } from '../results/csv.ts';

/** Known values of one eye's pupil. Unknown values are NaN. */
export interface EyeCells {
  readonly diameter: number;
  readonly diameterMm: number;
  readonly major: number;
  readonly minor: number;
  /** Angle of the minor axis in degrees. */
  readonly angle: number;
  readonly x: number;
  readonly y: number;
  readonly confidence: number;
  readonly outlineConfidence: number;
}

/** Columns after filename, timestamp_ms and algorithm. */
export const singleColumns = [
  'diameter_px',
  'undistortedDiameter_px',
  'physicalDiameter_mm',
  'width_px',
  'height_px',
  'axisRatio',
  'center_x',
  'center_y',
  'angle_deg',
  'circumference_px',
  'confidence',
  'outlineConfidence',
] as const;

/** Columns for two pupils. A is the pupil in the left half of the image, B the pupil in the right half. */
export const pairColumns = [
  ...['diameterA_px', 'diameterB_px', 'undistortedDiameterA_px', 'undistortedDiameterB_px'],
  ...['physicalDiameterA_mm', 'physicalDiameterB_mm'],
  ...['widthA_px', 'heightA_px', 'axisRatioA', 'widthB_px', 'heightB_px', 'axisRatioB'],
  ...['centerA_x', 'centerA_y', 'centerB_x', 'centerB_y', 'angleA_deg', 'angleB_deg'],
  ...['circumferenceA_px', 'circumferenceB_px'],
  ...['confidenceA', 'outlineConfidenceA', 'confidenceB', 'outlineConfidenceB'],
] as const;

/** Ramanujan's second approximation, accurate to 1e-5 for any ellipse. */
function circumference(major: number, minor: number): number {
  const h = ((major - minor) / (major + minor)) ** 2;
  return ((Math.PI * (major + minor)) / 2) * (1 + (3 * h) / (10 + Math.sqrt(4 - 3 * h)));
}

/** Fields for `singleColumns`. All are empty if the eye is null. */
export function singleFields(eye: EyeCells | null): Field[] {
  if (!eye) return singleColumns.map(() => null);
  const { major, minor } = eye;
  return [
    rounded(eye.diameter, 3),
    null, // lenses are not corrected
    rounded(eye.diameterMm, 4),
    rounded(minor, 3),
    rounded(major, 3),
    rounded(minor / major, 4),
    rounded(eye.x, 3),
    rounded(eye.y, 3),
    rounded(eye.angle, 3),
    rounded(circumference(major, minor), 3),
    rounded(eye.confidence, 4),
    rounded(eye.outlineConfidence, 4),
  ];
}

/** Fields for `pairColumns`. */
export function pairFields(first: EyeCells | null, second: EyeCells | null): Field[] {
  const [a, b] = [first, second].map((eye) => {
    const fields = singleFields(eye);
    return (name: (typeof singleColumns)[number]) => fields[singleColumns.indexOf(name)]!;
  }) as [(name: (typeof singleColumns)[number]) => Field, (name: (typeof singleColumns)[number]) => Field];
  const both = (name: (typeof singleColumns)[number]) => [a(name), b(name)];
  const each = (...names: (typeof singleColumns)[number][]) => [...names.map(a), ...names.map(b)];
  return [
    ...both('diameter_px'),
    ...both('undistortedDiameter_px'),
    ...both('physicalDiameter_mm'),
    ...each('width_px', 'height_px', 'axisRatio'),
    ...each('center_x', 'center_y'),
    ...both('angle_deg'),
    ...both('circumference_px'),
    ...each('confidence', 'outlineConfidence'),
  ];
}
