/** Parts of a frame to search for one eye. */
import type { PupilValues } from '../parameters.ts';

/** x0 <= x < x1, y0 <= y < y1. */
export interface Region {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Position and size of the last pupil. */
interface Circle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/**
 * Returns the area of an eye: the region of interest, or its left or right half for two eyes. Null if it is outside the
 * frame.
 */
export function regionOf(width: number, height: number, values: PupilValues, eye: number): Region | null {
  const roi = values.roi ?? { x: 0, y: 0, width, height };
  const within = (v: number, end: number) => Math.min(end, Math.max(0, v));
  let x0 = within(Math.floor(roi.x), width);
  let x1 = within(Math.ceil(roi.x + roi.width), width);
  const y0 = within(Math.floor(roi.y), height);
  const y1 = within(Math.ceil(roi.y + roi.height), height);
  if (values.eyes === 2) {
    const middle = (x0 + x1) >> 1;
    if (eye === 0) x1 = middle;
    else x0 = middle;
  }
  return x1 - x0 >= 3 && y1 - y0 >= 3 ? { x0, y0, x1, y1 } : null;
}

/** Surroundings of the last pupil within a region, large enough for the usual motion to the next frame. */
export function around({ x, y, r }: Circle, region: Region): Region {
  return square(x, y, 1.6 * r + 24, region);
}

/** Possible positions of the next center in these surroundings, so that the whole pupil is inside. */
export const centersAround = ({ x, y, r }: Circle, region: Region): Region => square(x, y, 0.6 * r + 24, region);

function square(x: number, y: number, half: number, region: Region): Region {
  return {
    x0: Math.max(region.x0, Math.floor(x - half)),
    y0: Math.max(region.y0, Math.floor(y - half)),
    x1: Math.min(region.x1, Math.ceil(x + half)),
    y1: Math.min(region.y1, Math.ceil(y + half)),
  };
}

export const contains = (outer: Region, { x0, y0, x1, y1 }: Region): boolean =>
  outer.x0 <= x0 && outer.y0 <= y0 && outer.x1 >= x1 && outer.y1 >= y1;

/** Grows a box by `margin` pixels in every direction, within limits. */
export const grownBy = ({ x0, y0, x1, y1 }: Region, margin: number, limits: Region): Region => ({
  x0: Math.max(limits.x0, x0 - margin),
  y0: Math.max(limits.y0, y0 - margin),
  x1: Math.min(limits.x1, x1 + margin),
  y1: Math.min(limits.y1, y1 + margin),
});
