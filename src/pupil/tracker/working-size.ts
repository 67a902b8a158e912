/**
 * The size at which pupils are searched. Eye cameras have 160 to 4000 pixels across. The pixel sizes in a method (width
 * of a blur, a reflection, a vote) fit only one of these sizes. Larger frames are reduced by an integer factor, with
 * block means that keep the position of an edge to a fraction of a pixel. Very small frames are enlarged. Results are
 * in the original frame's pixels.
 */
import { number } from '../../runtime/parameters.ts';
import { defineStage } from '../../runtime/stage.ts';
import type { Plane } from '../../runtime/plane.ts';
import { type Region, regionOf } from '../search/region.ts';
import { enlarge, shrink } from '../../image/resize.ts';
import type { Ellipse, Pupil } from '../../results/types.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { PupilValues } from '../parameters.ts';
import type { Last } from '../search/method.ts';

/**
 * base + gain (level - from), rounded and clamped to 0..255. It makes a dark or flat image look well exposed. A gain of
 * -1 turns a bright pupil (light next to the lens) into a dark one.
 */

const effect = 'In base + gain (level - from).';
const level = number({ default: 0, min: 0, max: 255, integer: true, effect });

export const spread = defineStage({
  name: 'pupil/spread',
  // The gain in integer sixteenths.
  params: { from: level, gain: number({ default: 2, min: -8, max: 8, effect }), base: level },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'The image is needed on the WASM side in any case, and a pass would cost a read-back.',
  *wasm(scope, [source], { from, gain, base }) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    const sixteenths = Math.round(16 * gain);
    yield* scope.kernels.spreadLevels({ source, target, width, from, sixteenths, base }, { rows: height });
    return [target];
  },
});

// Finds the image area in a frame and its exposure. Every method uses gray values: the step of a border, the brightness
// of a reflection, thresholds. These fit a well exposed image. In a dark or flat image (an eye camera with too little
// light), the gray values are spread, once for all methods and both backends, as far as its range requires. A black
// frame around the image is excluded. Otherwise it would be the darkest region and the median of all gray values.

/** Limits of spreading. */
export interface Exposure {
  /**
   * Range from the pupil's end of the gray values to the other end. An image with a larger range is searched unchanged.
   */
  readonly range: number;
  /**
   * Range from a dark pupil's end to the median. A camera without a gamma curve has most of its gray values close to
   * black.
   */
  readonly middle: number;
  /** Gray value of the pupil's end in an image with spread gray values. */
  readonly base: number;
  /** Maximum gain. A flatter image would show noise. */
  readonly most: number;
}
export const EXPOSURE: Exposure = { range: 90, middle: 64, base: 24, most: 8 };

/** Number of samples across and down. */
const GRID = 56;
/**
 * Samples beyond the pupil's end of the gray values (the smallest pupil has a dozen), and beyond the other end (lamps,
 * reflections).
 */
const TAIL = 3;
const OTHER_TAIL = 0.05 * GRID ** 2;
const HALF = 0.5 * GRID ** 2;
/** Maximum gray value of a black frame. A frame that is brighter than BLACK must be the darkest part of the image. */
const BRIGHTEST = 24;
const BLACK = 6;
/** Maximum difference between the gray values of a black frame and its corner, after recording. */
const EVEN = 3;
/**
 * Minimum share of the region to remove a black frame. A smaller one may be a few lines from a digitizer, or a shadow.
 */
const THIN = 0.1;
/** Number of pixels to check per line of the black frame. */
const LOOKS = 32;
/** Minimum width and height of the image area. */
const LEAST = 8;
/** The image area in a region, and the levels that make its pupil dark and well exposed (see spread). */
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
  // The base changes gradually as images get darker.
  const moved = Math.round(base + (darkest - base) / gain ** 4);
  return { region, levels: { from, gain: dark ? gain : -gain, base: moved } };
}

/** Removes lines at the border of the region that are as dark as its corner. */
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

/** Maximum factor of image/shrink. */
const MOST = 16;

/** Minimum diagonal of an image in the coarse search. */
export const COARSE_DIAGONAL = 120;

/**
 * Minimum diagonal. A smaller frame is enlarged, up to MOST_ENLARGED times, so that the coarse search always has an
 * image at half the size. Otherwise a pupil that is large or soft for its image is lost between two sizes (`npm run
 * bench -- cliffs pupil`).
 */
const LEAST_DIAGONAL = 2 * COARSE_DIAGONAL;
const MOST_ENLARGED = 8;

/**
 * Factor to reduce a frame, from the diagonal of the area to search: the region of interest, or half of it per eye for
 * two eyes. It is 1 / n if a small frame is enlarged n times, which depends on the diagonal of the frame itself. It is
 * 1 in the paper's variant, which searches the original frame.
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

/** Enlargement for a factor of `workingFactor`. 1 if the frame is reduced or searched unchanged. */
export const timesLarger = (factor: number): number => Math.max(1, Math.round(1 / factor));

/** The input of the search for a frame. */
export interface Working {
  /** Image with dark pupils and the gray values of a well exposed image. */
  readonly image: Plane;
  /** Values in pixels of the image. */
  readonly values: PupilValues;
  /** Gray values of the image per gray value of the frame. */
  readonly gain: number;
  /** True if the gain is at its maximum, because the frame is dark or flat. */
  readonly dim: boolean;
}

/** Prepares a frame for the search. The frame is unchanged in the paper's variant. */
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

/** Size of the frame that is searched. */
export function workingSize({ width, height }: Size, values: PupilValues): Size {
  const factor = workingFactor({ width, height }, values);
  const larger = timesLarger(factor);
  if (larger > 1) return { width: width * larger, height: height * larger };
  return { width: Math.floor(width / factor), height: Math.floor(height / factor) };
}

/** Converts values for a reduced or enlarged frame. */
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

/** Converts a coordinate to an image `times` as large. Pixel centers are integers in both. */
const place = (v: number, times: number): number => (v + 0.5) * times - 0.5;
const placed = <T extends { x: number; y: number }>(at: T, times: number): T => ({
  ...at,
  x: place(at.x, times),
  y: place(at.y, times),
});
const grown = (ellipse: Ellipse | null, times: number): Ellipse | null =>
  ellipse && { ...placed(ellipse, times), major: ellipse.major * times, minor: ellipse.minor * times };

/** Converts a last pupil to pixels of a frame `times` as large. */
export const resized = (last: Last, times: number): Last => ({
  ...placed(last, times),
  r: last.r * times,
  ellipse: grown(last.ellipse, times),
});

/** Converts a result of a reduced or enlarged frame to pixels of the frame. */
export function enlarged(pupil: Pupil, factor: number): Pupil {
  if (factor === 1) return pupil;
  const { ellipse, circle, diameterMm, outline, irisDiameter } = pupil;
  return {
    ...placed(pupil, factor),
    diameter: pupil.diameter * factor,
    diameterMm: diameterMm === null ? null : diameterMm * factor,
    ellipse: grown(ellipse, factor),
    circle: { ...placed(circle, factor), r: circle.r * factor },
    ...(irisDiameter && { irisDiameter: irisDiameter * factor }),
    ...(outline && { outline: outline.map((v) => place(v, factor)) }),
  };
}
