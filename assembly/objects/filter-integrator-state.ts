// State of the integrator from frame to frame, with its boxes and sights.
import { LOOK_BYTES, Sight } from './appearance';
import { Box } from './boxes';
import { ObjectFrame } from './frame';

/** Minimum width and height of a box, in pixels. */
const LEAST_SIDE: f64 = 6;

@unmanaged
export class FilterIntegrator {
  // The tracked box.
  x: f64;
  y: f64;
  width: f64;
  height: f64;
  usual: f64; // response
  minConfidence: f64; // minimum to report a box
  // Position where the follower sees the target in this frame: a Sight.
  sightX: f64;
  sightY: f64;
  sightWidth: f64;
  sightHeight: f64;
  sightValue: f64;
  sightRivalry: f64;
  // Parameters for decisions: src/objects/filter-integrator.ts.
  trusted: f64;
  learned: f64;
  broken: f64;
  found: f64;
  jump: f64;
  better: f64;
  usualRate: f64;
  leastUsual: f64;
  leastView: f64;
  gain: f64; // share of a size change that is applied
  proof: f64; // consecutive frames of trust before a recovered target is shown
  sure: f64; // evidence for showing it at once
  rivalRate: f64; // adaptation rate of the rivalry
  level: f64; // rivalry at which correct and wrong are equally likely
  slope: f64; // decrease of the probability per unit of rivalry above that
  rivalry: f64; // over the last frames
  lastWidth: f64; // when it was last trusted
  lastHeight: f64;
  viewUsual: f64; // response of a view that fits
  scanned: i32; // positions checked since it was lost
  seen: i32; // frames since it was placed
  sighted: i32; // 0: there was no frame to follow from
  placed: i32; // 0: the target must be detected, and the box has no meaning
  learning: i32; // the current view may change the usual response and the views
  chain: i32; // unbroken
  shown: i32;
  met: i32; // it had a position before, unlike an imported model
  unproven: i32; // recovered, and not shown yet
  trustedFor: i32; // frames
  probation: i32; // frames left
  preparedFor: i32; // frames since a view was prepared, 0: none is
  kept: i32; // the last frame had a result
  prepares: i32; // `filterPrepare` must be called
}

/** Sights, in addition to the memory for observing. */
const SIGHTS: usize = 6;
export const SIGHT_BYTES: usize = LOOK_BYTES + SIGHTS * 48;

export function sightAt(scratch: usize, i: usize): Sight {
  return changetype<Sight>(scratch + LOOK_BYTES + i * 48);
}

export function copySight(from: Sight, to: Sight): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), offsetof<Sight>());
}

export function keptSight(k: FilterIntegrator): Sight {
  return changetype<Sight>(changetype<usize>(k) + offsetof<FilterIntegrator>('sightX'));
}

export function keptBox(k: FilterIntegrator): Box {
  return changetype<Box>(changetype<usize>(k));
}

/** Changes the size and keeps the center. */
export function resize(box: Box, scale: f64): void {
  const width = box.width * scale;
  const height = box.height * scale;
  box.x += (box.width - width) / 2;
  box.y += (box.height - height) / 2;
  box.width = width;
  box.height = height;
}

/** Limits a box to the size of the frame and to the minimum size, with its center in the frame. */
export function bound(box: Box, frame: ObjectFrame): void {
  const fits = min<f64>(1, min(<f64>frame.width / box.width, <f64>frame.height / box.height));
  const scale = fits < 1 ? fits : max<f64>(1, LEAST_SIDE / min(box.width, box.height));
  if (scale != 1) resize(box, scale);
  box.x = min(<f64>frame.width, max<f64>(0, box.x + box.width / 2)) - box.width / 2;
  box.y = min(<f64>frame.height, max<f64>(0, box.y + box.height / 2)) - box.height / 2;
}
