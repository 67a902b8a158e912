/**
 * Delay from screen to camera. The camera sees the screen (a mirror, or a second camera that faces it) while the page
 * switches it between black and white. A switch at time f that is missing in the frame at t1 and visible in the frame at
 * t2 limits the delay to t1 - f ... t2 - f. The estimate is the posterior of one delay over all these limits (interval
 * censoring), with normally distributed jitter of unknown size, after the times of the frames were smoothed. If screen and camera run in step, the limits repeat, and
 * the interval stays as wide as they are.
 */

/** Milliseconds. `low` and `high` are the ends of the 95 % interval. */
export interface Delay {
  delay: number;
  low: number;
  high: number;
}

export interface DelayEstimate extends Delay {
  /** Number of switches that the camera has seen. */
  switches: number;
  /** Standard deviation of the delay of one switch, in ms. */
  jitter: number;
  /** Reasons why the values are NaN, or less certain than they could be. */
  warnings: string[];
}

export interface Switch {
  /** Time of the animation frame that changed the screen, ms. */
  at: number;
  white: boolean;
}

export interface Brightness {
  /** Time of the frame, ms. */
  timestamp: number;
  /** Mean gray value, 0 to 255. */
  gray: number;
}

interface Limits {
  low: number;
  high: number;
}

/** Minimum difference between white and black in the image, in gray values. */
const CONTRAST = 8;
/** Minimum number of switches. */
const ENOUGH = 8;
/** A longer delay than this is not searched for, in ms. Switches must be further apart. */
export const LONGEST = 350;
/** Step of the searched delays, in ms. */
const STEP = 0.25;
/** Frames on each side that smooth the time of a frame. */
const NEIGHBORS = 8;
/** Searched standard deviations of the jitter, in ms: each is twice the one before. */
const JITTERS = Array.from({ length: 10 }, (_, i) => 0.05 * 2 ** i);
/** Probability of a limit that has nothing to do with its switch, for instance a person who walks past. */
const STRAY = 1e-4;

/** Estimates the delay. Values are NaN if too few switches are visible, and `warnings` contains the reason. */
export function estimateDelay(switches: readonly Switch[], frames: readonly Brightness[]): DelayEstimate {
  const sorted = frames.map(({ gray }) => gray).sort((a, b) => a - b);
  const black = sorted[Math.floor(0.1 * sorted.length)] ?? NaN;
  const white = sorted[Math.floor(0.9 * sorted.length)] ?? NaN;
  const unknown = (warning: string, seen = 0): DelayEstimate => ({
    ...{ delay: NaN, low: NaN, high: NaN, jitter: NaN },
    ...{ switches: seen, warnings: [warning] },
  });
  if (!(white - black >= CONTRAST))
    return unknown('The camera does not see the screen change. Hold a mirror so that the screen fills its image.');
  const { times, error } = regularTimes(frames.map(({ timestamp }) => timestamp));
  const regular = frames.map(({ gray }, i) => ({ timestamp: times[i]!, gray }));
  const limits = limitsOf(switches, regular, (black + white) / 2);
  if (limits.length < ENOUGH)
    return unknown(
      `The camera saw ${limits.length} of ${switches.length} changes; ${ENOUGH} are needed.`,
      limits.length,
    );
  const warnings =
    limits.length < 0.8 * switches.length
      ? [`The camera saw only ${limits.length} of ${switches.length} changes. Hold mirror and camera still.`]
      : [];
  const { delay, low, high, jitter } = posterior(limits);
  // The narrowest of n limits with normal errors are too narrow by about this much.
  const wider = error * Math.sqrt(2 * Math.log(limits.length));
  return { delay, low: low - wider, high: high + wider, jitter, switches: limits.length, warnings };
}

/**
 * The times of the frames without their jitter: lines through the times of 17 neighbors, over the number of the frame.
 * `error` is the standard error of such a time.
 */
function regularTimes(times: readonly number[]): { times: number[]; error: number } {
  const steps = times.slice(1).map((time, i) => time - times[i]!);
  const period = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)]!;
  const numbers = [0];
  let expected = times[0]!;
  for (const time of times.slice(1)) {
    const step = Math.max(1, Math.round((time - expected) / period));
    numbers.push(numbers.at(-1)! + step);
    expected += step * period;
    expected += (time - expected) / NEIGHBORS; // follows a camera that changes its rate
  }
  let squares = 0;
  const lines = times.map((time, i) => {
    const [from, to] = [Math.max(0, i - NEIGHBORS), Math.min(times.length, i + NEIGHBORS + 1)];
    const count = to - from;
    let [n, t, nn, nt] = [0, 0, 0, 0];
    for (let k = from; k < to; k++) {
      const [x, y] = [numbers[k]! - numbers[i]!, times[k]! - time];
      [n, t, nn, nt] = [n + x, t + y, nn + x * x, nt + x * y];
    }
    const value = time + (t * nn - n * nt) / (count * nn - n * n);
    squares += (time - value) ** 2;
    return value;
  });
  return { times: lines, error: Math.sqrt(squares / times.length / (2 * NEIGHBORS + 1)) };
}

/** The limits of each switch that is followed by a crossing of the threshold in its direction. */
function limitsOf(switches: readonly Switch[], frames: readonly Brightness[], threshold: number): Limits[] {
  const limits: Limits[] = [];
  for (const { at, white } of switches) {
    const is = ({ gray }: Brightness) => gray >= threshold === white;
    const after = frames.findIndex((frame, i) => i > 0 && frame.timestamp > at && is(frame) && !is(frames[i - 1]!));
    if (after < 0 || frames[after]!.timestamp - at > LONGEST) continue;
    limits.push({ low: frames[after - 1]!.timestamp - at, high: frames[after]!.timestamp - at });
  }
  return limits;
}

/** Median and 95 % interval of the delay, and the mean jitter. */
function posterior(limits: readonly Limits[]): Delay & { jitter: number } {
  const from = Math.min(...limits.map(({ low }) => low));
  const to = Math.max(...limits.map(({ high }) => high));
  const delays = Array.from({ length: Math.ceil((to - from) / STEP) + 1 }, (_, i) => from + i * STEP);
  const logs = delays.map((delay) =>
    JITTERS.map((jitter) =>
      limits.reduce((sum, { low, high }) => {
        const share = normal((high - delay) / jitter) * normal((delay - low) / jitter);
        return sum + Math.log(share + STRAY);
      }, 0),
    ),
  );
  const highest = Math.max(...logs.flat());
  const weights = logs.map((row) => row.map((value) => Math.exp(value - highest)));
  const sums = weights.map((row) => row.reduce((a, b) => a + b, 0));
  const total = sums.reduce((a, b) => a + b, 0);
  const quantile = (share: number) => {
    let sum = 0;
    return delays[sums.findIndex((weight) => (sum += weight) >= share * total)]!;
  };
  const jitter = weights.flatMap((row) => row.map((w, i) => w * JITTERS[i]!)).reduce((a, b) => a + b, 0) / total;
  return { delay: quantile(0.5), low: quantile(0.025), high: quantile(0.975), jitter };
}

/** Distribution function of the normal distribution, to 1e-7 (Abramowitz and Stegun 26.2.17). */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum;
  return x > 0 ? 1 - tail : tail;
}

/** A latency measured from the page's time of a stimulus, without the delay. The intervals add up as independent. */
export function withoutDelay(latency: Delay, delay: Delay): Delay {
  const half = (a: number, b: number) => Math.hypot(a, b);
  const value = latency.delay - delay.delay;
  return {
    delay: value,
    low: value - half(latency.delay - latency.low, delay.high - delay.delay),
    high: value + half(latency.high - latency.delay, delay.delay - delay.low),
  };
}
