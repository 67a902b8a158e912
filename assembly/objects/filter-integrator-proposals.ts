// Possible positions of the target elsewhere: proposals of the detector for the integrator.
import { Appearance, recognize, remember, Sight, sightBox } from './appearance';
import { Box, overlap } from './boxes';
import { groupAt, groupDetections } from './detector-groups';
import { WindowSearch } from './detector-search';
import { ObjectFrame } from './frame';
import { bound, copySight, FilterIntegrator, keptSight, SIGHT_BYTES, sightAt } from './filter-integrator-state';

/** A group of detections with a lower overlap with the tracked box counts as elsewhere. */
const ELSEWHERE: f64 = 0.5;
/** Maximum number of detection groups to check. */
const PROPOSALS: i32 = 3;
/** Minimum response for a second check, centered on the proposal. */
const PROMISING: f64 = 0.35;

/** Maximum change of size when searching for a lost target. */
const MOST_CHANGE: f64 = 2;
/**
 * Number of positions checked per frame while the target is lost, and their distance relative to the mean of its width
 * and height.
 */
const SCANS: i32 = 3;
const APART: f64 = 1.2;

/**
 * How well a position fits the views and the trusted follower, each relative to its usual response. Moves the sight
 * there.
 */
function inspect(
  k: FilterIntegrator,
  a: Appearance,
  frame: ObjectFrame,
  box: Box,
  usual: f64,
  sight: Sight,
  trial: Sight,
  scratch: usize,
): void {
  remember(a, frame, box, sight, trial, scratch);
  sight.value /= k.viewUsual;
  recognize(a, frame, box, trial, scratch);
  trial.value /= usual;
  if (trial.value > sight.value) copySight(trial, sight);
}

/** Checks positions all over the frame in turn, with the last size of the target. */
function scan(k: FilterIntegrator, a: Appearance, frame: ObjectFrame, usual: f64, best: Sight, scratch: usize): void {
  const sight = sightAt(scratch, 3);
  const trial = sightAt(scratch, 5);
  const box = sightBox(sightAt(scratch, 4));
  const step = APART * sqrt(k.lastWidth * k.lastHeight);
  const columns = max(1, <i32>ceil(<f64>frame.width / step));
  const rows = max(1, <i32>ceil(<f64>frame.height / step));
  for (let n = 0; n < SCANS; n++) {
    const at = k.scanned++ % (columns * rows);
    box.width = k.lastWidth;
    box.height = k.lastHeight;
    box.x = (<f64>(at % columns) + 0.5) * (<f64>frame.width / <f64>columns) - box.width / 2;
    box.y = (<f64>(at / columns) + 0.5) * (<f64>frame.height / <f64>rows) - box.height / 2;
    recognize(a, frame, box, sight, scratch);
    sight.value /= usual;
    if (sight.value > PROMISING) {
      copySight(sight, sightAt(scratch, 4));
      inspect(k, a, frame, sightBox(sightAt(scratch, 4)), usual, sight, trial, scratch);
    }
    if (sight.value > best.value) copySight(sight, best);
  }
}

/**
 * The detection groups that are most similar to a view in memory, except where the target is tracked. Returns whether
 * there is one.
 */
export function propose(
  k: FilterIntegrator,
  a: Appearance,
  search: WindowSearch,
  frame: ObjectFrame,
  usual: f64,
  best: Sight,
  scratch: usize,
): bool {
  const count = search.detectionCount;
  const groups = scratch + SIGHT_BYTES;
  groupDetections(search.detections, count, -1, groups);
  const followed = sightBox(keptSight(k));
  const sight = sightAt(scratch, 3);
  const centered = sightAt(scratch, 4);
  const trial = sightAt(scratch, 5);
  let found = false;
  best.value = 0;
  if (!k.chain) {
    scan(k, a, frame, usual, best, scratch);
    found = best.value > 0;
  }
  for (let n = 0; n < PROPOSALS; n++) {
    // The one with the highest similarity, the first of equals.
    let first: usize = 0;
    let highest: f64 = -1;
    for (let i = 0; i < count; i++) {
      const group = groupAt(groups, i);
      if (!group.members || group.relative <= highest) continue;
      if (k.sighted && !(overlap(changetype<Box>(changetype<usize>(group)), followed) < ELSEWHERE)) continue;
      const size = sqrt((group.width * group.height) / (k.lastWidth * k.lastHeight));
      if (size > MOST_CHANGE || size < 1 / MOST_CHANGE) continue;
      first = changetype<usize>(group);
      highest = group.relative;
    }
    if (!first) break;
    groupAt(first, 0).members = 0;
    inspect(k, a, frame, changetype<Box>(first), usual, sight, trial, scratch);
    if (sight.value > PROMISING) {
      inspect(k, a, frame, sightBox(sight), usual, centered, trial, scratch);
      if (centered.value > sight.value) copySight(centered, sight);
    }
    if (found && !(sight.value > best.value)) continue;
    copySight(sight, best);
    found = true;
  }
  if (found) bound(sightBox(best), frame);
  return found;
}
