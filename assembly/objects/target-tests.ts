// Separate parts of the object tracker, for comparison with golden values and plain reference implementations.
import {
  Appearance,
  follow,
  keep,
  learn,
  LOOK_BYTES,
  prepare,
  recognize,
  remember,
  restore,
  Sight,
  trust,
} from './appearance';
import { Box } from './boxes';
import { CODE_BYTES, codesOf, fernLearn, fernVote } from './ferns-counts';
import { boxVariance, ObjectFrame } from './frame';
import { groupDetections } from './detector-groups';
import { ObjectModel } from './model';
import { addNegative, addPositive, compare, forget, promote } from './model-patches';
import { PATCH_SCRATCH, patchOfBox } from './model-patch';
import { Candidate, WindowSearch } from './detector-search';
import { medianOf } from './median-flow-select';

/** The 10 codes of a candidate, u16 each. */
export function candidateCodes(search: usize, frame: usize, candidate: usize, target: usize): i32 {
  const window = changetype<Candidate>(candidate);
  codesOf(changetype<WindowSearch>(search), changetype<ObjectFrame>(frame), window, target);
  return 0;
}

/** Counts `count` examples of 10 codes, u16 each, with a distance of CODE_BYTES. */
export function learnCodes(model: usize, codes: usize, count: i32, positive: i32): i32 {
  for (let i = 0; i < count; i++)
    fernLearn(changetype<ObjectModel>(model), codes + <usize>i * CODE_BYTES, positive != 0);
  return 0;
}

/** Vote of 10 codes. */
export function voteOfCodes(model: usize, codes: usize): f64 {
  return fernVote(changetype<ObjectModel>(model), codes);
}

/** Sets the similarity fields of the model for a stored patch. */
export function comparePatch(model: usize, patch: usize): i32 {
  compare(changetype<ObjectModel>(model), patch);
  return 0;
}

export function addPatch(model: usize, patch: usize, positive: i32): i32 {
  if (positive) addPositive(changetype<ObjectModel>(model), patch);
  else addNegative(changetype<ObjectModel>(model), patch);
  return 0;
}

export function forgetPatch(model: usize, patch: usize, same: f64): i32 {
  forget(changetype<ObjectModel>(model), patch, same);
  return 0;
}

export function promotePatch(model: usize, patch: usize): i32 {
  promote(changetype<ObjectModel>(model), patch);
  return 0;
}

export function boxPatchScratch(): i32 {
  return <i32>PATCH_SCRATCH;
}

/** The stored patch of a box. */
export function boxPatch(frame: usize, box: usize, target: usize, scratch: usize): i32 {
  const b = changetype<Box>(box);
  patchOfBox(changetype<ObjectFrame>(frame), <f32>b.x, <f32>b.y, <f32>b.width, <f32>b.height, target, scratch);
  return 0;
}

/** Variance of the gray values of a box. */
export function varianceOfBox(frame: usize, box: usize): f64 {
  const b = changetype<Box>(box);
  return boxVariance(changetype<ObjectFrame>(frame), b.x, b.y, b.width, b.height);
}

/**
 * Groups of detections whose relative similarity is above `least`, written to `target`, followed by 4 bytes per
 * detection.
 */
export function groupsOf(detections: usize, count: i32, least: f64, target: usize): i32 {
  groupDetections(detections, count, least, target);
  return 0;
}

/** Median of f64 values. Reorders them. */
export function medianOfValues(values: usize, count: i32): f64 {
  return medianOf(values, count);
}

/** Operations of `appearanceStep`. */
const FOLLOW: i32 = 0;
const REMEMBER: i32 = 1;
const RECOGNIZE: i32 = 2;
const LEARN: i32 = 3;
const TRUST: i32 = 4;
const RESTORE: i32 = 5;
const PREPARE: i32 = 6;
const KEEP: i32 = 7;

export function appearanceStepScratch(): i32 {
  return <i32>LOOK_BYTES + 48;
}

/** One step with the filters of a target at a box. The first three operations write their sight to `sight`. */
export function appearanceStep(
  appearance: usize,
  frame: usize,
  step: i32,
  box: usize,
  rate: f32,
  sight: usize,
  scratch: usize,
): i32 {
  const a = changetype<Appearance>(appearance);
  const f = changetype<ObjectFrame>(frame);
  const b = changetype<Box>(box);
  const s = changetype<Sight>(sight);
  if (step == FOLLOW) follow(a, f, b, s, scratch);
  else if (step == REMEMBER) remember(a, f, b, s, changetype<Sight>(scratch + LOOK_BYTES), scratch);
  else if (step == RECOGNIZE) recognize(a, f, b, s, scratch);
  else if (step == LEARN) learn(a, f, b, rate, scratch);
  else if (step == TRUST) trust(a);
  else if (step == RESTORE) restore(a);
  else if (step == PREPARE) prepare(a, f, b, scratch);
  else if (step == KEEP) keep(a);
  else return 1;
  return 0;
}
