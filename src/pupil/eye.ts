/** What a tracker knows of one eye between frames. */
import type { Pupil } from '../results/types.ts';
import type { BlinkDetector } from './blink.ts';
import type { PupilValues } from './parameters.ts';
import type { Region, StarburstSearch } from './starburst-search.ts';

/** The threshold in tracking: this share of the last pupil's contrast, at most 30 gray levels. */
const SHARE = 0.4;
const HIGHEST = 30;
/** While the pupil stays lost, the best two regions are tried; all of them again every eighth frame. */
const TRIED_WHILE_LOST = 2;
const ALL_EVERY = 8;

/** The last pupil: where the next search starts. */
export interface Last {
  x: number;
  y: number;
  r: number;
  contrast: number;
  dark: number;
}

export interface Eye {
  search: StarburstSearch;
  blinks: BlinkDetector;
  last: Last | null;
  /** Frames since the pupil was last seen, 0 at the start. */
  lost: number;
}

/** A try around the last pupil: longest rays and threshold. */
export const trackingStart = (last: Last, values: PupilValues) => ({
  x: last.x,
  y: last.y,
  reach: Math.floor(1.8 * last.r) + 24,
  gradient: Math.max(values.gradient, Math.min(HIGHEST, SHARE * last.contrast)),
});

/** Where the paper's variant starts: the last centre, else the middle of the region. */
export const paperStart = (last: Last | null, region: Region, values: PupilValues): { x: number; y: number } =>
  (values.tracking && last) || { x: (region.x0 + region.x1 - 1) / 2, y: (region.y0 + region.y1 - 1) / 2 };

/** How many regions are tried while there is no last pupil. */
export const regionsToTry = (lost: number, values: PupilValues): number =>
  values.tracking && lost % ALL_EVERY ? TRIED_WHILE_LOST : values.candidates;

/** Keeps what the next frame starts from. */
export function remember(eye: Eye, pupil: Pupil): void {
  const { search } = eye;
  eye.last = pupil.found
    ? { x: pupil.x, y: pupil.y, r: pupil.diameter / 2, contrast: search.get('contrast'), dark: search.get('dark') }
    : null;
  eye.lost = pupil.found ? 0 : eye.lost + 1;
}

/** Where an eye may be: the region of interest, of it the left or right half with two eyes; null when outside. */
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
