// The integrator of the default variant: correlation filters follow the target and say how much what they follow looks
// like it; the detector only proposes where else it might be (the pattern of Ma et al. 2015).
//
// Evidence is a filter's response as a share of its usual one for this target; the follower and the views each have their
// own, which move with what is seen, also where it is little. While the chain of good responses from
// frame to frame is unbroken, the follower's own response counts, so that the target may change its look. It breaks where
// the response drops: from there on nothing is learned, and the target is looked for as it was when it was last trusted:
// nearby, where the detector says, and at places all over the frame in turn. To be found again takes more than to be kept,
// and without strong evidence it is shown only when it has held for a while.
//
// What is usual moves to whatever is followed, so evidence cannot tell that it is the wrong thing. Confidence is therefore
// made of the rivalry alone, the best response away from the peak as a share of it: a target stands out from what is around
// it, background does not. A box is reported while the chain holds and the confidence is enough, and views and examples are
// taken only where it is more likely right than wrong.
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
  sightBox,
  trust,
} from './appearance';
import { Box, copyBox, overlap } from './boxes';
import { groupBytes } from './detector-groups';
import { detectionAt, WindowSearch } from './detector-search';
import { ObjectFrame } from './frame';
import { propose } from './filter-integrator-proposals';
import {
  bound,
  copySight,
  FilterIntegrator,
  keptBox,
  keptSight,
  resize,
  SIGHT_BYTES,
  sightAt,
} from './filter-integrator-state';
import { BoxMotion } from './median-flow';
import { ObjectModel } from './model';
import { Belief, BY_BOTH, BY_DETECTOR, BY_NONE, BY_TRACKER } from './target-belief';
import { CLOSE } from './target-integrator';

/** The follower learns at this rate, in doubt at less. */
const RATE: f64 = 0.03;
/** Frames: trusted until the model learns; trusted until a view is kept; on probation. */
const SETTLED: i32 = 3;
const PROVEN: i32 = 10;
const PROBATION: i32 = 8;
/** Step of size that is tried either way, and most that the flow may change it by, a frame. */
const STEP: f64 = 1.08;
const MOST_STEP: f64 = 1.1;
/** Rivalry where the user placed it, and the most where it was found again: neither has a past to average. */
const PLACED_RIVALRY: f64 = 0.15;
const FOUND_RIVALRY: f64 = 0.3;
/** What `belief.confidence` is below of, as a share of the least, where nothing is shown. */
const HIDDEN: f64 = 0.99;

function begin(k: FilterIntegrator): void {
  k.placed = 1;
  k.chain = 1;
  k.met = 1;
  k.unproven = 0;
  k.trustedFor = 0;
  k.preparedFor = 0;
}

export function filterTeachScratch(): i32 {
  return <i32>LOOK_BYTES;
}

/** The box is the target by the user's word. There must be room for a view. */
export function filterTeach(
  integrator: usize,
  appearance: usize,
  frame: usize,
  box: usize,
  rate: f32,
  scratch: usize,
): i32 {
  const k = changetype<FilterIntegrator>(integrator);
  const a = changetype<Appearance>(appearance);
  const f = changetype<ObjectFrame>(frame);
  const b = changetype<Box>(box);
  learn(a, f, b, rate, scratch);
  trust(a);
  prepare(a, f, b, scratch);
  keep(a);
  copyBox(b, keptBox(k));
  k.lastWidth = b.width;
  k.lastHeight = b.height;
  k.rivalry = PLACED_RIVALRY;
  begin(k);
  return 0;
}

/** Looks at a box of another size and takes it if it fits better. */
function consider(a: Appearance, frame: ObjectFrame, box: Box, best: Sight, trial: Sight, scratch: usize): void {
  follow(a, frame, box, trial, scratch);
  if (trial.value > best.value) copySight(trial, best);
}

/** Where the highest of three values lies: -1 to 1, between them by a parabola. */
function peak(before: f64, top: f64, after: f64): f64 {
  const curve = before + after - 2 * top;
  if (!(curve < 0)) return after > before ? 1 : after < before ? -1 : 0;
  return max<f64>(-1, min<f64>(1, (0.5 * (before - after)) / curve));
}

export function filterFollowScratch(): i32 {
  return <i32>SIGHT_BYTES;
}

/** Where the follower sees the target; `motion` is where the flow took the box. */
export function filterFollow(integrator: usize, appearance: usize, frame: usize, motion: usize, scratch: usize): i32 {
  const k = changetype<FilterIntegrator>(integrator);
  const a = changetype<Appearance>(appearance);
  const f = changetype<ObjectFrame>(frame);
  const flown = changetype<BoxMotion>(motion);
  k.sighted = k.placed;
  if (!k.placed) return 0;
  const best = keptSight(k);
  const trial = sightAt(scratch, 0);
  const middle = sightBox(sightAt(scratch, 1));
  const box = sightBox(sightAt(scratch, 2));
  follow(a, f, keptBox(k), best, scratch);
  if (flown.found) {
    copyBox(changetype<Box>(motion), box);
    const grown = min(MOST_STEP, max(1 / MOST_STEP, flown.width / k.width));
    resize(box, (grown * k.width) / flown.width);
    consider(a, f, box, best, trial, scratch);
  }
  // A weak response says nothing of the size.
  if (best.value < k.trusted * max(k.leastUsual, k.usual)) {
    resize(sightBox(best), k.width / best.width);
    bound(sightBox(best), f);
    return 0;
  }
  // The size at which a parabola through three responses has its vertex: a step of chance is not taken for growth.
  copyBox(sightBox(best), middle);
  copyBox(middle, box);
  resize(box, 1 / STEP);
  follow(a, f, box, trial, scratch);
  const smaller = trial.value;
  copyBox(middle, box);
  resize(box, STEP);
  follow(a, f, box, trial, scratch);
  resize(sightBox(best), 1 + (STEP - 1) * k.gain * peak(smaller, best.value, trial.value));
  bound(sightBox(best), f);
  return 0;
}

/** There is no frame to follow it from: it has to be found. */
export function filterLose(integrator: usize): i32 {
  const k = changetype<FilterIntegrator>(integrator);
  k.placed = 0;
  k.sighted = 0;
  k.chain = 0;
  k.shown = 0;
  return 0;
}

/** How likely the box is right, by how clearly the follower's peak stood out in the last frames. */
function confidence(k: FilterIntegrator): f64 {
  return max<f64>(0, min<f64>(1, 0.5 + k.slope * (k.level - k.rivalry)));
}

/** What is reported of the box that is followed. */
function answer(k: FilterIntegrator, belief: Belief, by: i32, teaches: bool): void {
  const sure = confidence(k);
  k.shown = <i32>(k.chain != 0 && sure >= k.minConfidence);
  const visible = k.shown != 0 && !k.unproven;
  copyBox(keptBox(k), changetype<Box>(changetype<usize>(belief)));
  // What is not shown is not confident either, even where it only has not been seen for long enough.
  belief.confidence = visible ? sure : min(sure, HIDDEN * k.minConfidence);
  belief.found = 1;
  belief.valid = <i32>teaches;
  belief.shown = <i32>visible;
  belief.by = visible ? by : BY_NONE;
  k.kept = 1;
}

/** The target is here again, on probation: nothing is taught until it has held for a while, nor shown without strong evidence. */
function resume(k: FilterIntegrator, a: Appearance, belief: Belief, box: Box, own: f64, by: i32): void {
  const again = k.met;
  restore(a);
  copyBox(box, keptBox(k));
  begin(k);
  k.probation = PROBATION;
  k.unproven = <i32>(again && k.proof > 0 && own < k.sure);
  k.rivalry = min(k.rivalry, FOUND_RIVALRY);
  answer(k, belief, by, false);
}

/** Learns from what is followed; returns whether ferns and patches may learn as well. */
function settle(
  k: FilterIntegrator,
  a: Appearance,
  frame: ObjectFrame,
  value: f64,
  remembered: f64,
  usual: f64,
  scratch: usize,
): bool {
  const trusted = value > k.trusted * usual && k.rivalry <= k.level;
  if (k.chain && value > k.learned * usual) {
    const share = min<f64>(1, value / usual);
    learn(a, frame, keptBox(k), <f32>(RATE * (share * share)), scratch);
  }
  if (k.chain && k.learning && !k.probation) k.usual += max(k.usualRate, 1 / <f64>(++k.seen + 1)) * (value - k.usual);
  if (k.probation) k.probation--;
  if (!trusted || !k.chain) {
    k.trustedFor = 0;
    k.preparedFor = 0;
    return false;
  }
  k.trustedFor++;
  if (<f64>k.trustedFor >= k.proof) k.unproven = 0;
  if (k.learning && !k.probation)
    k.viewUsual = max(k.leastView, k.viewUsual + k.usualRate * (k.viewUsual * remembered - k.viewUsual));
  k.lastWidth = k.width;
  k.lastHeight = k.height;
  if (!k.learning) return false;
  const settled = k.trustedFor >= SETTLED && !k.probation;
  if (k.preparedFor) {
    if (++k.preparedFor > PROVEN) {
      keep(a);
      k.preparedFor = 0;
    }
  } else if (settled && remembered < k.trusted) {
    k.preparedFor = 1;
    k.prepares = 1;
  }
  if (k.trustedFor % PROVEN == 0) trust(a);
  return settled;
}

export function filterDecideScratch(search: usize): i32 {
  return <i32>(SIGHT_BYTES + groupBytes(changetype<WindowSearch>(search).mostDetections));
}

/** What is believed by what the follower sees and what the detector found; `kept` of the integrator: there is an answer. */
export function filterDecide(
  integrator: usize,
  appearance: usize,
  model: usize,
  search: usize,
  frame: usize,
  belief: usize,
  scratch: usize,
): i32 {
  const k = changetype<FilterIntegrator>(integrator);
  const a = changetype<Appearance>(appearance);
  const s = changetype<WindowSearch>(search);
  const f = changetype<ObjectFrame>(frame);
  const b = changetype<Belief>(belief);
  const followed = keptSight(k);
  const remembered = sightAt(scratch, 0);
  const other = sightAt(scratch, 1);
  const usual = max(k.leastUsual, k.usual);
  const value = k.sighted ? followed.value : 0;
  k.kept = 0;
  k.prepares = 0;
  if (k.sighted) k.rivalry += k.rivalRate * (followed.rivalry - k.rivalry);
  if (value < k.broken * usual) {
    // From here on it is looked for as it was when it was last trusted.
    if (k.chain) restore(a);
    k.chain = 0;
  }
  remembered.value = 0;
  let recognized: f64 = 0;
  if (k.sighted) {
    remember(a, f, sightBox(followed), remembered, other, scratch);
    recognize(a, f, sightBox(followed), other, scratch);
    recognized = other.value / usual;
    remembered.value /= k.viewUsual;
  }
  const share = value / usual;
  const known = max(recognized, remembered.value);
  const own = k.chain ? max(share, remembered.value) : known;
  if (!k.shown || share < k.trusted) {
    const beaten = max(known, k.chain ? share : 0) + k.better;
    if (propose(k, a, s, f, usual, other, scratch) && other.value > k.minConfidence + k.jump && other.value > beaten) {
      resume(k, a, b, sightBox(other), other.value, BY_DETECTOR);
      return 0;
    }
  }
  if (!k.sighted) return 0;
  if (!k.chain && own > k.minConfidence + k.found) {
    const box = sightBox(remembered.value > max(share, recognized) ? remembered : followed);
    bound(box, f);
    resume(k, a, b, box, own, BY_TRACKER);
  } else {
    copyBox(sightBox(followed), keptBox(k));
    const teaches = settle(k, a, f, value, remembered.value, usual, scratch);
    answer(k, b, BY_TRACKER, teaches);
  }
  if (b.shown && confirmed(changetype<ObjectModel>(model), s, b)) b.by = BY_BOTH;
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

export function filterPrepareScratch(): i32 {
  return <i32>LOOK_BYTES;
}

/** Prepares a view of what is followed; there must be room for one. */
export function filterPrepare(integrator: usize, appearance: usize, frame: usize, scratch: usize): i32 {
  const a = changetype<Appearance>(appearance);
  prepare(a, changetype<ObjectFrame>(frame), keptBox(changetype<FilterIntegrator>(integrator)), scratch);
  return 0;
}
