/**
 * The size at which pupils are searched. Eye cameras give 160 to 4000 pixels across, and what a method knows in pixels (the
 * width of a blur, of a reflection, of a vote) holds for one of them only: larger ones are reduced by a whole number, block
 * means that keep the place of an edge to a fraction of a pixel, very small ones enlarged, and what is found is given in the frame's
 * own pixels.
 */
import type { Plane } from '../../runtime/plane.ts';
import { type Region, regionOf } from '../search/region.ts';
import { enlarge, shrink } from '../../image/resize.ts';
import type { Ellipse, Pupil } from '../../results/types.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { PupilValues } from '../parameters.ts';
import { spread } from '../preparation/spread.ts';
import type { Last } from '../search/method.ts';

// What of a frame is a picture, and how well it is exposed. Every method knows levels: the step of a border, how bright a
// reflection is, thresholds. They are those of a picture that is exposed well; of a dark or flat one (an eye camera with too little
// light) the levels are spread, once, for all methods and both sides, as far as its own range asks for. A black frame around the
// picture is no part of it: it would be the darkest region, and the middle of all levels.

/** How levels are spread (`npm run bench -- levels pupil`). */
export interface Exposure {
  /** From the pupil's end of the levels to the other; a picture with more is searched as it is. */
  readonly range: number;
  /** From a dark pupil's end to the median, likewise: a camera without a gamma curve has most of its levels close to black. */
  readonly middle: number;
  /** The pupil's end of a picture whose levels are spread, */
  readonly base: number;
  /** and the largest gain: what is flatter shows noise. */
  readonly most: number;
}
export const EXPOSURE: Exposure = { range: 90, middle: 64, base: 24, most: 8 };

/** Samples across and down. */
const GRID = 56;
/** Of them beyond the pupil's end of the levels, as the smallest pupil has a dozen, and beyond the other: lamps, reflections. */
const TAIL = 3;
const OTHER_TAIL = 0.05 * GRID ** 2;
const HALF = 0.5 * GRID ** 2;
/** No frame is brighter, and one that is brighter than black is the darkest of the picture; */
const BRIGHTEST = 24;
const BLACK = 6;
/** so far from that of its corner are its levels, as a recording keeps them. */
const EVEN = 3;
/** A frame of less than this share of the region stays: a few lines, as digitizers add them, or a shadow. */
const THIN = 0.1;
/** Pixels of a line of the frame that are looked at. */
const LOOKS = 32;
/** No picture is smaller. */
const LEAST = 8;
/** The picture in a region, and what makes its pupil dark and its levels those of a good exposure (../preparation/spread.ts). */
export interface Picture {
  readonly region: Region;
  readonly levels: { readonly from: number; readonly gain: number; readonly base: number };
}

export function pictureOf(
  image: Plane,
  u8: Uint8Array,
  region: Region,
  dark: boolean,
  { range, middle, base, most } = EXPOSURE,
): Picture {
  const level = (x: number, y: number) => u8[image.address + (y | 0) * image.stride + (x | 0)]!;
  const counts = new Uint32Array(256);
  const count = ({ x0, y0, x1, y1 }: Region) => {
    counts.fill(0);
    for (let v = 0.5; v < GRID; v++) {
      const row = image.address + image.stride * ((y0 + (v / GRID) * (y1 - y0)) | 0);
      for (let u = 0.5; u < GRID; u++) counts[u8[row + ((x0 + (u / GRID) * (x1 - x0)) | 0)]!]!++;
    }
  };
  const end = (upwards: boolean, tail: number) => {
    let v = upwards ? 0 : 255;
    for (let sum = counts[v]!; sum <= tail; sum += counts[v]!) v += upwards ? 1 : -1;
    return v;
  };
  count(region);
  if (dark && level(region.x0, region.y0) <= Math.min(BRIGHTEST, Math.max(BLACK, end(true, TAIL) + EVEN)))
    count((region = withoutFrame(level, region)));
  const from = end(dark, TAIL);
  const had = Math.abs(end(!dark, OTHER_TAIL) - from) || 1;
  const half = dark ? end(dark, HALF) - from || 1 : Infinity;
  const gain = Math.min(most, Math.max(1, Math.floor(16 * Math.max(range / had, middle / half)) / 16));
  const darkest = dark ? from : 255 - from;
  // Levels move little by little as pictures get darker.
  const moved = Math.round(base + (darkest - base) / gain ** 4);
  return { region, levels: { from, gain: dark ? gain : -gain, base: moved } };
}

/** The region without the lines around it that are as dark as its corner. */
function withoutFrame(level: (x: number, y: number) => number, region: Region): Region {
  let { x0, y0, x1, y1 } = region;
  const area = (x1 - x0) * (y1 - y0);
  const corner = level(x0, y0);
  const even = (x: number, y: number, across: number, down: number) => {
    for (let k = 0; k <= 1; k += 1 / LOOKS)
      if (Math.abs(level(x + k * across, y + k * down) - corner) > EVEN) return false;
    return true;
  };
  while (y1 - y0 > LEAST && even(x0, y0, x1 - x0 - 1, 0)) y0++;
  if (y1 - y0 === LEAST) return region; // black all over
  while (y1 - y0 > LEAST && even(x0, y1 - 1, x1 - x0 - 1, 0)) y1--;
  while (x1 - x0 > LEAST && even(x0, y0, 0, y1 - y0 - 1)) x0++;
  while (x1 - x0 > LEAST && even(x1 - 1, y0, 0, y1 - y0 - 1)) x1--;
  return (x1 - x0) * (y1 - y0) > (1 - THIN) * area ? region : { x0, y0, x1, y1 };
}

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
