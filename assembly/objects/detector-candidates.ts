// Converts the votes of the windows to a list of candidates, the highest vote first, and the first of these to
// detections: the sequential part of the last two stages of the detector's cascade.
import { ObjectFrame } from './frame';
import { pairAt, WindowPair } from './windows';
import { ObjectModel } from './model';
import { compare } from './model-patches';
import { PATCH_SCRATCH, patchOfBox } from './model-patch';
import { STORED_BYTES } from './model-correlations';
import { Candidate, candidateAt, detectionAt, WindowSearch } from './detector-search';

/** Writes window `column` of a pair. */
function place(window: Candidate, pair: WindowPair, column: i32, vote: f32, record: i32): void {
  window.x = <f32>load<i32>(pair.lefts + ((<usize>column) << 2));
  window.y = <f32>pair.y;
  window.width = <f32>pair.width;
  window.height = <f32>pair.height;
  window.number = <u32>(pair.number + column * pair.step);
  window.vote = vote;
  window.scale = pair.scale;
  window.record = record;
}

/** Whether one candidate comes before another. */
function before(a: Candidate, b: Candidate): bool {
  return a.vote > b.vote || (a.vote == b.vote && a.number < b.number);
}

function swap(a: usize, b: usize): void {
  for (let i: usize = 0; i < offsetof<Candidate>(); i += 8) {
    const word = load<u64>(a + i);
    store<u64>(a + i, load<u64>(b + i));
    store<u64>(b + i, word);
  }
}

/** Moves the window at the top of a heap to its place. The root of the heap is the last in order. */
function sink(list: usize, top: i32, count: i32): void {
  for (let child = 2 * top + 1; child < count; child = 2 * top + 1) {
    if (child + 1 < count && before(candidateAt(list, child), candidateAt(list, child + 1))) child++;
    if (!before(candidateAt(list, top), candidateAt(list, child))) return;
    swap(changetype<usize>(candidateAt(list, top)), changetype<usize>(candidateAt(list, child)));
    top = child;
  }
}

/** Heapsort: the highest vote first, equal ones in the order of the grid. */
function sort(list: usize, count: i32): void {
  for (let i = (count >> 1) - 1; i >= 0; i--) sink(list, i, count);
  for (let end = count - 1; end > 0; end--) {
    swap(list, changetype<usize>(candidateAt(list, end)));
    sink(list, 0, end);
  }
}

/** The windows that have at least this vote from `fernVotes`, at most `mostCandidates` of them, sorted. */
export function fernGather(search: usize, least: f32): i32 {
  const s = changetype<WindowSearch>(search);
  let n = 0;
  for (let p = 0; p < s.pairCount && n < s.mostCandidates; p++) {
    const pair = pairAt(s.pairs, p);
    const count = load<i32>(s.counts + ((<usize>p) << 2));
    for (let k = 0; k < count && n < s.mostCandidates; k++) {
      const at = <usize>(pair.first + k);
      const vote = load<f32>(s.votes + (at << 2));
      if (vote >= least) place(candidateAt(s.candidates, n++), pair, <i32>load<u16>(s.accepted + (at << 1)), vote, -1);
    }
  }
  s.candidateCount = n;
  sort(s.candidates, n);
  return 0;
}

/** fernGather for `count` windows with codes from the GPU. `votes`: from `codeVotes`. */
export function codeGather(search: usize, count: i32, votes: usize, least: f32): i32 {
  const s = changetype<WindowSearch>(search);
  let n = 0;
  for (let k = 0; k < count && n < s.mostCandidates; k++) {
    const vote = load<f32>(votes + ((<usize>k) << 2));
    if (!(vote >= least)) continue;
    const at = <i32>(load<u32>(s.places + ((<usize>k) << 2)) & 0x3fffffff);
    const starts = s.batches + ((<usize>(at / s.widest)) << 2);
    let pair = load<i32>(starts);
    const wanted = pairAt(s.pairs, pair).first + (at % s.widest);
    for (let high = load<i32>(starts, 4); high - pair > 1;) {
      const middle = (pair + high) >> 1;
      if (pairAt(s.pairs, middle).first <= wanted) pair = middle;
      else high = middle;
    }
    const found = pairAt(s.pairs, pair);
    place(candidateAt(s.candidates, n++), found, wanted - found.first, vote, k);
  }
  s.candidateCount = n;
  sort(s.candidates, n);
  return 0;
}

export function compareCandidatesScratch(): i32 {
  return <i32>PATCH_SCRATCH;
}

/** The nearest-neighbor stage over the first candidates. */
export function compareCandidates(search: usize, model: usize, frame: usize, scratch: usize): i32 {
  const s = changetype<WindowSearch>(search);
  const m = changetype<ObjectModel>(model);
  const count = min(s.candidateCount, s.mostDetections);
  for (let i = 0; i < count; i++) {
    const window = candidateAt(s.candidates, i);
    const detection = detectionAt(s.detections, i);
    const patch = s.patches + <usize>i * STORED_BYTES;
    patchOfBox(changetype<ObjectFrame>(frame), window.x, window.y, window.width, window.height, patch, scratch);
    compare(m, patch);
    detection.x = window.x;
    detection.y = window.y;
    detection.width = window.width;
    detection.height = window.height;
    detection.relative = m.relative;
    detection.conservative = m.conservative;
    detection.patch = patch;
  }
  s.detectionCount = count;
  return 0;
}
