// The integrator of the default variant: correlation filters follow the target and say how much what they follow looks
// like it; the detector only proposes where else it might be (the pattern of Ma et al. 2015).
//
// Evidence is a filter's response as a share of its usual one for this target. While the chain of good responses from
// frame to frame is unbroken, the follower's own response counts, so that the target may change its look. It breaks where
// the response drops, or stays low for long: from there on the follower may have slid onto something else, and only what
// was trusted before, or the views in memory, can mend it. A box is reported while the chain holds and there is enough
// evidence; to be found again takes more than to be kept.
import {
  Appearance,
  follow,
  keep,
  learn,
  LOOK_BYTES,
  prepare,
  recognise,
  remember,
  restore,
  Sight,
  sightBox,
  trust,
} from './appearance';
import { Belief, BY_BOTH, BY_DETECTOR, BY_NONE, BY_TRACKER } from './belief';
import { Box, copyBox, overlap } from './box';
import { ObjectFrame } from './frame';
import { groupAt, groupBytes, groupDetections } from './groups';
import { CLOSE } from './integrator';
import { ObjectModel } from './model';
import { BoxMotion } from './median-flow';
import { detectionAt, WindowSearch } from './search';

/** The follower learns at this rate, in doubt at half of it. */
const RATE: f32 = 0.03;
/** Shares of the usual response: of one that is trusted, one that is learned from, and one that breaks the chain. */
const TRUSTED: f64 = 0.75;
const LEARNED: f64 = 0.5;
const BROKEN: f64 = 0.4;
/** More evidence than for keeping it is needed for finding the target where it was, and for one elsewhere. */
const FOUND: f64 = 0.2;
const JUMP: f64 = 0.25;
/** By so much another place must fit better, in units of the response. */
const BETTER: f64 = 0.03;
/** Frames: in doubt until the chain breaks; trusted until the model learns; trusted until a view is kept; on probation. */
const DOUBT: i32 = 12;
const SETTLED: i32 = 3;
const PROVEN: i32 = 10;
const PROBATION: i32 = 8;
/** Limits of the usual response, and how fast it follows. */
const LEAST_USUAL: f64 = 0.4;
const MOST_USUAL: f64 = 0.5;
const USUAL_RATE: f64 = 0.03;
/** Steps of size that are tried, and most that the flow may change it by, a frame. */
const STEP: f64 = 1.03;
const MOST_STEP: f64 = 1.1;
/** Boxes do not get narrower than this, in pixels. */
const LEAST_SIDE: f64 = 6;
/** A group of detections that overlaps the followed box less is elsewhere. */
const ELSEWHERE: f64 = 0.5;
/** Groups of detections that are looked at. */
const PROPOSALS: i32 = 3;
/** From this response on a proposal is worth a second look, centred on it. */
const PROMISING: f64 = 0.15;
/** What `belief.confidence` is below of, as a share of the least, where nothing is shown. */
const HIDDEN: f64 = 0.99;

@unmanaged
export class Keeper {
  // The box that is followed.
  x: f64;
  y: f64;
  width: f64;
  height: f64;
  usual: f64; // response
  minConfidence: f64; // least evidence to report a box
  // Where the follower sees the target in this frame: a Sight.
  sightX: f64;
  sightY: f64;
  sightWidth: f64;
  sightHeight: f64;
  sightValue: f64;
  sighted: i32; // 0: there was nothing to follow from
  placed: i32; // 0: it has to be found, and the box says nothing
  learning: i32; // what it sees may change the usual response and the views
  chain: i32; // unbroken
  shown: i32;
  trustedFor: i32; // frames
  doubtFor: i32;
  probation: i32; // frames left
  preparedFor: i32; // frames since a view was prepared; 0: none is
  kept: i32; // the last frame had an answer
  prepares: i32; // `keeperPrepare` is to be called
}

/** Sights beside the look's memory. */
const SIGHTS: usize = 6;
const SIGHT_BYTES: usize = LOOK_BYTES + SIGHTS * 48;

function sightAt(scratch: usize, i: usize): Sight {
  return changetype<Sight>(scratch + LOOK_BYTES + i * 48);
}

function copySight(from: Sight, to: Sight): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), offsetof<Sight>());
}

function keptSight(k: Keeper): Sight {
  return changetype<Sight>(changetype<usize>(k) + offsetof<Keeper>('sightX'));
}

function boxOf(k: Keeper): Box {
  return changetype<Box>(changetype<usize>(k));
}

/** The same centre, another size. */
function resize(box: Box, scale: f64): void {
  const width = box.width * scale;
  const height = box.height * scale;
  box.x += (box.width - width) / 2;
  box.y += (box.height - height) / 2;
  box.width = width;
  box.height = height;
}

/** Not larger than the frame, not vanishing, its centre in the frame. */
function bound(box: Box, frame: ObjectFrame): void {
  const fits = min<f64>(1, min(<f64>frame.width / box.width, <f64>frame.height / box.height));
  const scale = fits < 1 ? fits : max<f64>(1, LEAST_SIDE / min(box.width, box.height));
  if (scale != 1) resize(box, scale);
  box.x = min(<f64>frame.width, max<f64>(0, box.x + box.width / 2)) - box.width / 2;
  box.y = min(<f64>frame.height, max<f64>(0, box.y + box.height / 2)) - box.height / 2;
}

function begin(k: Keeper): void {
  k.placed = 1;
  k.chain = 1;
  k.shown = 1;
  k.trustedFor = 0;
  k.doubtFor = 0;
  k.preparedFor = 0;
}

export function keeperTeachScratch(): i32 {
  return <i32>LOOK_BYTES;
}

/** The box is the target by the user's word. There must be room for a view. */
export function keeperTeach(
  keeper: usize,
  appearance: usize,
  frame: usize,
  box: usize,
  rate: f32,
  scratch: usize,
): i32 {
  const k = changetype<Keeper>(keeper);
  const a = changetype<Appearance>(appearance);
  const f = changetype<ObjectFrame>(frame);
  const b = changetype<Box>(box);
  learn(a, f, b, rate, scratch);
  trust(a);
  prepare(a, f, b, scratch);
  keep(a);
  copyBox(b, boxOf(k));
  begin(k);
  return 0;
}

/** Looks at a box of another size and takes it if it fits better. */
function consider(a: Appearance, frame: ObjectFrame, box: Box, best: Sight, trial: Sight, scratch: usize): void {
  follow(a, frame, box, trial, scratch);
  if (trial.value > best.value) copySight(trial, best);
}

export function keeperFollowScratch(): i32 {
  return <i32>SIGHT_BYTES;
}

/** Where the follower sees the target; `motion` is where the flow took the box. */
export function keeperFollow(keeper: usize, appearance: usize, frame: usize, motion: usize, scratch: usize): i32 {
  const k = changetype<Keeper>(keeper);
  const a = changetype<Appearance>(appearance);
  const f = changetype<ObjectFrame>(frame);
  const flown = changetype<BoxMotion>(motion);
  k.sighted = k.placed;
  if (!k.placed) return 0;
  const best = keptSight(k);
  const trial = sightAt(scratch, 0);
  const middle = sightBox(sightAt(scratch, 1));
  const box = sightBox(sightAt(scratch, 2));
  follow(a, f, boxOf(k), best, scratch);
  if (flown.found) {
    copyBox(changetype<Box>(motion), box);
    const grown = min(MOST_STEP, max(1 / MOST_STEP, flown.width / k.width));
    resize(box, (grown * k.width) / flown.width);
    consider(a, f, box, best, trial, scratch);
  }
  copyBox(sightBox(best), middle);
  copyBox(middle, box);
  resize(box, 1 / STEP);
  consider(a, f, box, best, trial, scratch);
  copyBox(middle, box);
  resize(box, STEP);
  consider(a, f, box, best, trial, scratch);
  bound(sightBox(best), f);
  return 0;
}

/** There is no frame to follow it from: it has to be found. */
export function keeperLose(keeper: usize): i32 {
  const k = changetype<Keeper>(keeper);
  k.placed = 0;
  k.sighted = 0;
  k.chain = 0;
  k.shown = 0;
  return 0;
}

/**
 * The detections, in groups, that look most like a view in memory; none that is where the target is followed. Returns
 * whether there is one.
 */
function propose(
  k: Keeper,
  a: Appearance,
  search: WindowSearch,
  frame: ObjectFrame,
  best: Sight,
  scratch: usize,
): bool {
  const count = search.detectionCount;
  const groups = scratch + SIGHT_BYTES;
  groupDetections(search.detections, count, -1, groups);
  const followed = sightBox(keptSight(k));
  const sight = sightAt(scratch, 3);
  const centred = sightAt(scratch, 4);
  const trial = sightAt(scratch, 5);
  let found = false;
  for (let n = 0; n < PROPOSALS; n++) {
    // The one with the highest similarity, of equal ones the first.
    let first: usize = 0;
    let highest: f64 = -1;
    for (let i = 0; i < count; i++) {
      const group = groupAt(groups, i);
      if (!group.members || group.relative <= highest) continue;
      if (k.sighted && !(overlap(changetype<Box>(changetype<usize>(group)), followed) < ELSEWHERE)) continue;
      first = changetype<usize>(group);
      highest = group.relative;
    }
    if (!first) break;
    groupAt(first, 0).members = 0;
    remember(a, frame, changetype<Box>(first), sight, trial, scratch);
    if (sight.value > PROMISING) {
      remember(a, frame, sightBox(sight), centred, trial, scratch);
      if (centred.value > sight.value) copySight(centred, sight);
    }
    if (found && !(sight.value > best.value)) continue;
    copySight(sight, best);
    found = true;
  }
  if (found) bound(sightBox(best), frame);
  return found;
}

/** What is reported of a box with this response. */
function answer(k: Keeper, belief: Belief, value: f64, usual: f64, by: i32, teaches: bool): void {
  const evidence = max<f64>(0, min<f64>(1, value / usual));
  copyBox(boxOf(k), changetype<Box>(changetype<usize>(belief)));
  // What is not shown is not confident either, even where it only has not been seen for long enough.
  belief.confidence = k.shown ? evidence : min(evidence, HIDDEN * k.minConfidence);
  belief.found = 1;
  belief.valid = <i32>teaches;
  belief.shown = k.shown;
  belief.by = by;
  k.kept = 1;
}

/** The target is here again, on probation: nothing is taught until it has held for a while. */
function resume(k: Keeper, a: Appearance, belief: Belief, box: Box, value: f64, usual: f64, by: i32): void {
  restore(a);
  copyBox(box, boxOf(k));
  begin(k);
  k.probation = PROBATION;
  answer(k, belief, value, usual, by, false);
}

/** Learns from what is followed; returns whether ferns and patches may learn as well. */
function settle(
  k: Keeper,
  a: Appearance,
  frame: ObjectFrame,
  value: f64,
  remembered: f64,
  usual: f64,
  scratch: usize,
): bool {
  const trusted = value > TRUSTED * usual;
  if (value > LEARNED * usual) learn(a, frame, boxOf(k), trusted ? RATE : RATE / 2, scratch);
  if (k.probation) k.probation--;
  if (!trusted || !k.chain) {
    k.trustedFor = 0;
    k.preparedFor = 0;
    k.doubtFor++;
    return false;
  }
  k.trustedFor++;
  k.doubtFor = 0;
  if (!k.learning) return false;
  const settled = k.trustedFor >= SETTLED && !k.probation;
  if (!k.probation) k.usual += USUAL_RATE * (value - k.usual);
  if (k.preparedFor) {
    if (++k.preparedFor > PROVEN) {
      keep(a);
      k.preparedFor = 0;
    }
  } else if (settled && remembered < TRUSTED * usual) {
    k.preparedFor = 1;
    k.prepares = 1;
  }
  if (k.trustedFor % PROVEN == 0) trust(a);
  return settled;
}

export function keeperDecideScratch(search: usize): i32 {
  return <i32>(SIGHT_BYTES + groupBytes(changetype<WindowSearch>(search).mostDetections));
}

/** What is believed by what the follower sees and what the detector found; `kept` of the keeper: there is an answer. */
export function keeperDecide(
  keeper: usize,
  appearance: usize,
  model: usize,
  search: usize,
  frame: usize,
  belief: usize,
  scratch: usize,
): i32 {
  const k = changetype<Keeper>(keeper);
  const a = changetype<Appearance>(appearance);
  const s = changetype<WindowSearch>(search);
  const f = changetype<ObjectFrame>(frame);
  const b = changetype<Belief>(belief);
  const followed = keptSight(k);
  const remembered = sightAt(scratch, 0);
  const other = sightAt(scratch, 1);
  const usual = min(MOST_USUAL, max(LEAST_USUAL, k.usual));
  const value = k.sighted ? followed.value : 0;
  k.kept = 0;
  k.prepares = 0;
  if (value < BROKEN * usual || k.doubtFor > DOUBT) k.chain = 0;
  remembered.value = 0;
  let recognised: f64 = 0;
  if (k.sighted) {
    remember(a, f, sightBox(followed), remembered, other, scratch);
    recognise(a, f, sightBox(followed), other, scratch);
    recognised = other.value;
  }
  const known = max(recognised, remembered.value);
  const own = k.chain ? max(value, remembered.value) : known;
  if (!k.shown || value < TRUSTED * usual) {
    const beaten = max(known, k.chain ? value : 0) + BETTER;
    if (propose(k, a, s, f, other, scratch) && other.value > (k.minConfidence + JUMP) * usual && other.value > beaten) {
      resume(k, a, b, sightBox(other), other.value, usual, BY_DETECTOR);
      return 0;
    }
  }
  if (!k.sighted) return 0;
  if (!k.chain && own > (k.minConfidence + FOUND) * usual) {
    const box = sightBox(remembered.value > max(value, recognised) ? remembered : followed);
    bound(box, f);
    resume(k, a, b, box, own, usual, BY_TRACKER);
  } else {
    copyBox(sightBox(followed), boxOf(k));
    k.shown = <i32>(k.chain != 0 && own >= (k.minConfidence + (k.shown ? 0 : FOUND)) * usual);
    const teaches = settle(k, a, f, value, remembered.value, usual, scratch);
    answer(k, b, own, usual, BY_TRACKER, teaches);
  }
  if (!k.shown) b.by = BY_NONE;
  else if (confirmed(changetype<ObjectModel>(model), s, b)) b.by = BY_BOTH;
  return 0;
}

/** Whether a detection lies where the target is believed to be. */
function confirmed(model: ObjectModel, search: WindowSearch, belief: Belief): bool {
  for (let i = 0; i < search.detectionCount; i++) {
    const detection = detectionAt(search.detections, i);
    if (!(detection.relative > model.nearestThreshold)) continue;
    const box = changetype<Box>(changetype<usize>(detection));
    if (overlap(box, changetype<Box>(changetype<usize>(belief))) > CLOSE) return true;
  }
  return false;
}

export function keeperPrepareScratch(): i32 {
  return <i32>LOOK_BYTES;
}

/** Prepares a view of what is followed; there must be room for one. */
export function keeperPrepare(keeper: usize, appearance: usize, frame: usize, scratch: usize): i32 {
  const a = changetype<Appearance>(appearance);
  prepare(a, changetype<ObjectFrame>(frame), boxOf(changetype<Keeper>(keeper)), scratch);
  return 0;
}
