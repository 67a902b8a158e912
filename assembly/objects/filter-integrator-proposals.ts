// Where else the target might be: what the detector proposes to the integrator.
import { Appearance, recognize, remember, Sight, sightBox } from './appearance';
import { Box, overlap } from './boxes';
import { groupAt, groupDetections } from './detector-groups';
import { WindowSearch } from './detector-search';
import { ObjectFrame } from './frame';
import { bound, copySight, FilterIntegrator, keptSight, SIGHT_BYTES, sightAt } from './filter-integrator-state';

/** A group of detections that overlaps the followed box less is elsewhere. */
const ELSEWHERE: f64 = 0.5;
/** Groups of detections that are looked at. */
const PROPOSALS: i32 = 3;
/** From this response on a proposal is worth a second look, centered on it. */
const PROMISING: f64 = 0.35;

/** What was lost is not looked for at a size that differs by more. */
const MOST_CHANGE: f64 = 2;
/** Places that are looked at in a frame while the target is lost, this far apart in units of its sides' mean. */
const SCANS: i32 = 3;
const APART: f64 = 1.2;

/** How well a place fits: the views and the trusted follower, each in shares of what is usual of it; moves the sight there. */
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

/** Places all over the frame in turn, at the size that the target had last. */
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
 * The detections, in groups, that look most like a view in memory; none that is where the target is followed. Returns
 * whether there is one.
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
    // The one with the highest similarity, of equal ones the first.
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
