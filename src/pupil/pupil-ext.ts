/**
 * The columns of PupilEXT's CSV (Zandi et al., "PupilEXT: Flexible Open-Source Platform for High-Resolution
 * Pupillometry in Vision Research", Front. Neurosci. 2021), in its order, as written by version 0.1.1: for one pupil,
 * and for two pupils in one image. Its ellipse is an OpenCV RotatedRect of a fitted ellipse: the width is the minor
 * axis and the height the major one. The angle belongs to the width, and axisRatio is width to height. It writes -1 for
 * unknown values. Here they are empty fields.
 */

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

const number = (value: number, digits: number) => (Number.isFinite(value) ? String(Number(value.toFixed(digits))) : '');

/** Fields for `singleColumns`. All are empty if the eye is null. */
export function singleFields(eye: EyeCells | null): string[] {
  if (!eye) return singleColumns.map(() => '');
  const { major, minor } = eye;
  return [
    number(eye.diameter, 3),
    '', // lenses are not corrected
    number(eye.diameterMm, 4),
    number(minor, 3),
    number(major, 3),
    number(minor / major, 4),
    number(eye.x, 3),
    number(eye.y, 3),
    number(eye.angle, 3),
    number(circumference(major, minor), 3),
    number(eye.confidence, 4),
    number(eye.outlineConfidence, 4),
  ];
}

/** Fields for `pairColumns`. */
export function pairFields(first: EyeCells | null, second: EyeCells | null): string[] {
  const [a, b] = [first, second].map((eye) => {
    const fields = singleFields(eye);
    return (name: (typeof singleColumns)[number]) => fields[singleColumns.indexOf(name)]!;
  }) as [(name: (typeof singleColumns)[number]) => string, (name: (typeof singleColumns)[number]) => string];
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
