// What lies inside an outline. An iris is dark, round and sharp, so it can pass for a pupil; but in an iris there is a pupil,
// and in a pupil nothing that is darker still. The levels along ever larger rings inside the outline tell: their median,
// which lashes, glints and texture hardly move, rises where the rings leave the pupil.
import { gatherLevels, percentile } from './judge';
import { Search } from './search';

/** Sizes of the rings, in those of the outline: the smallest, and from one to the next. */
const FIRST: f32 = 0.14;
const NEXT: f32 = 0.03;
const RINGS: i32 = 24;
/** A pupil is not in the middle of its iris, so it ends over several rings: this many to either side. */
const SPAN: i32 = 3;
/** Between the last two sizes at which a rise is looked for. */
const LAST: f32 = FIRST + NEXT * (<f32>(RINGS - SPAN) - 1.5);
/** The least rise inside an outline, in the smallest contrast of a pupil, and the longest ray, in the outline's size. */
export const LEAST_RISE: f32 = 0.5;
const REACH: f32 = 0.95;
/** Log-odds from which an outline inside another one is the pupil. */
export const LIKELY: f32 = 0;

/**
 * Where the levels rise the most inside the outline in s, as a share of its size; 0 where nothing rises by `least` gray levels.
 * s.gradient becomes that rise. `work`: 1024 bytes and 4 a ring.
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
    if (outer == 255 || outer - inner <= most) continue; // 255: all of it is hidden
    most = outer - inner;
    at = k;
  }
  // What still rises the most at the last ring is the outline's own border, which is wide where the pupil is small.
  if (most < least || at > LAST) return 0;
  s.gradient = most;
  return at;
}

/** The threshold of rays that are to find a rise, and how far they go in an outline of this size. */
export function gradientInside(s: Search, rise: f32): f32 {
  return max<f32>(LEAST_RISE * s.minGradient, min<f32>(30, 0.4 * rise));
}
export function reachInside(size: f32): i32 {
  return <i32>(REACH * size);
}

/** Of two outlines that lie in each other, a pupil and its iris, whether the inner one in s is as likely as not a pupil. */
export function isInside(s: Search, outer: Search): bool {
  return s.score >= LIKELY && s.ea < 0.9 * outer.eb;
}
