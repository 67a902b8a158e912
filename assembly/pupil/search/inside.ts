// Search inside an outline. An iris is dark, round and sharp, so it can be mistaken for a pupil. An iris contains a
// pupil, but a pupil does not contain anything darker. The levels along rings of increasing size inside the outline
// show the difference: their median, which lashes, glints and texture hardly change, rises where the rings leave the
// pupil.
import { gatherLevels, percentile } from './judge';
import { Search } from './search';

/** Sizes of the rings relative to the outline: the smallest, and the difference between two. */
const FIRST: f32 = 0.14;
const NEXT: f32 = 0.03;
const RINGS: i32 = 24;
/** A pupil is not in the center of its iris, so its border extends over several rings: this number on both sides. */
const SPAN: i32 = 3;
/** Between the last two sizes that are checked for a rise. */
const LAST: f32 = FIRST + NEXT * (<f32>(RINGS - SPAN) - 1.5);
/**
 * Minimum rise inside an outline, relative to the minimum contrast of a pupil, and maximum ray length, relative to the
 * outline's size.
 */
export const LEAST_RISE: f32 = 0.5;
const REACH: f32 = 0.95;
/** Log-odds above which an outline inside another one is the pupil. */
export const LIKELY: f32 = 0;

/**
 * Position of the maximum rise of levels inside the outline in s, relative to its size. 0 if no rise is at least
 * `least` gray levels. Sets s.gradient to that rise. `work`: 1024 bytes and 4 per ring.
 */
export function riseInside(s: Search, least: f32, work: usize): f32 {
  const levels = work + 1024;
  const size = sqrt<f32>(s.ea * s.eb);
  for (let i = 0; i < RINGS; i++) {
    memory.fill(work, 0, 1024);
    gatherLevels(s, FIRST + NEXT * <f32>i, work);
    store<f32>(levels + <usize>(i << 2), percentile(work, 0.5));
  }
  let most: f32 = 0;
  let at: f32 = 0;
  for (let i = SPAN; i < RINGS - SPAN; i++) {
    const k: f32 = FIRST + NEXT * <f32>i;
    if (k * size < s.minRadius) continue;
    const inner = load<f32>(levels + <usize>((i - SPAN) << 2));
    const outer = load<f32>(levels + <usize>((i + SPAN) << 2));
    if (outer == 255 || outer - inner <= most) continue; // 255: completely hidden
    most = outer - inner;
    at = k;
  }
  // If the rise is still at its maximum at the last ring, it is the outline's border, which is wide if the pupil is
  // small.
  if (most < least || at > LAST) return 0;
  s.gradient = most;
  return at;
}

/** Ray threshold for detecting a rise, and ray length for an outline of this size. */
export function gradientInside(s: Search, rise: f32): f32 {
  return max<f32>(LEAST_RISE * s.minGradient, min<f32>(30, 0.4 * rise));
}
export function reachInside(size: f32): i32 {
  return <i32>(REACH * size);
}

/**
 * For two outlines, one inside the other, such as a pupil and its iris: whether the inner one in s has at least even
 * odds of being a pupil.
 */
export function isInside(s: Search, outer: Search): bool {
  return s.score >= LIKELY && s.ea < 0.9 * outer.eb;
}
