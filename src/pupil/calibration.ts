/**
 * Converts pixels to millimeters with an object of known size in the plane of the pupil, ideally a printed disc. The
 * scale is valid only for that distance from the camera: an eye that is 10 % nearer appears 10 % larger.
 */
import type { Ellipse } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';

export interface Disc {
  /** Full axes of the disc's image in pixels. The axes of a disc that faces the camera are equal. */
  major: number;
  minor: number;
  /** Angle of the major axis in radians. Needed only if pixels are not square. */
  angle?: number;
}

export interface CalibrationOptions {
  /** Width of a pixel divided by its height. Frames that a browser decodes already have square pixels. */
  pixelAspect?: number;
}

const bad = (text: string) => new FoveolaError('invalid-argument', `millimetresPerPixel: ${text}`);

/**
 * Returns millimeters per pixel from a disc of known diameter. If pixels are not square, the unit is the height of a
 * pixel. A disc that is tilted away from the camera is shortened only across its tilt axis, so its longer axis is used.
 * @param disc its diameter in pixels, or its axes
 * @param millimetres its diameter
 * @throws {FoveolaError} 'invalid-argument' if a disc or a diameter is not above 0, or an aspect is not valid
 */
export function millimetresPerPixel(
  disc: number | Disc,
  millimetres: number,
  options: CalibrationOptions = {},
): number {
  const { pixelAspect = 1 } = options;
  const { major, minor, angle = 0 } = typeof disc === 'number' ? { major: disc, minor: disc } : disc;
  if (!(pixelAspect > 0 && pixelAspect < Infinity))
    throw bad(`pixelAspect must be above 0, not ${String(pixelAspect)}.`);
  if (!(major > 0 && minor > 0 && major < Infinity && minor < Infinity && Number.isFinite(angle)))
    throw bad('the disc has no size. Mark it again, from edge to edge.');
  if (!(millimetres > 0 && millimetres < Infinity))
    throw bad(`the diameter of the disc must be above 0 mm, not ${String(millimetres)}.`);
  return millimetres / squareMajor({ major, minor, angle }, pixelAspect);
}

/**
 * Returns the diameter in millimeters of a pupil that was measured in pixels that are not square. With square pixels,
 * use `diameterMm`. Null without an ellipse.
 */
export function diameterInMillimetres(
  ellipse: Pick<Ellipse, 'major' | 'minor' | 'angle'> | null,
  scale: number,
  options: CalibrationOptions = {},
): number | null {
  const { pixelAspect = 1 } = options;
  if (!(scale > 0 && scale < Infinity)) throw bad(`the scale must be above 0 mm, not ${String(scale)}.`);
  if (!(pixelAspect > 0 && pixelAspect < Infinity))
    throw bad(`pixelAspect must be above 0, not ${String(pixelAspect)}.`);
  return ellipse ? scale * squareMajor(ellipse, pixelAspect) : null;
}

/** Major axis in units of a pixel's height: the larger singular value of the axes, stretched in x. */
function squareMajor({ major, minor, angle = 0 }: Disc, aspect: number): number {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [ax, ay, bx, by] = [aspect * c * major, s * major, -aspect * s * minor, c * minor];
  const sum = ax * ax + ay * ay + bx * bx + by * by;
  const area = ax * by - ay * bx;
  return Math.sqrt((sum + Math.sqrt(Math.max(0, sum * sum - 4 * area * area))) / 2);
}
