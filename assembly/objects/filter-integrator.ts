// The integrator of the default variant. Correlation filters follow the target and measure the similarity of what they
// follow. The detector only proposes other positions (the pattern of Ma et al. 2015).
//
// Evidence is the response of a filter relative to its usual response for this target. The follower and the views have
// separate usual responses, which adapt to the current ones even if these are low. While the chain of good responses
// from frame to frame is unbroken, the follower's response counts, so that the target may change its appearance. The
// chain breaks when the response drops. From then on nothing is learned, and the search uses the appearance from when
// the target was last trusted: nearby, at proposals of the detector, and at positions all over the frame in turn.
// Recovery needs more evidence than tracking. Without strong evidence a recovered target is shown only after a while.
//
// The usual response adapts to whatever is tracked, so evidence cannot reveal that the wrong object is tracked.
// Confidence therefore depends only on the rivalry, which is the maximum response away from the peak relative to the
// peak. A target differs from its surroundings, background does not. A box is reported while the chain is unbroken and
// the confidence is sufficient. Views and examples are learned only if the box is more likely correct than wrong.
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

/** Learning rate of the follower, lower in doubt. */
const RATE: f64 = 0.03;
/** Frames: trusted until the model learns, trusted until a view is kept, on probation. */
const SETTLED: i32 = 3;
const PROVEN: i32 = 10;
const PROBATION: i32 = 8;
/** Step of size that is tried up and down, and maximum change of size by the flow, per frame. */
const STEP: f64 = 1.08;
const MOST_STEP: f64 = 1.1;
/**
 * Rivalry where the user placed the target, and maximum rivalry after recovery. Neither has previous frames to average.
 */
const PLACED_RIVALRY: f64 = 0.15;
const FOUND_RIVALRY: f64 = 0.3;
/** Upper limit of `belief.confidence` while nothing is shown, relative to the minimum. */
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

/** The user has confirmed that the box is the target. There must be space for a view. */
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

/** Checks a box of another size and uses it if it fits better. */
function consider(a: Appearance, frame: ObjectFrame, box: Box, best: Sight, trial: Sight, scratch: usize): void {
  follow(a, frame, box, trial, scratch);
  if (trial.value > best.value) copySight(trial, best);
}

/** Position of the maximum of three values: -1 to 1, interpolated by a parabola. */
function peak(before: f64, top: f64, after: f64): f64 {
  const curve = before + after - 2 * top;
  if (!(curve < 0)) return after > before ? 1 : after < before ? -1 : 0;
  return max<f64>(-1, min<f64>(1, (0.5 * (before - after)) / curve));
}

export function filterFollowScratch(): i32 {
  return <i32>SIGHT_BYTES;
}

/** Locates the target with the follower. `motion` is the box predicted by the flow. */
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
  // A weak response has no information about the size.
  if (best.value < k.trusted * max(k.leastUsual, k.usual)) {
    resize(sightBox(best), k.width / best.width);
    bound(sightBox(best), f);
    return 0;
  }
  // Size at the vertex of a parabola through three responses, so that noise is not mistaken for growth.
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

/** There is no previous frame to follow from, so the target must be detected. */
export function filterLose(integrator: usize): i32 {
  const k = changetype<FilterIntegrator>(integrator);
  k.placed = 0;
  k.sighted = 0;
  k.chain = 0;
  k.shown = 0;
  return 0;
}

/** Probability that the box is correct, from how clearly the follower's peak stood out in the last frames. */
function confidence(k: FilterIntegrator): f64 {
  return max<f64>(0, min<f64>(1, 0.5 + k.slope * (k.level - k.rivalry)));
}

/** Sets the reported values of the tracked box. */
function answer(k: FilterIntegrator, belief: Belief, by: i32, teaches: bool): void {
  const sure = confidence(k);
  k.shown = <i32>(k.chain != 0 && sure >= k.minConfidence);
  const visible = k.shown != 0 && !k.unproven;
  copyBox(keptBox(k), changetype<Box>(changetype<usize>(belief)));
  // A box that is not shown has no confidence either, even if it only has not been visible for long enough.
  belief.confidence = visible ? sure : min(sure, HIDDEN * k.minConfidence);
  belief.found = 1;
  belief.valid = <i32>teaches;
  belief.shown = <i32>visible;
  belief.by = visible ? by : BY_NONE;
  k.kept = 1;
}

/**
 * The target is recovered, on probation: nothing is learned until it was stable for a while. Without strong evidence it
 * is not shown either.
 */
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

/** Learns from the tracked target. Returns whether ferns and patches may learn as well. */
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

/** Combines the follower and the detections into the target estimate. `kept` of the integrator: there is a result. */
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
    // From now on the search uses the appearance from when the target was last trusted.
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

/** Whether a detection confirms the target estimate. */
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

/** Prepares a view of the tracked target. There must be space for one. */
export function filterPrepare(integrator: usize, appearance: usize, frame: usize, scratch: usize): i32 {
  const a = changetype<Appearance>(appearance);
  prepare(a, changetype<ObjectFrame>(frame), keptBox(changetype<FilterIntegrator>(integrator)), scratch);
  return 0;
}
