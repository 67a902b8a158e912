// From a proposal to a rated outline: the circle of a method, with its border points in the state, is fitted, refined
// on the full image and rated.
import { Value } from '../../runtime/wasm/value';
import { castRays } from '../starburst/rays';
import { lookAround, thresholdFor } from '../starburst/starts';
import { fitCircle, ransacCircle } from './circle';
import { beginContest, decided, endContest, enter, NOTHING } from './contest';
import { circleOfEllipse, fitEllipse } from './ellipse';
import { measure, rate } from './judge';
import { MAXIMUM, reselect } from './outline';
import { Search } from './search';

/** Minimum difference of centers and radii of two different circles, in radii. */
const APART: f32 = 0.1;
/** Minimum log-odds of a pupil outline whose position is checked. This check never adds a detection. */
const LIKELY: f32 = 1;

/** Moves the border points within the vote distance of the circle to the front of qx, qy. Returns their number. */
export function inliers(s: Search): i32 {
  let n = 0;
  for (let i: usize = 0; i < (<usize>s.points) << 2; i += 4) {
    const x = load<f32>(s.px + i);
    const y = load<f32>(s.py + i);
    const d = sqrt<f32>((x - s.cx) * (x - s.cx) + (y - s.cy) * (y - s.cy));
    if (abs<f32>(d - s.r) >= s.voteDistance) continue;
    store<f32>(s.qx + <usize>(n << 2), x);
    store<f32>(s.qy + <usize>(n << 2), y);
    n++;
  }
  return n;
}

/** Starts from the circle and re-selects three times in narrowing bands. */
export function refineOutline(s: Search): void {
  const edges = s.work;
  const profile = s.work + <usize>(s.normalCount << 4);
  const list = profile + <usize>((MAXIMUM + 8) << 2);
  const r = s.r;
  s.ex = s.cx;
  s.ey = s.cy;
  s.ea = r;
  s.eb = r;
  s.eux = 1;
  s.euy = 0;
  s.ellipse = 1;
  // A circle that most border points agree on does not need a wide search around it.
  if (s.votes * 10 < s.points * 7) reselect(s, max<f32>(3, min<f32>(0.25 * r, 50)), false, edges, profile, list);
  reselect(s, max<f32>(3, min<f32>(0.12 * r, 25)), true, edges, profile, list);
  reselect(s, max<f32>(3, min<f32>(0.06 * r, 12)), true, edges, profile, list);
  measure(s, edges, profile, list);
}

/** Refines the current ellipse once more, after a coarse start. */
export function tightenOutline(s: Search): void {
  const edges = s.work;
  const profile = s.work + <usize>(s.normalCount << 4);
  const list = profile + <usize>((MAXIMUM + 8) << 2);
  const band = max<f32>(3, min<f32>(0.06 * s.ea, 12));
  reselect(s, band, true, edges, profile, list);
  reselect(s, band, true, edges, profile, list);
  measure(s, edges, profile, list);
}

/** The ellipse on the inliers of the circle in s. */
function inlierEllipse(s: Search): void {
  s.support = <f32>s.votes / <f32>s.points;
  s.visible = 1;
  const cx = s.cx;
  const cy = s.cy;
  const r = s.r;
  const n = inliers(s);
  s.qn = n;
  if (n >= 6) fitEllipse(s, s.qx, s.qy, n);
  s.cx = cx;
  s.cy = cy;
  s.r = r;
}

/** Computes the outline and its score from the circle and border points in s. */
export function outlineOfRays(s: Search): void {
  if (s.paper) {
    inlierEllipse(s);
    s.score = <f32>s.votes; // the paper has no other measure
    return;
  }
  const n = inliers(s);
  const votes = s.votes;
  fitCircle(s, s.qx, s.qy, n);
  s.votes = votes;
  if (!(s.r >= s.minRadius && s.r <= s.maxRadius)) return;
  refineOutline(s);
  s.score = rate(s);
  circleOfEllipse(s);
}

/**
 * The circle is fitted to the points that vote for it, if there are any, which are `outside` px beyond the edge. The
 * weights of `rate` were fitted to Starburst's features, so the rays are cast once from the center of the outline. The
 * confidence of all methods is then comparable. If the rays find a different circle, the outline may have locked on to
 * a part of the border. That circle is also refined and competes, if the first outline is a pupil.
 */
function outlineOfCircle(s: Search, outside: f32, votes: i32, points: i32): void {
  const near = inliers(s);
  if (near >= 8) fitCircle(s, s.qx, s.qy, near);
  s.r -= outside;
  if (!(s.r >= s.minRadius && s.r <= s.maxRadius)) return;
  refineOutline(s);
  if (near < 8) tightenOutline(s);
  const r = sqrt<f32>(s.ea * s.eb);
  s.gradient = thresholdFor(s, s.contrast);
  castRays(s, s.ex, s.ey, lookAround(r));
  if (ransacCircle(s)) s.score = rate(s);
  const x = s.cx;
  const y = s.cy;
  const other = s.r;
  const agreed = s.votes;
  const cast = s.points;
  circleOfEllipse(s);
  const dx = x - s.ex;
  const dy = y - s.ey;
  if (s.score < LIKELY || sqrt<f32>(dx * dx + dy * dy) + abs<f32>(other - r) <= APART * r) return;
  s.votes = votes;
  s.points = points;
  enter(s);
  clear(s);
  s.cx = x;
  s.cy = y;
  s.r = other;
  s.votes = agreed;
  s.points = cast;
  outlineOfRays(s);
}

function clear(s: Search): void {
  s.ellipse = 0;
  s.support = 0;
  s.score = NOTHING;
}

/** Resets the selection. */
export function contestBegin(search: usize): i32 {
  beginContest(changetype<Search>(search));
  return 0;
}

/** Makes the best outline of the selection the result. */
export function contestEnd(search: usize): i32 {
  endContest(changetype<Search>(search));
  return 0;
}

/**
 * Proposes a circle of another method with its border points. The result reports its `votes` and `points`. Returns 1 if
 * no further proposal is needed. s.dark must be set.
 */
export function proposeCircle(search: usize, outside: f32, votes: i32, points: i32): Value {
  const s = changetype<Search>(search);
  clear(s);
  if (s.paper) {
    inlierEllipse(s);
    s.score = <f32>votes; // the paper has no other measure
  } else outlineOfCircle(s, outside, votes, points);
  s.votes = votes;
  s.points = points;
  enter(s);
  return decided(s) ? 1 : 0;
}

/** Proposes the result of rays and RANSAC on the GPU: circle, votes and border points are in the state. */
export function proposeRays(search: usize): Value {
  const s = changetype<Search>(search);
  clear(s);
  outlineOfRays(s);
  enter(s);
  return decided(s) ? 1 : 0;
}
