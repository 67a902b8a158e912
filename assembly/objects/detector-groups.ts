// Groups of detections by single linkage: two boxes that overlap by at least half are in one group.
import { Box, overlap } from './boxes';
import { Detection, detectionAt } from './detector-search';

const SAME_OBJECT: f64 = 0.5;

/** Begins as a Box, the mean of the members' boxes. A group is stored at the index of its first member. */
@unmanaged
export class Group {
  x: f64;
  y: f64;
  width: f64;
  height: f64;
  relative: f64; // maximum of the members
  conservative: f64; // the mean
  members: i32; // 0: there is no group here
  spare: i32; // pads to a multiple of 8 bytes
}

export function groupAt(groups: usize, i: i32): Group {
  return changetype<Group>(groups + <usize>i * offsetof<Group>());
}

/** Bytes of the groups of this number of detections, followed by the roots. */
export function groupBytes(count: i32): usize {
  return (<usize>count * (offsetof<Group>() + 4) + 15) & ~15;
}

function boxOf(detection: Detection): Box {
  return changetype<Box>(changetype<usize>(detection));
}

function parentOf(roots: usize, i: i32): i32 {
  return load<i32>(roots + ((<usize>i) << 2));
}

function rootOf(roots: usize, i: i32): i32 {
  while (parentOf(roots, i) != i) {
    const above = parentOf(roots, parentOf(roots, i));
    store<i32>(roots + ((<usize>i) << 2), above);
    i = above;
  }
  return i;
}

/** Groups the detections whose relative similarity is above `least`. Returns the number of groups. */
export function groupDetections(detections: usize, count: i32, least: f64, groups: usize): i32 {
  const roots = groups + <usize>count * offsetof<Group>();
  for (let i = 0; i < count; i++) store<i32>(roots + ((<usize>i) << 2), i);
  for (let i = 0; i < count; i++) {
    const a = detectionAt(detections, i);
    if (!(a.relative > least)) continue;
    for (let j = 0; j < i; j++) {
      const b = detectionAt(detections, j);
      if (!(b.relative > least)) continue;
      const p = rootOf(roots, i);
      const q = rootOf(roots, j);
      if (p != q && overlap(boxOf(a), boxOf(b)) >= SAME_OBJECT)
        store<i32>(roots + ((<usize>max(p, q)) << 2), min(p, q));
    }
  }
  memory.fill(groups, 0, <usize>count * offsetof<Group>());
  let found = 0;
  for (let i = 0; i < count; i++) {
    const detection = detectionAt(detections, i);
    if (!(detection.relative > least)) continue;
    const group = groupAt(groups, rootOf(roots, i));
    if (!group.members++) found++;
    group.x += detection.x;
    group.y += detection.y;
    group.width += detection.width;
    group.height += detection.height;
    group.relative = max(group.relative, detection.relative);
    group.conservative += detection.conservative;
  }
  for (let i = 0; i < count; i++) {
    const group = groupAt(groups, i);
    if (!group.members) continue;
    const n = <f64>group.members;
    group.x /= n;
    group.y /= n;
    group.width /= n;
    group.height /= n;
    group.conservative /= n;
  }
  return found;
}
