// The robust detector: outlines are proposed by two searches that fail on different frames, dark compact regions with
// Starburst's rays (./start, ./rays) and smooth edge segments (./robust-segments, ./robust-ellipses); each is refined on
// the full image to sub-pixels (./outline), against lids and lashes by consensus (./robust-consensus), and judged by one
// measure (./robust-judge). The best wins. In tracking the last outline is a proposal like the others.
import { fitCircle } from '../search/circle';
import { consensus } from './consensus';
import { findEdgePoints } from './edges';
import { ELLIPSE, proposeEllipses } from './ellipses';
import { judgeOutline } from './judge';
import { MAXIMUM, reselect } from '../search/outline';
import { polish } from './polish';
import { findSegments } from './segments';
import { Robust } from './state';
import { Search } from '../search/search';
import { inliers, iterate, NOTHING } from '../starburst/starburst';
import { findCandidates } from '../starburst/dark-regions';

const RESULT: usize = offsetof<Search>();

/** Log-odds below which consensus does not help, and the support above which it has nothing to add. */
const HOPELESS: f32 = -9;
const COMPLETE: f32 = 0.96;

/** Narrowing bands around the ellipse in s, then the judgement. */
function settle(s: Search, r: Robust, wide: bool, work: usize): void {
  const edges = work;
  const profile = work + <usize>(s.normalCount << 4);
  const list = profile + <usize>((MAXIMUM + 8) << 2);
  const size = sqrt<f32>(s.ea * s.eb);
  s.ellipse = 1;
  if (wide) reselect(s, max<f32>(3, min<f32>(0.25 * size, 50)), false, edges, profile, list);
  reselect(s, max<f32>(3, min<f32>(0.12 * size, 25)), true, edges, profile, list);
  reselect(s, max<f32>(3, min<f32>(0.06 * size, 12)), true, edges, profile, list);
  judgeOutline(s, r, work);
  r.tries++;
  if (r.log && r.logCount < r.maxLog && s.score > NOTHING) record(s, r);
}

/** Adds the current outline to the log. */
function record(s: Search, r: Robust): void {
  const at = r.log + <usize>(r.logCount * (r.featureCount + 6)) * 4;
  r.logCount++;
  store<f32>(at, s.ex);
  store<f32>(at, s.ey, 4);
  store<f32>(at, s.ea, 8);
  store<f32>(at, s.eb, 12);
  store<f32>(at, s.score, 16);
  store<f32>(at, <f32>r.way, 20);
  memory.copy(at + 24, r.features, (<usize>r.featureCount) << 2);
}

/** The better of the current outline and the best so far stays in `best`. */
function compete(s: Search, r: Robust, best: usize): void {
  const champion = changetype<Search>(best);
  if (s.score <= champion.score) return;
  memory.copy(best, changetype<usize>(s), RESULT);
  r.top = r.way;
  // Its border points stay where they are; the next try writes to the other list.
  const x = s.qx;
  const y = s.qy;
  s.qx = s.spareX;
  s.qy = s.spareY;
  s.spareX = x;
  s.spareY = y;
}

/** Whether an outline like the one in s was refined before; if not, it is noted. */
function known(s: Search, r: Robust): bool {
  const size = sqrt<f32>(s.ea * s.eb);
  for (let i = 0; i < r.startCount; i++) {
    const at = r.starts + <usize>(i * 12);
    const dx = load<f32>(at) - s.ex;
    const dy = load<f32>(at, 4) - s.ey;
    const near: f32 = 0.06 * size;
    if (dx * dx + dy * dy < near * near && abs<f32>(load<f32>(at, 8) - size) < near) return true;
  }
  if (r.startCount < r.maxStarts) {
    const at = r.starts + <usize>(r.startCount * 12);
    store<f32>(at, s.ex);
    store<f32>(at, s.ey, 4);
    store<f32>(at, size, 8);
    r.startCount++;
  }
  return false;
}

/** Refines the ellipse in s; an outline that has a chance and lacks support once more, by consensus. */
function refine(s: Search, r: Robust, best: usize, wide: bool, work: usize): void {
  if (known(s, r)) return;
  settle(s, r, wide, work);
  const plain = s.score;
  compete(s, r, best);
  if (plain >= r.sure || plain < HOPELESS || s.support > COMPLETE) return;
  const size = sqrt<f32>(s.ea * s.eb);
  if (!consensus(s, max<f32>(4, min<f32>(0.3 * size, 50)), work)) return;
  settle(s, r, false, work);
  compete(s, r, best);
}

/** Rays from a start point, RANSAC circle, outline. */
function fromStart(s: Search, r: Robust, best: usize, x: f32, y: f32, reach: i32, work: usize): void {
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
  r.way = 1;
  refine(s, r, best, votes * 10 < s.points * 7, work);
}

/** Outlines of the edge segments. */
function fromSegments(s: Search, r: Robust, best: usize, work: usize): void {
  findEdgePoints(s, r, work);
  findSegments(r, work);
  proposeEllipses(s, r, work);
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
    refine(s, r, best, false, work);
  }
}

/** The winner once more in detail, and the circle of the same outline. */
function conclude(s: Search, r: Robust, best: usize, work: usize): void {
  memory.copy(changetype<usize>(s), best, RESULT);
  if (s.score == NOTHING) return;
  polish(s, r, work);
  if (s.qn >= 8) fitCircle(s, s.qx, s.qy, s.qn);
}

/**
 * The pupil of a frame. With `tracked` the ellipse in the state is the last outline, and `x`, `y`, `reach`, `step` are
 * those of rays from its centre; if that gives log-odds of `enough`, the rest of the region is not looked at. `best` is
 * room for one Search.
 */
export function robustFind(
  search: usize,
  robust: usize,
  best: usize,
  tracked: i32,
  x: f32,
  y: f32,
  reach: i32,
  step: f32,
  gradient: f32,
  enough: f32,
  work: usize,
): i32 {
  const s = changetype<Search>(search);
  const r = changetype<Robust>(robust);
  const champion = changetype<Search>(best);
  r.tries = 0;
  r.startCount = 0;
  r.logCount = 0;
  r.top = 0;
  s.score = NOTHING;
  s.votes = 0;
  s.points = 0;
  memory.copy(best, search, RESULT);
  if (tracked) {
    r.way = 3;
    refine(s, r, best, true, work);
    if (champion.score < enough) {
      s.gradient = step;
      fromStart(s, r, best, x, y, reach, work);
    }
  }
  if (!tracked || champion.score < enough) {
    findCandidates(s, work);
    const count = s.candidateCount;
    for (let i = 0; i < count && champion.score < r.sure; i++) {
      const at = s.candidates + ((<usize>i) << 4);
      const half = load<f32>(at, 8);
      s.gradient = max(gradient, min<f32>(30, 0.35 * load<f32>(at, 12)));
      fromStart(s, r, best, load<f32>(at), load<f32>(at, 4), <i32>(half * 5) + 10, work);
    }
    if (champion.score < r.sure) fromSegments(s, r, best, work);
  }
  conclude(s, r, best, work);
  return 0;
}
