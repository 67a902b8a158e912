// The learner (Kalal, Mikolajczyk, Matas 2012, sections 4 and 5.6). The initial model is built from warped copies of
// the windows nearest to the box and from the windows far from it. Later the model learns from every trusted box: the
// P-expert labels everything near it as the target, the N-expert labels everything far from it as background.
//
// Before these kernels, `nearestWindows` must list the windows near the box, and the frame must be blurred around them.
import { Box, overlap, overlapOf } from './boxes';
import { STORED_BYTES } from './model-correlations';
import { CODE_BYTES, codesOf, fernLearn, fernVote } from './ferns-counts';
import { boxVariance, ObjectFrame } from './frame';
import { FERNS, scaleAt } from './windows';
import { ObjectModel } from './model';
import { addNegative, addPositive, compare, forget, promote } from './model-patches';
import { PATCH_SCRATCH, patchOfBox } from './model-patch';
import { below, nextRandom, uniform, within } from './random';
import { Candidate, candidateAt, detectionAt, WindowSearch } from './detector-search';
import { smallCosine, smallSine, Warp, warpedCodes } from './learner-warps';

/** A negative at least this similar to the target is kept. */
const HARD_NEGATIVE: f64 = 0.5;
/** A background code with at least this mean posterior is corrected. */
const LIKE_TARGET: f64 = 0.5;
/** Below this relative similarity the appearance changed too fast to be trusted. */
const TOO_DIFFERENT: f64 = 0.5;
/** Number of windows offered to the first model and its thresholds, and maximum number of random tries. */
const BACKGROUND: i32 = 200;
const TRIES: i32 = 20 * BACKGROUND;
/** Maximum that the background can raise the nearest-neighbor threshold to. */
const MOST_THRESHOLD: f64 = 0.9;
/** Shift and scale of warped copies relative to the window, and their rotation in degrees, initial and later. */
const WARP_SHIFT: f64 = 0.01;
const WARP_SCALE: f64 = 0.01;
const FIRST_DEGREES: f64 = 10;
const DEGREES: f64 = 5;
const PI: f64 = 3.141592653589793;

/** Random role of a window in `learnFar`: for learning, or for setting the threshold. */
const TEACHES: u8 = 1;
const KEPT: u8 = 2;

function patchAt(frame: ObjectFrame, box: Box, patch: usize, scratch: usize): void {
  patchOfBox(frame, <f32>box.x, <f32>box.y, <f32>box.width, <f32>box.height, patch, scratch);
}

function isFar(model: ObjectModel, window: Candidate, box: Box): bool {
  const shared = overlapOf(window.x, window.y, window.width, window.height, box.x, box.y, box.width, box.height);
  return shared < model.negativeOverlap;
}

/** The nearest windows and their warped copies are the target, unless the ferns already classify them so. */
function learnPositives(
  model: ObjectModel,
  search: WindowSearch,
  frame: ObjectFrame,
  warps: i32,
  degrees: f64,
  scratch: usize,
): void {
  const count = search.nearestCount;
  if (!count) return;
  const codes = scratch;
  const most = <f64>FERNS * model.fernThreshold;
  for (let i = 0; i < count; i++) {
    codesOf(search, frame, candidateAt(search.nearest, i), codes);
    if (fernVote(model, codes) <= most) fernLearn(model, codes, true);
  }
  if (!warps) return;
  const list = scratch + CODE_BYTES;
  for (let w = 0; w < warps; w++) {
    const warp = changetype<Warp>(list + <usize>w * offsetof<Warp>());
    const angle = (within(model, degrees) * PI) / 180;
    const scale = 1 + within(model, WARP_SCALE);
    warp.a = <f32>(scale * smallCosine(angle));
    warp.b = <f32>(scale * smallSine(angle));
    warp.tx = <f32>within(model, WARP_SHIFT);
    warp.ty = <f32>within(model, WARP_SHIFT);
  }
  model.random = nextRandom(model.random);
  let state = model.random | 1;
  for (let w = 0; w < warps; w++) {
    const warp = changetype<Warp>(list + <usize>w * offsetof<Warp>());
    for (let i = 0; i < count; i++) {
      const window = candidateAt(search.nearest, i);
      state = warpedCodes(frame, window, warp, model.fractions, model.noise, state, codes);
      if (fernVote(model, codes) <= most) fernLearn(model, codes, true);
    }
  }
}

/** A window is background, unless its vote is already below `least`. */
function learnNegative(
  model: ObjectModel,
  search: WindowSearch,
  frame: ObjectFrame,
  window: Candidate,
  least: f64,
  codes: usize,
): void {
  codesOf(search, frame, window, codes);
  if (fernVote(model, codes) >= least) fernLearn(model, codes, false);
}

/** Scratch bytes of `learnPositives` and the following steps. */
function positivesScratch(warps: i32): i32 {
  return max(<i32>PATCH_SCRATCH, <i32>CODE_BYTES + warps * <i32>offsetof<Warp>());
}

export function learnFirstScratch(model: usize): i32 {
  return positivesScratch(changetype<ObjectModel>(model).firstWarps);
}

/** Learns from the first box: its variance, its nearest windows and its patch. */
export function learnFirst(model: usize, search: usize, frame: usize, box: usize, scratch: usize): i32 {
  const m = changetype<ObjectModel>(model);
  const f = changetype<ObjectFrame>(frame);
  const b = changetype<Box>(box);
  m.leastVariance = boxVariance(f, b.x, b.y, b.width, b.height) / 2;
  learnPositives(m, changetype<WindowSearch>(search), f, m.firstWarps, FIRST_DEGREES, scratch);
  patchAt(f, b, m.patch, scratch);
  addPositive(m, m.patch);
  return 0;
}

/** Whether a window is used for learning. Drawn on the first request. */
function teaches(model: ObjectModel, drawn: usize, window: Candidate): bool {
  const at = drawn + <usize>window.number;
  if (!load<u8>(at)) store<u8>(at, uniform(model) < 0.5 ? TEACHES : KEPT);
  return load<u8>(at) == TEACHES;
}

export function learnFarScratch(): i32 {
  return <i32>CODE_BYTES;
}

/**
 * One half of the candidates far from the first box is used to train the ferns. `learned` of the model is their number.
 * `drawn`: one byte for every window of the grid, 0 before the first call.
 */
export function learnFar(model: usize, search: usize, frame: usize, box: usize, drawn: usize, scratch: usize): i32 {
  const m = changetype<ObjectModel>(model);
  const s = changetype<WindowSearch>(search);
  const least = <f64>FERNS * m.fernThreshold;
  m.learned = 0;
  for (let i = 0; i < s.candidateCount; i++) {
    const window = candidateAt(s.candidates, i);
    if (!isFar(m, window, changetype<Box>(box)) || !teaches(m, drawn, window)) continue;
    learnNegative(m, s, changetype<ObjectFrame>(frame), window, least, scratch);
    m.learned++;
  }
  return 0;
}

/** The other half sets the threshold of the ferns, so that no background window passes. */
export function raiseFernThreshold(model: usize, search: usize, box: usize, drawn: usize): i32 {
  const m = changetype<ObjectModel>(model);
  const s = changetype<WindowSearch>(search);
  let highest: f64 = -1;
  for (let i = 0; i < s.candidateCount; i++) {
    const window = candidateAt(s.candidates, i);
    if (isFar(m, window, changetype<Box>(box)) && !teaches(m, drawn, window) && highest < 0) highest = window.vote;
  }
  m.fernThreshold = max(m.fernThreshold, highest / <f64>FERNS);
  return 0;
}

export function learnBackgroundScratch(): i32 {
  return <i32>(PATCH_SCRATCH + STORED_BYTES) + BACKGROUND * 16;
}

/**
 * Draws random windows among those that are far from the first box and vary enough. The first, third and so on are
 * offered to the list of negatives. The others set the nearest-neighbor threshold.
 */
export function learnBackground(model: usize, search: usize, frame: usize, box: usize, scratch: usize): i32 {
  const m = changetype<ObjectModel>(model);
  const s = changetype<WindowSearch>(search);
  const f = changetype<ObjectFrame>(frame);
  const b = changetype<Box>(box);
  const patch = scratch + PATCH_SCRATCH;
  const found = patch + STORED_BYTES;
  let count = 0;
  for (let tries = 0; s.scaleCount && tries < TRIES && count < BACKGROUND; tries++) {
    const scale = scaleAt(s.scales, below(m, s.scaleCount));
    const x = load<i32>(scale.lefts + ((<usize>below(m, scale.leftCount)) << 2));
    const y = load<i32>(scale.tops + ((<usize>below(m, scale.topCount)) << 2));
    const width = scale.width;
    const height = scale.height;
    if (overlapOf(x, y, width, height, b.x, b.y, b.width, b.height) >= m.negativeOverlap) continue;
    if (boxVariance(f, x, y, width, height) <= m.leastVariance) continue;
    const at = found + ((<usize>count) << 4);
    count++;
    store<f32>(at, <f32>x);
    store<f32>(at, <f32>y, 4);
    store<f32>(at, <f32>width, 8);
    store<f32>(at, <f32>height, 12);
  }
  for (let i = 0; i < count; i++) {
    const at = found + ((<usize>i) << 4);
    patchOfBox(f, load<f32>(at), load<f32>(at, 4), load<f32>(at, 8), load<f32>(at, 12), patch, scratch);
    compare(m, patch);
    if (i & 1) m.nearestThreshold = max(m.nearestThreshold, min(m.relative, MOST_THRESHOLD));
    else if (m.relative > HARD_NEGATIVE) addNegative(m, patch);
  }
  m.validThreshold = max(m.validThreshold, m.nearestThreshold);
  return 0;
}

export function judgeBoxScratch(): i32 {
  return <i32>PATCH_SCRATCH;
}

/** Compares the frame at a box with the target: patch and similarity of the model. */
export function judgeBox(model: usize, frame: usize, box: usize, scratch: usize): i32 {
  const m = changetype<ObjectModel>(model);
  patchAt(changetype<ObjectFrame>(frame), changetype<Box>(box), m.patch, scratch);
  compare(m, m.patch);
  return 0;
}

export function mayLearnScratch(): i32 {
  return <i32>PATCH_SCRATCH;
}

/**
 * Sets `learned` of the model: whether the model may learn from a trusted box. It may not if the appearance changed too
 * fast, is flat, or is known not to be the target.
 */
export function mayLearn(model: usize, frame: usize, box: usize, scratch: usize): i32 {
  const m = changetype<ObjectModel>(model);
  const b = changetype<Box>(box);
  m.learned = 0;
  const variance = boxVariance(changetype<ObjectFrame>(frame), b.x, b.y, b.width, b.height);
  if (variance < m.leastVariance) return 0;
  judgeBox(model, frame, box, scratch);
  if (m.relative < TOO_DIFFERENT || m.nearestNegative > m.sameThreshold) return 0;
  m.learned = 1;
  return 0;
}

export function learnBoxScratch(model: usize): i32 {
  return positivesScratch(changetype<ObjectModel>(model).warps);
}

/** Learns from a trusted box. */
export function learnBox(model: usize, search: usize, frame: usize, box: usize, scratch: usize): i32 {
  const m = changetype<ObjectModel>(model);
  const s = changetype<WindowSearch>(search);
  const f = changetype<ObjectFrame>(frame);
  const b = changetype<Box>(box);
  judgeBox(model, frame, box, scratch);
  const relative = m.relative;
  learnPositives(m, s, f, m.warps, DEGREES, scratch);
  for (let i = 0; i < s.candidateCount; i++) {
    const window = candidateAt(s.candidates, i);
    if (isFar(m, window, b)) learnNegative(m, s, f, window, <f64>FERNS * LIKE_TARGET, scratch);
  }
  if (relative <= m.nearestThreshold) addPositive(m, m.patch);
  for (let i = 0; i < s.detectionCount; i++) {
    const detection = detectionAt(s.detections, i);
    if (overlap(changetype<Box>(changetype<usize>(detection)), b) >= m.negativeOverlap) continue;
    compare(m, detection.patch);
    if (m.relative > HARD_NEGATIVE) addNegative(m, detection.patch);
  }
  return 0;
}

export function learnCorrectionScratch(model: usize): i32 {
  return positivesScratch(changetype<ObjectModel>(model).warps);
}

/**
 * Learns from a box that the user has confirmed as the target. `before`, the previous estimate (0: none), is a negative
 * if it is far from the box.
 */
export function learnCorrection(
  model: usize,
  search: usize,
  frame: usize,
  box: usize,
  before: usize,
  scratch: usize,
): i32 {
  const m = changetype<ObjectModel>(model);
  const f = changetype<ObjectFrame>(frame);
  const b = changetype<Box>(box);
  m.leastVariance = min(m.leastVariance, boxVariance(f, b.x, b.y, b.width, b.height) / 2);
  if (before && overlap(changetype<Box>(before), b) < m.negativeOverlap) {
    patchAt(f, changetype<Box>(before), m.patch, scratch);
    forget(m, m.patch, m.sameThreshold);
    addNegative(m, m.patch);
  }
  learnPositives(m, changetype<WindowSearch>(search), f, m.warps, DEGREES, scratch);
  patchAt(f, b, m.patch, scratch);
  addPositive(m, m.patch);
  promote(m, m.patch);
  return 0;
}
