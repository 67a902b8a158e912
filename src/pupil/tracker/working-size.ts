/**
 * The size at which pupils are searched. Eye cameras give 160 to 4000 pixels across, and what a method knows in pixels (the
 * width of a blur, of a reflection, of a vote) holds for one of them only: larger ones are reduced by a whole number, block
 * means that keep the place of an edge to a fraction of a pixel, very small ones enlarged, and what is found is given in the frame's
 * own pixels.
 */
import { enlarge } from '../../image/enlarge.ts';
import { shrink } from '../../image/shrink.ts';
import type { Ellipse, Pupil } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { PupilValues } from '../parameters.ts';
import { spread } from '../preparation/spread.ts';
import type { Last } from '../search/method.ts';
import { regionOf } from '../search/region.ts';
import { EXPOSURE, pictureOf, type Exposure } from './picture.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Largest factor that image/shrink knows. */
const MOST = 16;

/** The coarse search uses no picture below this diagonal (`npm run bench -- coarse pupil`). */
export const COARSE_DIAGONAL = 120;

/**
 * A smaller frame is enlarged, up to so many times, so that the coarse search always has its picture at half the size. Without it,
 * a pupil that is large or soft for its picture is lost between two sizes (`npm run bench -- cliffs pupil`).
 */
const LEAST_DIAGONAL = 2 * COARSE_DIAGONAL;
const MOST_ENLARGED = 8;

/**
 * By which a frame is reduced, by the diagonal of what is searched of it: the region of interest, of two eyes a half each. 1 / n
 * where a small frame is enlarged n times, by the frame's own diagonal. 1 in the paper's variant, which searches the frame as it
 * is.
 */
export function workingFactor(frame: Size, values: PupilValues, least = LEAST_DIAGONAL): number {
  const { variant, workingDiagonal, roi, eyes } = values;
  if (variant === 'paper') return 1;
  const larger = Math.ceil(Math.min(least, workingDiagonal) / Math.hypot(frame.width / eyes, frame.height));
  if (larger > 1) return 1 / Math.min(MOST_ENLARGED, larger);
  const { width, height } = roi ?? frame;
  const factor = Math.round(Math.hypot(width / eyes, height) / workingDiagonal);
  return Math.min(MOST, Math.max(1, factor), frame.width, frame.height);
}

/** How many times a frame is enlarged by a factor of `workingFactor`; 1 where it is reduced or searched as it is. */
export const timesLarger = (factor: number): number => Math.max(1, Math.round(1 / factor));

/** What is searched of a frame. */
export interface Working {
  /** With dark pupils, its levels as of a picture that is exposed well. */
  readonly image: Plane;
  /** In pixels of the image. */
  readonly values: PupilValues;
  /** Gray levels of it for one of the frame. */
  readonly gain: number;
  /** As far as they may be spread: it is dark or flat. */
  readonly dim: boolean;
}

/** Of a frame what is searched; in the paper's variant the frame as it is. */
export function* working(
  scope: Scope,
  source: Plane,
  given: PupilValues,
  exposure: Exposure = EXPOSURE,
): Plan<Working> {
  const factor = workingFactor(source, given);
  let image = source;
  let values = workingValues(given, factor);
  const larger = timesLarger(factor);
  if (factor > 1) [image] = yield* scope.run(shrink, [source], { factor });
  else if (larger > 1) [image] = yield* scope.run(enlarge, [source], { factor: larger });
  const dark = given.polarity === 'dark';
  const region = given.variant === 'paper' ? null : regionOf(image.width, image.height, { ...values, eyes: 1 }, 0);
  const picture = region && pictureOf(image, scope.arena.u8, region, dark, exposure);
  if (picture) {
    const { x0, y0, x1, y1 } = picture.region;
    values = { ...values, roi: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } };
  }
  const levels = picture?.levels ?? { from: 255, gain: dark ? 1 : -1, base: 0 };
  if (levels.gain !== 1) [image] = yield* scope.run(spread, [image], levels);
  const gain = Math.abs(levels.gain);
  return { image, values, gain, dim: gain >= exposure.most };
}

/** Of the frame that is searched. */
export function workingSize({ width, height }: Size, values: PupilValues): Size {
  const factor = workingFactor({ width, height }, values);
  const larger = timesLarger(factor);
  if (larger > 1) return { width: width * larger, height: height * larger };
  return { width: Math.floor(width / factor), height: Math.floor(height / factor) };
}

/** The values for a frame that was reduced or enlarged. */
export function workingValues(values: PupilValues, factor: number): PupilValues {
  const { roi } = values;
  if (factor === 1 || !roi) return values;
  const [x, y, width, height] = [roi.x, roi.y, roi.width, roi.height].map((v) => v / factor) as [
    number,
    number,
    number,
    number,
  ];
  return { ...values, roi: { x, y, width, height } };
}

/** In an image so many times as large: pixel centers are whole numbers in both. */
const place = (v: number, times: number): number => (v + 0.5) * times - 0.5;
const placed = <T extends { x: number; y: number }>(at: T, times: number): T => ({
  ...at,
  x: place(at.x, times),
  y: place(at.y, times),
});
const grown = (ellipse: Ellipse | null, times: number): Ellipse | null =>
  ellipse && { ...placed(ellipse, times), major: ellipse.major * times, minor: ellipse.minor * times };

/** A last pupil in pixels of a frame so many times as large. */
export const resized = (last: Last, times: number): Last => ({
  ...placed(last, times),
  r: last.r * times,
  ellipse: grown(last.ellipse, times),
});

/** What was found in a reduced or enlarged frame, in pixels of the frame. */
export function enlarged(pupil: Pupil, factor: number): Pupil {
  if (factor === 1) return pupil;
  const { ellipse, circle, diameterMm, outline } = pupil;
  return {
    ...placed(pupil, factor),
    diameter: pupil.diameter * factor,
    diameterMm: diameterMm === null ? null : diameterMm * factor,
    ellipse: grown(ellipse, factor),
    circle: { ...placed(circle, factor), r: circle.r * factor },
    ...(outline && { outline: outline.map((v) => place(v, factor)) }),
  };
}
