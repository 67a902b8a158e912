// Where else the target might be: what the detector proposes to the keeper.
import { Appearance, remember, Sight, sightBox } from './appearance';
import { Box, overlap } from './boxes';
import { groupAt, groupDetections } from './detector-groups';
import { WindowSearch } from './detector-search';
import { ObjectFrame } from './frame';
import { bound, copySight, Keeper, keptSight, SIGHT_BYTES, sightAt } from './keeper-state';

/** A group of detections that overlaps the followed box less is elsewhere. */
const ELSEWHERE: f64 = 0.5;
/** Groups of detections that are looked at. */
const PROPOSALS: i32 = 3;
/** From this response on a proposal is worth a second look, centered on it. */
const PROMISING: f64 = 0.15;

/**
 * The detections, in groups, that look most like a view in memory; none that is where the target is followed. Returns
 * whether there is one.
 */
export function propose(
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
  const centered = sightAt(scratch, 4);
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
      remember(a, frame, sightBox(sight), centered, trial, scratch);
      if (centered.value > sight.value) copySight(centered, sight);
    }
    if (found && !(sight.value > best.value)) continue;
    copySight(sight, best);
    found = true;
  }
  if (found) bound(sightBox(best), frame);
  return found;
}
