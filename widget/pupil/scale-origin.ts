/** The origin of a scale and its uncertainty, for the panel and for exports. */
import type { CalibrationNote, Laterality } from '../../src/index.ts';
import type { Strings } from '../strings/index.ts';
import { eyeName } from '../base/views.ts';

export const ways = ['disc', 'ruler', 'iris'] as const;
export type Way = (typeof ways)[number];

/**
 * Horizontal width of the visible iris in millimeters, and its standard deviation between people (Ruefer, Schroeder and
 * Erb, Cornea 24(3), 2005).
 */
export const iris = { millimetres: 11.7, deviation: 0.42 } as const;

/** Standard deviation of a measured iris in percent of its width, on rendered eyes (lab/train/eyes/README.md). */
const MEASURED = 2.5;

/** An iris that the second opinion measured. */
export interface MeasuredIris {
  readonly pixels: number;
  readonly frames: number;
  /** Index of its eye in the results. */
  readonly pupil: number;
  readonly eye: Laterality;
}

/** A calibration that was made here. */
export interface Made {
  readonly way: Way;
  readonly scale: number;
  readonly pixels: number;
  readonly millimetres: number;
  readonly measured?: MeasuredIris;
}

const isAverage = ({ way, millimetres }: Made) => way === 'iris' && millimetres === iris.millimetres;

/** Percent by which all millimeters may be off: irises differ, and a mark may be one pixel too wide. */
function uncertaintyOf(made: Made): number {
  if (!isAverage(made)) return 100 / made.pixels;
  const people = (100 * iris.deviation) / iris.millimetres;
  return made.measured ? Math.hypot(people, MEASURED) : people;
}

/** Origin and uncertainty as text. `eyes`: how many there are; `mirror`: the display is mirrored. */
export function originText(s: Strings, made: Made, eyes: unknown, mirror: boolean): string {
  const { calibrations: c, number } = s;
  const { way, measured, pixels } = made;
  const percent = number(uncertaintyOf(made), 1);
  if (!measured) return `${c[way].made} ${c[isAverage(made) ? 'deviation' : 'precision'](percent)}`;
  const eye = eyes === 2 ? eyeName(s, measured.eye, measured.pupil, mirror) : '';
  return `${c.measured.made(number(pixels, 1), measured.frames, eye)} ${c.measured.deviation(percent)}`;
}

/** Origin of a scale for exports. */
export const noteOf = (made: Made): CalibrationNote => ({
  ...{ millimetresPerPixel: made.scale, method: made.way, pixels: Number(made.pixels.toFixed(1)) },
  ...{ millimetres: made.millimetres, uncertaintyPercent: Number(uncertaintyOf(made).toFixed(1)) },
});
