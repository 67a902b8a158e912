// The contest of outlines, the same for all methods: each proposal is refined and judged, the best one stays, and one that
// is certain enough ends the search.
import { Search } from './search';

/** The score of what has no outline. */
export const NOTHING: f32 = -100;

const SEARCH: usize = offsetof<Search>();

/** Nothing is found yet. What the state holds of the last pupil and its outline stays. */
export function beginContest(s: Search): void {
  s.score = NOTHING;
  s.ellipse = 0;
  s.support = 0;
  s.votes = 0;
  s.points = 0;
  s.entered = 0;
  memory.copy(s.best, changetype<usize>(s), SEARCH);
}

/** The result in the state is the best outline again; what is tried now writes to the other lists. */
export function resumeContest(s: Search): void {
  memory.copy(s.best, changetype<usize>(s), SEARCH);
  swapLists(s);
}

/** The border points of the best outline stay where they are; the next try writes to the other list. */
function swapLists(s: Search): void {
  const x = s.qx;
  const y = s.qy;
  s.qx = s.spareX;
  s.qy = s.spareY;
  s.spareX = x;
  s.spareY = y;
}

/** Keeps the current outline if it is better than all before; says whether it is. */
export function enter(s: Search): bool {
  if (!(s.score > changetype<Search>(s.best).score)) return false;
  s.entered++;
  memory.copy(s.best, changetype<usize>(s), SEARCH);
  swapLists(s);
  return true;
}

export function bestScore(s: Search): f32 {
  return changetype<Search>(s.best).score;
}

/** Whether nothing else need be tried. */
export function decided(s: Search): bool {
  return bestScore(s) >= s.enough;
}

/** The best outline is the result. */
export function endContest(s: Search): void {
  memory.copy(changetype<usize>(s), s.best, SEARCH);
}
