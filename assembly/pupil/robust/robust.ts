// The robust detector. Two searches that fail on different frames propose outlines: dark compact regions with
// Starburst's rays (../starburst), and smooth edge segments (./segments, ./ellipses). Each proposal is refined on the
// full image with sub-pixel precision (../search/outline), then by consensus against lids and lashes
// (../search/consensus), and rated by its shape (../search/judge-shape). The best one wins. During tracking the last
// outline is an additional proposal.
import { fitCircle } from '../search/circle';
import { COMPLETE, consensus, reachOfConsensus } from '../search/consensus';
import { beginContest, bestScore, decided, endContest, enter, NOTHING } from '../search/contest';
import { circleOfEllipse } from '../search/ellipse';
import { gradientInside, isInside, LEAST_RISE, reachInside, riseInside } from '../search/inside';
import { judgeShape } from '../search/judge-shape';
import { MAXIMUM, reselect } from '../search/outline';
import { inliers } from '../search/propose';
import { Search } from '../search/search';
import { iterate } from '../starburst/starburst';
import { startAtLast, startGradient, startInDark, startReach, startX, startY } from '../starburst/starts';
import { findEdgePoints } from './edges';
import { ELLIPSE, proposeEllipses } from './ellipses';
import { polish } from './polish';
import { findSegments } from './segments';
import { Robust } from './state';

/** Log-odds below which consensus does not help. */
const HOPELESS: f32 = -9;
/** `way` of outlines inside another one. */
const INSIDE: i32 = 4;

/** Refines the ellipse in s in narrowing bands, then rates it. */
function settle(s: Search, r: Robust, wide: bool): void {
  const edges = s.work;
  const profile = edges + <usize>(s.normalCount << 4);
  const list = profile + <usize>((MAXIMUM + 8) << 2);
  const size = sqrt<f32>(s.ea * s.eb);
  s.ellipse = 1;
  if (wide) reselect(s, max<f32>(3, min<f32>(0.25 * size, 50)), false, edges, profile, list);
  reselect(s, max<f32>(3, min<f32>(0.12 * size, 25)), true, edges, profile, list);
  reselect(s, max<f32>(3, min<f32>(0.06 * size, 12)), true, edges, profile, list);
  judgeShape(s);
  r.tries++;
  if (r.log && r.logCount < r.maxLog && s.score > NOTHING) record(s, r);
}

/** Adds the current outline to the log. */
function record(s: Search, r: Robust): void {
  const at = r.log + <usize>(r.logCount * (s.featureCount + 6)) * 4;
  r.logCount++;
  store<f32>(at, s.ex);
  store<f32>(at, s.ey, 4);
  store<f32>(at, s.ea, 8);
  store<f32>(at, s.eb, 12);
  store<f32>(at, s.score, 16);
  store<f32>(at, <f32>r.way, 20);
  memory.copy(at + 24, s.features, (<usize>s.featureCount) << 2);
}

/**
 * Keeps the better of the current outline and the best so far. If one is inside the other, as a pupil and its iris, the
 * inner one is kept if it has at least even odds of being a pupil.
 */
function compete(s: Search, r: Robust): void {
  const best = changetype<Search>(s.best);
  if (r.way == INSIDE && isInside(s, best)) best.score = min<f32>(best.score, s.score - 1e-3);
  if (enter(s)) r.top = r.way;
}

/** Whether an outline similar to the one in s was refined before. If not, it is recorded. */
function known(s: Search, r: Robust): bool {
  const size = sqrt<f32>(s.ea * s.eb);
  for (let i = 0; i < r.refinedCount; i++) {
    const at = r.refined + <usize>(i * 12);
    const dx = load<f32>(at) - s.ex;
    const dy = load<f32>(at, 4) - s.ey;
    const near: f32 = 0.06 * size;
    if (dx * dx + dy * dy < near * near && abs<f32>(load<f32>(at, 8) - size) < near) return true;
  }
  if (r.refinedCount < r.maxRefined) {
    const at = r.refined + <usize>(r.refinedCount * 12);
    store<f32>(at, s.ex);
    store<f32>(at, s.ey, 4);
    store<f32>(at, size, 8);
    r.refinedCount++;
  }
  return false;
}

/** Refines the ellipse in s. A plausible outline without enough support is refined once more, by consensus. */
function refine(s: Search, r: Robust, wide: bool): void {
  if (known(s, r)) return;
  settle(s, r, wide);
  const plain = s.score;
  compete(s, r);
  if (plain >= s.enough || plain < HOPELESS || s.support > COMPLETE) return;
  const size = sqrt<f32>(s.ea * s.eb);
  if (!consensus(s, reachOfConsensus(size), s.work)) return;
  settle(s, r, false);
  compete(s, r);
}

/** Rays from a start point with the threshold in the state, RANSAC circle, outline. */
function fromRays(s: Search, r: Robust, x: f32, y: f32, reach: i32): void {
  s.score = NOTHING;
  s.ellipse = 0;
  if (!iterate(s, x, y, reach)) return;
  const n = inliers(s);
  const votes = s.votes;
  fitCircle(s, s.qx, s.qy, n);
  s.votes = votes;
  if (!(s.r >= s.minRadius && s.r <= s.maxRadius)) return;
  s.ex = s.cx;
  s.ey = s.cy;
  s.ea = s.r;
  s.eb = s.r;
  s.eux = 1;
  s.euy = 0;
  refine(s, r, votes * 10 < s.points * 7);
}

function fromStart(s: Search, r: Robust, i: i32): void {
  r.way = 1;
  s.gradient = startGradient(s, i);
  fromRays(s, r, startX(s, i), startY(s, i), startReach(s, i));
}

/**
 * The best outline so far may be the iris. Searches for a darker area inside it, with a smaller outline and with rays.
 */
function fromInside(s: Search, r: Robust): void {
  const best = changetype<Search>(s.best);
  if (!(best.score > NOTHING)) return;
  const x = (s.ex = best.ex);
  const y = (s.ey = best.ey);
  const size = sqrt<f32>(best.ea * best.eb);
  s.ea = best.ea;
  s.eb = best.eb;
  s.eux = best.eux;
  s.euy = best.euy;
  const share = riseInside(s, LEAST_RISE * s.minContrast, s.work);
  if (share == 0) return;
  s.ea *= share;
  s.eb *= share;
  s.votes = 0;
  s.points = 0;
  const rise = s.gradient;
  r.way = INSIDE;
  refine(s, r, true);
  s.gradient = gradientInside(s, rise);
  fromRays(s, r, x, y, reachInside(size));
}

/** Outlines of the edge segments. */
function fromSegments(s: Search, r: Robust): void {
  findEdgePoints(s, r, s.work);
  findSegments(r, s.work);
  proposeEllipses(s, r, s.work);
  const f = <f32>r.factor;
  for (let i = 0; i < r.ellipseCount; i++) {
    const at = r.ellipses + <usize>i * ELLIPSE;
    s.ex = <f32>s.x0 + (load<f32>(at) + 0.5) * f - 0.5;
    s.ey = <f32>s.y0 + (load<f32>(at, 4) + 0.5) * f - 0.5;
    s.ea = load<f32>(at, 8) * f;
    s.eb = load<f32>(at, 12) * f;
    s.eux = load<f32>(at, 16);
    s.euy = load<f32>(at, 20);
    s.votes = 0;
    s.points = 0;
    r.way = 2;
    refine(s, r, false);
  }
}

/** Refines the best outline in detail, and computes the circle of this outline. */
function conclude(s: Search, r: Robust): void {
  endContest(s);
  if (s.score == NOTHING) return;
  polish(s, r, s.work);
  circleOfEllipse(s);
}

/**
 * The pupil of a frame. With `tracked` the ellipse in the state is the last outline. If it or rays from its center have
 * log-odds of at least `enough`, the rest of the region is not searched.
 */
export function robustFind(search: usize, robust: usize, tracked: i32, enough: f32): i32 {
  const s = changetype<Search>(search);
  const r = changetype<Robust>(robust);
  r.tries = 0;
  r.refinedCount = 0;
  r.logCount = 0;
  r.top = 0;
  beginContest(s);
  if (tracked) {
    r.way = 3;
    refine(s, r, true);
    if (bestScore(s) < enough) {
      startAtLast(s);
      fromStart(s, r, 0);
    }
  }
  if (!tracked || bestScore(s) < enough) {
    startInDark(s);
    const count = s.startCount;
    for (let i = 0; i < count && !decided(s); i++) fromStart(s, r, i);
    if (!decided(s)) fromSegments(s, r);
  }
  fromInside(s, r);
  conclude(s, r);
  return 0;
}
