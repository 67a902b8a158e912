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
  if (most < least) return 0;
  s.gradient = most;
  return at;
}
