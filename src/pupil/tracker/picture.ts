/**
 * What of a frame is a picture, and how well it is exposed. Every method knows levels: the step of a border, how bright a
 * reflection is, thresholds. They are those of a picture that is exposed well; of a dark or flat one (an eye camera with too little
 * light) the levels are spread, once, for all methods and both sides, as far as its own range asks for. A black frame around the
 * picture is no part of it: it would be the darkest region, and the middle of all levels.
 */
import type { Plane } from '../../runtime/plane.ts';
import type { Region } from '../search/region.ts';

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
