// Second pass after the search of a whole region by rays, components or votes. Tracked frames skip it. The pass checks
// the result in three ways:
// - By consensus, if lids or lashes hide a part of its outline (./consensus).
// - Inside it, because an iris can be mistaken for a pupil (./inside).
// - By its shape (./judge-shape), because rays from the center of a dark area find a border around many other objects.
import { castRays } from '../starburst/rays';
import { iterate } from '../starburst/starburst';
import { lookAround, thresholdFor } from '../starburst/starts';
import { ransacCircle } from './circle';
import { COMPLETE, consensus, reachOfConsensus } from './consensus';
import { endContest, enter, NOTHING, resumeContest } from './contest';
import { circleOfEllipse } from './ellipse';
import { gradientInside, isInside, LEAST_RISE, LIKELY, reachInside, riseInside } from './inside';
import { rate } from './judge';
import { judgeShape } from './judge-shape';
import { outlineOfRays, refineOutline, tightenOutline } from './propose';
import { Search } from './search';

/**
 * Keeps the better of the current outline and the best so far. The inner one is kept if it has at least even odds of
 * being a pupil.
 */
function compete(s: Search): void {
  const best = changetype<Search>(s.best);
  if (isInside(s, best)) best.score = min<f32>(best.score, s.score - 1e-3);
  enter(s);
}

/** Log-odds below which consensus does not help. */
const HOPELESS: f32 = -9;

/** Rates the outline in s with rays from its center. */
function judge(s: Search): void {
  tightenOutline(s);
  const size = sqrt<f32>(s.ea * s.eb);
  s.score = NOTHING;
  s.gradient = thresholdFor(s, s.contrast);
  castRays(s, s.ex, s.ey, lookAround(size));
  if (ransacCircle(s)) s.score = rate(s);
  circleOfEllipse(s);
}

/** Outline around the position of the ellipse in s with this mean radius. */
function settle(s: Search, r: f32): void {
  s.score = NOTHING;
  s.cx = s.ex;
  s.cy = s.ey;
  s.r = r;
  s.votes = 0;
  s.points = 0;
  if (!(r >= s.minRadius && r <= s.maxRadius)) return;
  refineOutline(s);
  judge(s);
}

/**
 * If the outline is not visible all around, uses the one that most of its normals agree on, because lids and lashes
 * cause other edges.
 */
function byConsensus(s: Search): void {
  if (s.support > COMPLETE) return;
  const size = sqrt<f32>(s.ea * s.eb);
  if (!consensus(s, reachOfConsensus(size), s.work)) return;
  judge(s);
  enter(s);
}

function fromInside(s: Search): void {
  const size = sqrt<f32>(s.ea * s.eb);
  const x = s.ex;
  const y = s.ey;
  const share = riseInside(s, LEAST_RISE * s.minContrast, s.work);
  if (share == 0) return;
  const gradient = gradientInside(s, s.gradient);
  settle(s, share * size);
  compete(s);
  s.score = NOTHING;
  s.ellipse = 0;
  s.gradient = gradient;
  if (!iterate(s, x, y, reachInside(size))) return;
  outlineOfRays(s);
  compete(s);
}

/**
 * Checks the result in the state if it may be a pupil: by consensus and, from even odds, inside it. Its log-odds are
 * those of its shape, limited to `lead`.
 */
export function lookAgain(search: usize, lead: f32): i32 {
  const s = changetype<Search>(search);
  if (s.ellipse != 1 || s.score < HOPELESS) return 0;
  resumeContest(s);
  byConsensus(s);
  endContest(s);
  if (s.score < LIKELY) return 0;
  resumeContest(s);
  fromInside(s);
  endContest(s);
  resumeContest(s);
  judgeShape(s);
  const shape = s.score;
  endContest(s);
  s.score = min<f32>(s.score, shape + lead);
  return 0;
}
