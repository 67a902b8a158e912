/**
 * From pixels to millimetres by something of known size in the plane of the pupil, best a printed disc. The scale holds for
 * that distance from the camera only: an eye that is a tenth nearer appears a tenth larger.
 */
import type { Ellipse } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';

export interface Disc {
  /** Full axes of the disc's image in pixels; a disc that is seen straight has equal ones. */
  major: number;
  minor: number;
  /** Of the major axis, radians; needed only where pixels are not square. */
  angle?: number;
}

export interface CalibrationOptions {
  /** Width of a pixel over its height; frames that a browser decodes have square pixels already. */
  pixelAspect?: number;
}

const bad = (text: string) => new FoveolaError('invalid-argument', `millimetresPerPixel: ${text}`);

/**
 * Millimetres per pixel (of its height, where pixels are not square) from a disc of known diameter. A disc that is tilted
 * away from the camera is shortened across its axis of tilt only, so its longer axis counts.
 * @param disc its diameter in pixels, or its axes
 * @param millimetres its diameter
 * @throws {FoveolaError} 'invalid-argument': a disc or a diameter that is not above 0, or an aspect that is none
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
 * The diameter in millimetres of a pupil that was measured in pixels which are not square; with square ones it is
 * `diameterMm`. Null where there is no ellipse.
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
