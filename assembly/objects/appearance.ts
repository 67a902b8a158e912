// Appearance of a target as correlation filters over oriented gradients, brightness and color. There is a follower that
// adapts from frame to frame, a copy of the follower from when it was last trusted, and a bounded memory of constant
// views (long and short memory: Ma et al. 2015). The follower has weights only on the target (appearance-solve.ts), so
// it neither follows nor learns the background. A view is the ridge regression from all shifts of an example to a
// narrow Gaussian, solved in the Fourier domain (Bolme et al. 2010, for many channels Danelljan et al. 2014). The cost
// of observing a window is its histograms and their spectra, computed only once per window. Another filter on it costs
// a small part of that.
import { Box } from './boxes';
import { BRIGHTNESSES, brightnessChannels } from './appearance-brightness';
import { colorChannels } from './appearance-colors';
import { ObjectFrame } from './frame';
import { HISTOGRAM_BYTES, orientedHistograms } from './appearance-histograms';
import { filterSolve } from './appearance-solve';
import { channelSpectra, filterLearn, filterResponse } from './appearance-spectra';

/** Cells across the window, and samples across a cell. */
const CELLS: i32 = 32;
const SAMPLES: f64 = 64;
const SHAPES: i32 = 28;
/** Channels of a target without color. */
const CHANNELS: i32 = SHAPES + BRIGHTNESSES;
const PLANE_BYTES: usize = <usize>(4 * CELLS * CELLS);
/**
 * For each channel the numerators of a filter, complex. The denominators, real, follow the numerators of all channels.
 */
const SPECTRUM_BYTES: usize = <usize>(8 * CELLS * (CELLS / 2 + 1));
/** Added to the energy of every frequency of a view. The follower has its regularization in its weights. */
const LAMBDA: f32 = 5;
const SOLVED: f32 = 1;
/** Threshold in pixels per sample, 2^0.75, for using the next pyramid level of the frame. */
const NEXT_LEVEL: f64 = 1.681792830507429;
/** Maximum number of later views, in addition to the first one. */
export const MOST_VIEWS: i32 = 8;
/** Masks of a window. */
export const WIDE: i32 = 0;
export const CLOSE_UP: i32 = 1;
/** Not a window mask: it limits where the follower may have weights. */
const REACH: i32 = 2;
/** The rate that corresponds to the follower's inertia. */
const RATE: f32 = 0.03;
/** Bytes of a pyramid level in the frame's table. */
const LEVEL_BYTES: usize = 16;
/** Radius of a peak in cells. */
const PEAK: i32 = 3;
/** Bytes of scratch for observing a window. */
export const LOOK_BYTES: usize = HISTOGRAM_BYTES;

@unmanaged
export class Appearance {
  // The window of the channels and the spectra.
  windowX: f64; // center and width of the window, pixels of the frame
  windowY: f64;
  windowSide: f64;
  padding: f64; // width of the window relative to the geometric mean of the box's width and height
  inertia: f64; // of the follower
  pull: f64; // of the mask, both in units of the mean energy
  channelCount: i32; // 32, with colors 36
  windowFrame: i32; // serial of the frame, 0: none
  mask: i32; // of the spectra, -1: none
  // Tables: cosines and sines, the spectrum of the target response, weights of the cells for each mask. f32.
  directions: usize;
  twiddles: usize;
  label: usize;
  masks: usize;
  // Space for the channels, their spectra, a response. f32.
  channels: usize;
  spectra: usize;
  response: usize;
  // Filters.
  follower: usize;
  previous: usize; // space for the solver
  slack: usize;
  trusted: usize;
  prepared: usize; // a view that is kept if it proves correct, 0: no space for one
  views: usize; // their addresses
  viewCount: i32;
}

/**
 * A box, and how well a filter fits there: about 1 for its training example, near 0 for anything else. For the
 * follower, also how well it fits elsewhere.
 */
@unmanaged
export class Sight {
  x: f64;
  y: f64;
  width: f64;
  height: f64;
  value: f64;
  rivalry: f64; // maximum response away from the peak, relative to the peak
}

export function sightBox(sight: Sight): Box {
  return changetype<Box>(changetype<usize>(sight));
}

function numeratorBytes(a: Appearance): usize {
  return SPECTRUM_BYTES * <usize>a.channelCount;
}

function filterBytes(a: Appearance): usize {
  return numeratorBytes(a) + SPECTRUM_BYTES / 2;
}

/** Width of the window around a box. */
function sideOf(a: Appearance, box: Box): f64 {
  return a.padding * sqrt(box.width * box.height);
}

/** Channels of a window, from the pyramid level of the frame whose resolution is closest to its samples. */
function observe(a: Appearance, frame: ObjectFrame, x: f64, y: f64, side: f64, scratch: usize): void {
  if (a.windowFrame == frame.serial && a.windowX == x && a.windowY == y && a.windowSide == side) return;
  const step = side / SAMPLES;
  let level = 0;
  let shrink: f64 = 1;
  while (level < frame.levelCount - 1 && step * shrink >= NEXT_LEVEL) {
    level++;
    shrink /= 2;
  }
  const at = frame.levels + <usize>level * LEVEL_BYTES;
  // Pixel i of a pyramid level is at pixel 2 i.
  const left = <f32>((x - side / 2 + step / 2 - 0.5) * shrink);
  const top = <f32>((y - side / 2 + step / 2 - 0.5) * shrink);
  orientedHistograms(
    load<u32>(at),
    load<i32>(at, 4),
    load<i32>(at, 8),
    load<i32>(at, 12),
    left,
    top,
    <f32>(step * shrink),
    a.directions,
    a.channels,
    scratch,
  );
  const brightness = a.channels + <usize>SHAPES * PLANE_BYTES;
  brightnessChannels(frame, x - side / 2, y - side / 2, side / <f64>CELLS, brightness);
  if (a.channelCount > CHANNELS) {
    const colors = a.channels + <usize>CHANNELS * PLANE_BYTES;
    colorChannels(frame, x - side / 2, y - side / 2, side / <f64>CELLS, colors);
  }
  a.windowFrame = frame.serial;
  a.windowX = x;
  a.windowY = y;
  a.windowSide = side;
  a.mask = -1;
}

/** Spectra of the window around a box, under a mask. */
function look(a: Appearance, frame: ObjectFrame, box: Box, mask: i32, scratch: usize): void {
  observe(a, frame, box.x + box.width / 2, box.y + box.height / 2, sideOf(a, box), scratch);
  if (a.mask == mask) return;
  channelSpectra(a.channels, a.channelCount, a.masks + <usize>mask * PLANE_BYTES, a.twiddles, a.spectra, scratch);
  a.mask = mask;
}

function responseAt(a: Appearance, x: i32, y: i32): f64 {
  return load<f32>(a.response + ((<usize>((y & (CELLS - 1)) * CELLS + (x & (CELLS - 1)))) << 2));
}

/** Where a parabola through three values has its vertex. */
function vertex(before: f64, top: f64, after: f64): f64 {
  const curve = before + after - 2 * top;
  return curve < 0 ? max(-0.5, min(0.5, (0.5 * (before - after)) / curve)) : 0;
}

/** Signed distance from the window's center in cells: columns and rows of a response wrap around. */
function signed(i: i32): f64 {
  return <f64>(i < CELLS / 2 ? i : i - CELLS);
}

/** Moves a box to the peak of a filter's response in the observed window. Returns the cell of the peak. */
function respond(a: Appearance, filter: usize, lambda: f32, box: Box, sight: Sight, scratch: usize): i32 {
  filterResponse(
    a.spectra,
    a.channelCount,
    filter,
    filter + numeratorBytes(a),
    lambda,
    a.twiddles,
    a.response,
    scratch,
  );
  let best = 0;
  let top = load<f32>(a.response);
  for (let i = 1; i < CELLS * CELLS; i++) {
    const value = load<f32>(a.response + ((<usize>i) << 2));
    if (value > top) {
      top = value;
      best = i;
    }
  }
  const x = best % CELLS;
  const y = best / CELLS;
  const cell = sideOf(a, box) / <f64>CELLS;
  const dx = (signed(x) + vertex(responseAt(a, x - 1, y), top, responseAt(a, x + 1, y))) * cell;
  const dy = (signed(y) + vertex(responseAt(a, x, y - 1), top, responseAt(a, x, y + 1))) * cell;
  sight.x = box.x + dx;
  sight.y = box.y + dy;
  sight.width = box.width;
  sight.height = box.height;
  sight.value = top;
  return best;
}

/** Maximum response away from the one at x, y, relative to it, 0 to 1. */
function rivalry(a: Appearance, x: i32, y: i32): f64 {
  const top = responseAt(a, x, y);
  let other: f64 = 0;
  for (let j = 0; j < CELLS; j++) {
    const level = abs(((j - y + CELLS / 2) & (CELLS - 1)) - CELLS / 2) <= PEAK;
    const row = a.response + ((<usize>(j * CELLS)) << 2);
    for (let i = 0; i < CELLS; i++) {
      const value = <f64>load<f32>(row + ((<usize>i) << 2));
      if (value <= other) continue;
      if (level && abs(((i - x + CELLS / 2) & (CELLS - 1)) - CELLS / 2) <= PEAK) continue;
      other = value;
    }
  }
  return top > 0 ? min<f64>(1, other / top) : 1;
}

/** Locates the target with the follower around a box. The box may be in the sight itself. */
export function follow(a: Appearance, frame: ObjectFrame, box: Box, sight: Sight, scratch: usize): void {
  look(a, frame, box, WIDE, scratch);
  const peak = respond(a, a.follower, SOLVED, box, sight, scratch);
  sight.rivalry = rivalry(a, peak % CELLS, peak / CELLS);
}

/** How well the last trusted follower fits around a box. */
export function recognize(a: Appearance, frame: ObjectFrame, box: Box, sight: Sight, scratch: usize): void {
  look(a, frame, box, WIDE, scratch);
  respond(a, a.trusted, SOLVED, box, sight, scratch);
}

/** Locates the target with the best of the views around a box. `trial`: space for another sight. */
export function remember(
  a: Appearance,
  frame: ObjectFrame,
  box: Box,
  sight: Sight,
  trial: Sight,
  scratch: usize,
): void {
  look(a, frame, box, CLOSE_UP, scratch);
  sight.x = box.x;
  sight.y = box.y;
  sight.width = box.width;
  sight.height = box.height;
  sight.value = 0;
  for (let i = 0; i < a.viewCount; i++) {
    respond(a, load<u32>(a.views + ((<usize>i) << 2)), LAMBDA, box, trial, scratch);
    if (trial.value > sight.value) memory.copy(changetype<usize>(sight), changetype<usize>(trial), offsetof<Sight>());
  }
}

function mix(a: Appearance, filter: usize, rate: f32): void {
  filterLearn(a.spectra, a.channelCount, a.label, filter, filter + numeratorBytes(a), rate);
}

/** The follower learns the example at a box. At rate 1 it forgets everything before. */
export function learn(a: Appearance, frame: ObjectFrame, box: Box, rate: f32, scratch: usize): void {
  look(a, frame, box, WIDE, scratch);
  filterSolve(
    a.spectra,
    a.channelCount,
    a.label,
    a.masks + <usize>REACH * PLANE_BYTES,
    rate < 1 ? <f32>a.inertia * (RATE / rate) : 0,
    <f32>a.pull,
    a.twiddles,
    a.follower,
    a.previous,
    a.slack,
    scratch,
  );
}

/** The follower is correct: `recognize` compares with this copy, and `restore` goes back to it. */
export function trust(a: Appearance): void {
  memory.copy(a.trusted, a.follower, filterBytes(a));
}

export function restore(a: Appearance): void {
  memory.copy(a.follower, a.trusted, filterBytes(a));
}

/** A view that `keep` may keep. */
export function prepare(a: Appearance, frame: ObjectFrame, box: Box, scratch: usize): void {
  look(a, frame, box, CLOSE_UP, scratch);
  mix(a, a.prepared, 1);
}

/**
 * Keeps the prepared view. A full memory forgets the oldest view except the first. Its space is then free for another.
 */
export function keep(a: Appearance): void {
  if (!a.prepared) return;
  let free: usize = 0;
  if (a.viewCount > MOST_VIEWS) {
    const second = a.views + 4;
    free = load<u32>(second);
    memory.copy(second, second + 4, (<usize>(a.viewCount - 2)) << 2);
    a.viewCount--;
  }
  store<u32>(a.views + ((<usize>a.viewCount) << 2), <u32>a.prepared);
  a.viewCount++;
  a.prepared = free;
}
