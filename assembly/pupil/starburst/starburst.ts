// Starburst (Li and Parkhurst 2005, as in paper 000, section 2.3): rays, border points, RANSAC circle, again from the
// new centre until it moves less than 10 px; then the ellipse. What is ours, and off in the paper's variant: several
// start candidates instead of the image's centre, thresholds in proportion to the contrast, sub-pixel re-selection.
import { fitCircle, ransacCircle } from '../search/circle';
import { fitEllipse } from '../search/ellipse';
import { refineOutline, tightenOutline } from '../search/outline';
import { castRays } from './rays';
import { Search } from '../search/search';
import { findCandidates, measureLevels } from './dark-regions';

/** Iterates from (x, y). Returns false when fewer than five border points were found. */
export function iterate(s: Search, x: f32, y: f32, reach: i32): bool {
  s.used = 0;
  for (let i = 0; i < s.iterations; i++) {
    castRays(s, x, y, reach);
    s.used++;
    if (!ransacCircle(s)) return false;
    // A circle that few of its points support leads nowhere; the paper's variant goes on.
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

/** Moves the border points within the vote distance of the circle to the front of qx, qy; returns their number. */
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

/** The paper's search: one start, a fixed threshold, the ellipse on the inliers. */
export function starburstPaper(search: usize, x: f32, y: f32): i32 {
  const s = changetype<Search>(search);
  s.ellipse = 0;
  s.support = 0;
  if (iterate(s, x, y, max(s.width, s.height))) finishPaper(s);
  else s.votes = 0; // also where the last circle left the image
  return 0;
}

/** The ellipse on the inliers of the circle in s. */
function finishPaper(s: Search): void {
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

/** What an attempt that found no outline scores. */
export const NOTHING: f32 = -100;

/**
 * Log-odds that the current outline is the pupil: a logistic regression on what `judge` measured, fitted to rendered
 * eyes and eyeless frames alone (bench/pupil/confidence), no real recording among them. 0 is even odds.
 */
function rate(s: Search): f32 {
  const r = sqrt<f32>(s.ea * s.eb);
  if (r < s.minRadius || r > s.maxRadius || s.contrast < s.minContrast || s.visible < 0.3 || !s.points) return NOTHING;
  const w = <f32>s.width;
  const h = <f32>s.height;
  const c = max<f32>(s.contrast, 1);
  let z: f32 = -11.3484;
  z += 1.5566 * s.support + 1.1479 * s.support * s.support + 2.3428 * s.support * s.steady + 6.5527 * s.steady;
  z -= 4.5221 * s.visible;
  z -= 88.682 * min<f32>(s.spread / r, 0.1) + 1.7171 * min<f32>(s.spread, 3);
  z -= 2.14 * min<f32>(s.insideRange / c, 3) + 1.6407 * max<f32>(-2, min<f32>(s.gap / c, 1.5));
  z -= 0.0696 * max<f32>(0, min<f32>(s.inside - s.dark, 80));
  z += 5.8311 * max<f32>(s.eb / s.ea, 0.3);
  z += 2.5185 * (<f32>s.votes / <f32>s.points) + 3.1699 * (<f32>s.points / <f32>(s.rays * (s.arcRays + 1)));
  z += 71.9433 * max<f32>(0.02, min<f32>(r / sqrt<f32>(w * w + h * h), 0.06));
  return z;
}

/** The start candidates alone, for the figures of bench and tests. */
export function starburstCandidates(search: usize, work: usize): i32 {
  findCandidates(changetype<Search>(search), work);
  return 0;
}

/** One try from a start point; fills the outline and s.score. */
function attempt(s: Search, x: f32, y: f32, reach: i32, work: usize): void {
  s.score = NOTHING;
  s.ellipse = 0;
  if (iterate(s, x, y, reach)) finish(s, work);
}

/** From the circle and border points in s to the outline and its score. */
function finish(s: Search, work: usize): void {
  const n = inliers(s);
  const votes = s.votes;
  fitCircle(s, s.qx, s.qy, n);
  s.votes = votes;
  if (!(s.r >= s.minRadius && s.r <= s.maxRadius)) return;
  refineOutline(s, work);
  s.score = rate(s);
  if (s.qn >= 8) fitCircle(s, s.qx, s.qy, s.qn); // the circle of the same outline
}

const RESULT: usize = offsetof<Search>();

/** One try: from a start point with a threshold, rays of at most `reach` pixels. s.dark must be set. */
export function starburstTry(search: usize, x: f32, y: f32, reach: i32, gradient: f32, work: usize): i32 {
  const s = changetype<Search>(search);
  s.gradient = gradient;
  attempt(s, x, y, reach, work);
  return 0;
}

/**
 * The end of a try whose rays and RANSAC ran on the GPU: circle, votes and border points are in the state. A try that
 * led nowhere there (found 0) ends as it would have here.
 */
export function starburstFinish(search: usize, found: i32, work: usize): i32 {
  const s = changetype<Search>(search);
  s.ellipse = 0;
  s.support = 0;
  s.score = NOTHING;
  if (!found) {
    s.votes = 0;
    return 0;
  }
  if (s.paper) finishPaper(s);
  else finish(s, work);
  return 0;
}

/** Lower bound of the rays' threshold in proportion to the contrast, and its upper bound, gray levels. */
const SHARE: f32 = 0.4;
const HIGHEST: f32 = 30;

/**
 * Outline and judgement of a circle that another method found, with its border points in the state and s.dark set. The
 * circle is fitted to the points that vote for it, if there are any, `outside` of the edge as they are. What `rate` weighs was fitted to
 * Starburst's evidence, so the rays are cast once from the middle of the outline: the confidence of all methods is of
 * one kind. `gradient`: smallest threshold of the rays.
 */
export function outlineFinish(search: usize, outside: f32, gradient: f32, work: usize): i32 {
  const s = changetype<Search>(search);
  s.ellipse = 0;
  s.support = 0;
  s.score = NOTHING;
  const votes = s.votes;
  const points = s.points;
  const near = inliers(s);
  if (near >= 8) fitCircle(s, s.qx, s.qy, near);
  s.r -= outside;
  if (!(s.r >= s.minRadius && s.r <= s.maxRadius)) return 0;
  refineOutline(s, work);
  if (near < 8) tightenOutline(s, work);
  const r = sqrt<f32>(s.ea * s.eb);
  s.gradient = max<f32>(gradient, min<f32>(HIGHEST, SHARE * s.contrast));
  castRays(s, s.ex, s.ey, <i32>(1.8 * r) + 24);
  if (ransacCircle(s)) s.score = rate(s);
  s.cx = s.ex;
  s.cy = s.ey;
  s.r = r;
  if (s.qn >= 8) fitCircle(s, s.qx, s.qy, s.qn);
  s.votes = votes;
  s.points = points;
  return 0;
}

/** First percentile of the region's levels, into s.dark. */
export function pupilDark(search: usize, work: usize): i32 {
  measureLevels(changetype<Search>(search), work);
  return 0;
}

/**
 * First frame or after a loss: tries the candidates, keeps the best outline, stops at log-odds of `enough`. `best` is
 * room for one Search.
 */
export function starburstSearch(search: usize, best: usize, gradient: f32, enough: f32, work: usize): i32 {
  const s = changetype<Search>(search);
  findCandidates(s, work);
  const count = s.candidateCount;
  s.score = NOTHING;
  s.ellipse = 0;
  memory.copy(best, search, RESULT);
  let top: f32 = NOTHING;
  for (let i = 0; i < count; i++) {
    const at = s.candidates + <usize>(i << 4);
    const half = load<f32>(at, 8);
    s.gradient = max(gradient, min<f32>(30, 0.35 * load<f32>(at, 12)));
    attempt(s, load<f32>(at), load<f32>(at, 4), <i32>(half * 5) + 10, work);
    if (s.score > top) {
      top = s.score;
      memory.copy(best, search, RESULT);
      // Its border points stay where they are; the next try writes to the other list.
      const x = s.qx;
      const y = s.qy;
      s.qx = s.spareX;
      s.qy = s.spareY;
      s.spareX = x;
      s.spareY = y;
    }
    if (top >= enough) break;
  }
  memory.copy(search, best, RESULT);
  return 0;
}
