// Starburst (Li and Parkhurst 2005, as in paper 000, section 2.3): rays, border points, RANSAC circle, repeated from
// the new center until it moves less than 10 px, then the ellipse. Our additions, off in the paper's variant: several
// start candidates instead of the image's center, thresholds in proportion to the contrast, sub-pixel re-selection.
import { ransacCircle } from '../search/circle';
import { beginContest, decided, endContest, enter, NOTHING } from '../search/contest';
import { outlineOfRays } from '../search/propose';
import { Search } from '../search/search';
import { castRays } from './rays';
import { startGradient, startReach, startX, startY } from './starts';

/** Iterates from (x, y). Returns false if there are fewer than five border points. */
export function iterate(s: Search, x: f32, y: f32, reach: i32): bool {
  s.used = 0;
  for (let i = 0; i < s.iterations; i++) {
    castRays(s, x, y, reach);
    s.used++;
    if (!ransacCircle(s)) return false;
    // A circle supported by few of its points is a dead end. The paper's variant continues.
    if (!s.paper && s.votes * 4 < s.points) return false;
    const dx = s.cx - x;
    const dy = s.cy - y;
    x = s.cx;
    y = s.cy;
    if (!(x >= <f32>s.x0 && y >= <f32>s.y0 && x < <f32>s.x1 && y < <f32>s.y1)) return false;
    if (dx * dx + dy * dy < s.epsilon * s.epsilon) break;
  }
  return true;
}

/** The best outline of the starts in the state, in their order, until one has enough certainty. s.dark must be set. */
export function tryStarts(search: usize): i32 {
  const s = changetype<Search>(search);
  beginContest(s);
  const count = s.startCount;
  for (let i = 0; i < count && !decided(s); i++) {
    s.score = NOTHING;
    s.ellipse = 0;
    s.gradient = startGradient(s, i);
    if (!iterate(s, startX(s, i), startY(s, i), startReach(s, i))) continue;
    outlineOfRays(s);
    enter(s);
  }
  endContest(s);
  return 0;
}
