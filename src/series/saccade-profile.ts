/**
 * Start, end and peak velocity of one saccade, by least squares: rest, a movement along a straight line, rest. The velocity
 * of the movement is p^a (1-p)^b over its duration. With a = b = 2 it is the movement of minimum jerk (Flash and Hogan, J
 * Neurosci 5, 1985). Saccades are skewed (van Opstal and van Gisbergen, Vision Res 27, 1987). Fitting the whole movement
 * follows Dai et al. (IEEE SPMB 2016). A velocity threshold is late at the start, because it must be above the noise, and
 * adds the window of the velocities. Cost: about 1500 passes over the samples of the movement.
 */

/** Samples of one movement and of the rest before and after it. */
export interface Movement {
  readonly t: Float64Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export interface FittedSaccade {
  /** ms. */
  start: number;
  end: number;
  dx: number;
  dy: number;
  /** Per second. */
  peakVelocity: number;
  /** 95 % interval. The upper limit may be Infinity. */
  peakVelocityLow: number;
  peakVelocityHigh: number;
}

/** Exponents of the velocity at both ends, on average. The first, minimum jerk, gives start and end. */
const EXPONENTS = [2, 1.5, 3.5] as const;
/** Difference of both exponents, relative to their sum. */
const SKEWS = [0, -0.6, -0.4, -0.2, 0.2, 0.4] as const;
/** Standard deviation of the skew. */
const USUAL_SKEW = 0.3;
/** Error of the logarithm of the velocity for profiles outside of this family. The development seeds determined it. */
const PROFILE_ERROR = 0.05;
const STEPS = 128;

/** Share of the way by time, and the peak velocity in lengths per duration. */
function profileOf(exponent: number, skew: number) {
  const speed = Float64Array.from({ length: STEPS + 1 }, (_, i) => {
    const p = i / STEPS;
    return p ** (exponent * (1 + skew)) * (1 - p) ** (exponent * (1 - skew));
  });
  const share = new Float64Array(STEPS + 2);
  for (let i = 1; i <= STEPS; i++) share[i] = share[i - 1]! + (speed[i - 1]! + speed[i]!) / 2;
  const whole = share[STEPS]!;
  return { share: share.map((value) => value / whole), peak: (Math.max(...speed) * STEPS) / whole, exponent, skew };
}
type Profile = ReturnType<typeof profileOf>;
let made: readonly Profile[] | null = null;
/** Computed once, when they are first needed. */
const allProfiles = () => (made ??= EXPONENTS.flatMap((exponent) => SKEWS.map((skew) => profileOf(exponent, skew))));

/** Limits of the duration, ms. */
const SHORTEST = 8;
const LONGEST = 250;

interface Fit {
  start: number;
  duration: number;
  dx: number;
  dy: number;
  /** Remaining sum of squares. */
  rest: number;
  /** Sum of squares of the share of the way, around its mean. */
  spread: number;
}

/** Regression of both coordinates on the share of the way. */
function fitted({ t, x, y }: Movement, { share }: Profile, start: number, duration: number): Fit | null {
  const n = t.length;
  let [u1, u2, x1, y1, ux, uy, all] = [0, 0, 0, 0, 0, 0, 0];
  // Around the first place, so that the sums keep their digits.
  const [x0, y0] = [x[0]!, y[0]!];
  for (let i = 0; i < n; i++) {
    const at = Math.min(1, Math.max(0, (t[i]! - start) / duration)) * STEPS;
    const j = Math.floor(at);
    const u = share[j]! + (at > j ? (at - j) * (share[j + 1]! - share[j]!) : 0);
    const [a, b] = [x[i]! - x0, y[i]! - y0];
    u1 += u;
    u2 += u * u;
    x1 += a;
    y1 += b;
    ux += u * a;
    uy += u * b;
    all += a * a + b * b;
  }
  const spread = u2 - (u1 * u1) / n;
  if (!(spread > 1e-9)) return null;
  const [dx, dy] = [(ux - (u1 * x1) / n) / spread, (uy - (u1 * y1) / n) / spread];
  const rest = all - (x1 * x1 + y1 * y1) / n - (dx * dx + dy * dy) * spread;
  // Without noise the rest is the error of rounding.
  return { start, duration, dx, dy, rest: Math.max(rest, 1e-12 * all), spread };
}

interface Grid {
  rounds: number;
  /** Steps to each side. */
  side: number;
  /** Half the range of the middle, ms, and the factor of the duration. Both shrink by round. */
  reach: number;
  factor: number;
}

/** The best start and duration of a profile. Each round searches around the best of the one before. */
function search(movement: Movement, profile: Profile, from: Fit, { rounds, side, reach, factor }: Grid): Fit {
  let best = from;
  for (let round = 0; round < rounds; round++, reach /= 2.5, factor **= 0.4) {
    const { start, duration } = best;
    for (let b = -side; b <= side; b++) {
      const wide = duration * factor ** (b / side);
      if (wide < SHORTEST || wide > LONGEST) continue;
      for (let a = -side; a <= side; a++) {
        const at = start + (duration - wide) / 2 + (reach * a) / side;
        const one = fitted(movement, profile, at, wide);
        if (one && one.rest < best.rest) best = one;
      }
    }
  }
  return best;
}

/** Minimum number of samples. */
const LEAST = 6;
/** Unknowns: two places, start, duration, skew. */
const UNKNOWNS = 7;
/** 95 % of a chi-squared value with one degree of freedom are below it. */
const CHI = 3.84;
/** Step of the second differences, as a share of the duration. */
const STEP = 0.05;

/** Variance of the logarithm of the velocity, from second differences of the log-likelihood. Infinity without a maximum. */
function logVariance(movement: Movement, profile: Profile, { start, duration, rest, ...fit }: Fit, degrees: number) {
  const value = (a: number, b: number) => {
    const wide = duration * Math.exp(b * STEP);
    const one = fitted(movement, profile, start + (duration - wide) / 2 + a * STEP * duration, wide);
    return one ? degrees * Math.log(one.rest / rest) : 0;
  };
  const aa = value(1, 0) + value(-1, 0);
  const bb = value(0, 1) + value(0, -1);
  const ab = (value(1, 1) + value(-1, -1) - value(1, -1) - value(-1, 1)) / 4;
  const determinant = aa * bb - ab * ab;
  if (!(aa > 0 && determinant > 0)) return Infinity;
  // The value is -2 times the logarithm of the likelihood.
  const ofDuration = (2 * STEP * STEP * aa) / determinant;
  return ofDuration + PROFILE_ERROR ** 2 + rest / degrees / fit.spread / (fit.dx ** 2 + fit.dy ** 2);
}

/** Null if there are too few samples, or no movement fits. `start` and `end`: about where it is. `step`: of samples. */
export function fitSaccade(movement: Movement, start: number, end: number, step: number): FittedSaccade | null {
  const degrees = 2 * movement.t.length - UNKNOWNS;
  if (movement.t.length < LEAST) return null;
  const profiles = allProfiles();
  const usual = Math.min(LONGEST, Math.max(end - start, SHORTEST + 4));
  const none: Fit = { start: (start + end - usual) / 2, duration: usual, dx: 0, dy: 0, rest: Infinity, spread: 1 };
  const wide = { rounds: 6, side: 3, reach: Math.max(20, step), factor: 1.9 };
  const first = search(movement, profiles[0]!, none, wide);
  if (!Number.isFinite(first.rest)) return null;
  const near = { rounds: 3, side: 2, reach: 0.2 * first.duration, factor: 1.4 };
  const found = profiles.map((profile, k) => {
    const fit = k ? search(movement, profile, { ...first, rest: Infinity }, near) : first;
    return { profile, fit, deviance: degrees * Math.log(fit.rest) + (profile.skew / USUAL_SKEW) ** 2 };
  });
  const best = (list: typeof found) => list.reduce((a, b) => (b.deviance < a.deviance ? b : a));
  const speed = ({ fit: { dx, dy, duration }, profile: { peak } }: (typeof found)[number]) =>
    (1000 * peak * Math.hypot(dx, dy)) / duration;
  const likely = best(found);
  // Student's t for few samples, instead of the normal distribution.
  const limit = CHI * (1 + 3 / degrees);
  let [low, high] = [Infinity, 0];
  for (const one of found) {
    const left = limit - (one.deviance - likely.deviance);
    if (left < 0) continue;
    const wide = Math.exp(Math.sqrt(left * logVariance(movement, one.profile, one.fit, degrees)));
    low = Math.min(low, speed(one) / wide);
    high = Math.max(high, speed(one) * wide);
  }
  const { fit } = best(found.filter(({ profile }) => profile.exponent === EXPONENTS[0]));
  return {
    ...{ start: fit.start, end: fit.start + fit.duration, dx: fit.dx, dy: fit.dy },
    ...{ peakVelocity: speed(likely), peakVelocityLow: low, peakVelocityHigh: high },
  };
}
