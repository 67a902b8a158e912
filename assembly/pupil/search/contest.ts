// Selection of the best outline, used by all methods: each proposal is refined and rated, the best one is kept, and one
// with enough certainty ends the search.
import { Search } from './search';

/** Score without an outline. */
export const NOTHING: f32 = -100;

const SEARCH: usize = offsetof<Search>();

/** Resets the selection. Data of the last pupil and its outline in the state remain. */
export function beginContest(s: Search): void {
  s.score = NOTHING;
  s.ellipse = 0;
  s.support = 0;
  s.votes = 0;
  s.points = 0;
  s.entered = 0;
  memory.copy(s.best, changetype<usize>(s), SEARCH);
}

/** Makes the result in the state the best outline again. New candidates write to the other lists. */
export function resumeContest(s: Search): void {
  memory.copy(s.best, changetype<usize>(s), SEARCH);
  swapLists(s);
}

/** The border points of the best outline stay in place. The next candidate writes to the other list. */
function swapLists(s: Search): void {
  const x = s.qx;
  const y = s.qy;
  s.qx = s.spareX;
  s.qy = s.spareY;
  s.spareX = x;
  s.spareY = y;
}

/** Keeps the current outline if it is better than all before. Returns whether it is. */
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

/** Whether the search can stop. */
export function decided(s: Search): bool {
  return bestScore(s) >= s.enough;
}

/** Makes the best outline the result. */
export function endContest(s: Search): void {
  memory.copy(changetype<usize>(s), s.best, SEARCH);
}
