// The published integrator (Kalal, Mikolajczyk, Matas 2012, section 5.4): a single confident group of detections far
// from the track restarts it. Close ones stabilize it.
import { Belief, BY_BOTH, BY_DETECTOR, BY_NONE, BY_TRACKER } from './target-belief';
import { Box, copyBox, overlap } from './boxes';
import { Group, groupAt, groupBytes, groupDetections } from './detector-groups';
import { judgeBox, judgeBoxScratch } from './learner';
import { ObjectModel } from './model';
import { detectionAt, WindowSearch } from './detector-search';
import { BoxMotion } from './median-flow';

/** A group with a lower overlap with the tracked box counts as elsewhere. */
const ELSEWHERE: f64 = 0.5;
/** A detection with at least this overlap with the tracked box helps to place it. */
export const CLOSE: f64 = 0.7;
/** Weight of the tracked box against each close detection. */
const TRACK_WEIGHT: f64 = 10;

function boxOf(belief: Belief): Box {
  return changetype<Box>(changetype<usize>(belief));
}

export function trackBeliefScratch(): i32 {
  return judgeBoxScratch();
}

/** Moves the target estimate with the flow, and updates its confidence. */
export function trackBelief(
  model: usize,
  frame: usize,
  motion: usize,
  before: usize,
  tracked: usize,
  scratch: usize,
): i32 {
  const m = changetype<ObjectModel>(model);
  const moved = changetype<BoxMotion>(motion);
  const t = changetype<Belief>(tracked);
  t.found = moved.found;
  if (!moved.found) return 0;
  copyBox(changetype<Box>(motion), boxOf(t));
  judgeBox(model, frame, motion, scratch);
  t.confidence = m.conservative;
  t.valid = <i32>(changetype<Belief>(before).valid != 0 || m.conservative > m.validThreshold);
  return 0;
}

/** Replaces the estimate with a detection. */
function believe(belief: Belief, group: Group): void {
  copyBox(changetype<Box>(changetype<usize>(group)), boxOf(belief));
  belief.confidence = group.conservative;
  belief.found = 1;
  belief.valid = 0;
  belief.by = BY_DETECTOR;
}

export function integrateScratch(search: usize): i32 {
  return <i32>groupBytes(changetype<WindowSearch>(search).mostDetections);
}

/** Combines the box tracked by the flow and the detections into the target estimate. */
export function integrate(model: usize, search: usize, tracked: usize, belief: usize, scratch: usize): i32 {
  const m = changetype<ObjectModel>(model);
  const s = changetype<WindowSearch>(search);
  const t = changetype<Belief>(tracked);
  const b = changetype<Belief>(belief);
  const count = s.detectionCount;
  groupDetections(s.detections, count, m.nearestThreshold, scratch);
  let better = 0;
  let best: usize = 0;
  for (let i = 0; i < count; i++) {
    const group = groupAt(scratch, i);
    if (!group.members) continue;
    const box = changetype<Box>(changetype<usize>(group));
    if (t.found && !(overlap(box, boxOf(t)) < ELSEWHERE && group.conservative > t.confidence)) continue;
    better++;
    best = changetype<usize>(group);
  }
  if (better == 1) {
    believe(b, changetype<Group>(best));
    return 0;
  }
  memory.copy(belief, tracked, offsetof<Belief>());
  if (!t.found) {
    b.confidence = 0;
    b.valid = 0;
    b.by = BY_NONE;
    return 0;
  }
  b.x = TRACK_WEIGHT * t.x;
  b.y = TRACK_WEIGHT * t.y;
  b.width = TRACK_WEIGHT * t.width;
  b.height = TRACK_WEIGHT * t.height;
  let total = TRACK_WEIGHT;
  for (let i = 0; i < count; i++) {
    const detection = detectionAt(s.detections, i);
    const box = changetype<Box>(changetype<usize>(detection));
    if (!(detection.relative > m.nearestThreshold) || !(overlap(box, boxOf(t)) > CLOSE)) continue;
    b.x += box.x;
    b.y += box.y;
    b.width += box.width;
    b.height += box.height;
    total += 1;
  }
  if (total == TRACK_WEIGHT) {
    copyBox(boxOf(t), boxOf(b));
    b.by = BY_TRACKER;
    return 0;
  }
  b.x /= total;
  b.y /= total;
  b.width /= total;
  b.height /= total;
  b.by = BY_BOTH;
  return 0;
}
