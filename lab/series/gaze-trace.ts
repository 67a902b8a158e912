/**
 * Traces of gaze with known saccades, in degrees. Targets are random. Saccades follow the main sequence: 21 ms and 2.2 ms
 * per degree, with the position of minimum jerk or of a gamma function. The eye drifts, with microsaccades, as a random
 * walk. The tracker adds noise, single wrong places, blinks and dropped frames.
 */
import { Random } from '../eyes/random.ts';

export interface GazeTrace {
  rate: number;
  samples: { timestamp: number; x: number; y: number }[];
  /** ms, degrees. */
  saccades: { start: number; end: number; amplitude: number; direction: number; peak: number }[];
  blinks: { onset: number; offset: number }[];
  /** Standard deviation of the noise, degrees. */
  noise: number;
}

const LENGTH = 20_000;

/** Profile of the speed: minimum jerk, or a gamma function that is more skewed for larger saccades (van Opstal and van Gisbergen). */
export type SpeedProfile = 'jerk' | 'gamma';

const SLOW = 0.05;
const CELLS = 400;

/** Share of the way by share of the time, and the peak speed. A gamma function starts and ends at 5 % of its peak. */
function wayOf(profile: SpeedProfile, amplitude: number): { share: (p: number) => number; peak: number } {
  if (profile === 'jerk') return { share: (p) => p * p * p * (10 - 15 * p + 6 * p * p), peak: 1.875 };
  const shape = Math.max(4, 12 - 0.5 * amplitude) - 1;
  const speed = (z: number) => (z / shape) ** shape * Math.exp(shape - z);
  const crossing = (slow: number, fast: number) => {
    for (let i = 0; i < 60; i++) {
      const middle = (slow + fast) / 2;
      if (speed(middle) < SLOW) slow = middle;
      else fast = middle;
    }
    return fast;
  };
  const [from, to] = [crossing(0, shape), crossing(10 * shape + 20, shape)];
  const way = new Float64Array(CELLS + 1);
  const at = (i: number) => speed(from + (i / CELLS) * (to - from));
  for (let i = 1; i <= CELLS; i++) way[i] = way[i - 1]! + (at(i - 1) + at(i)) / 2;
  const whole = way[CELLS]!;
  const share = (p: number) => {
    const i = Math.min(CELLS - 1, Math.floor(p * CELLS));
    return (way[i]! + (p * CELLS - i) * (way[i + 1]! - way[i]!)) / whole;
  };
  return { share, peak: CELLS / whole };
}

/** The same seed gives the same gaze at every rate; noise is 0.01 to 0.1 degrees. */
export function gazeTrace(seed: number, rate: number, profile: SpeedProfile = 'jerk'): GazeTrace {
  const script = new Random(seed, 0x67617a65);
  const noise = 0.01 * 10 ** script.unit();
  const drift = script.uniform(0.002, 0.006);
  const saccades: GazeTrace['saccades'] = [];
  const [x, y] = [new Float64Array(LENGTH), new Float64Array(LENGTH)];
  let [px, py, next] = [0, 0, script.uniform(200, 500)];
  type Move = { start: number; duration: number; fromX: number; fromY: number; dx: number; dy: number };
  let move: (Move & { share: (p: number) => number }) | null = null;
  for (let t = 0; t < LENGTH; t++) {
    if (!move && t >= next && t < LENGTH - 300) {
      const micro = script.unit() < 0.3;
      const amplitude = micro ? 0.2 * 5 ** script.unit() : 1 * 15 ** script.unit();
      // Back towards the middle, otherwise anywhere.
      const home = Math.hypot(px, py) > 10;
      const direction = home ? Math.atan2(-py, -px) + script.normal(0, 0.3) : script.uniform(-Math.PI, Math.PI);
      const duration = 21 + 2.2 * amplitude;
      const { share, peak } = wayOf(profile, amplitude);
      move = {
        share,
        start: t,
        duration,
        fromX: px,
        fromY: py,
        dx: amplitude * Math.cos(direction),
        dy: amplitude * Math.sin(direction),
      };
      const turned = Math.atan2(move.dy, move.dx);
      saccades.push({
        start: t,
        end: t + duration,
        amplitude,
        direction: turned,
        peak: (1000 * peak * amplitude) / duration,
      });
      next = t + duration + script.uniform(180, 700);
    }
    if (move) {
      const p = Math.min(1, (t - move.start) / move.duration);
      const share = move.share(p);
      px = move.fromX + share * move.dx;
      py = move.fromY + share * move.dy;
      if (p === 1) move = null;
    } else {
      px += script.normal(0, drift);
      py += script.normal(0, drift);
    }
    x[t] = px;
    y[t] = py;
  }
  const blinks: GazeTrace['blinks'] = [];
  for (let at = script.uniform(500, 6000); at < LENGTH - 500; at += script.uniform(2500, 7000))
    blinks.push({ onset: at, offset: at + script.uniform(80, 200) });
  const random = new Random(seed, rate, 0x6e6f6973);
  const phase = random.unit();
  const samples: GazeTrace['samples'] = [];
  for (let i = 0; ; i++) {
    const timestamp = ((i + phase) * 1000) / rate + random.normal(0, Math.min(0.3, 100 / rate));
    if (timestamp >= LENGTH - 1) break;
    const at = Math.max(0, Math.floor(timestamp));
    const share = Math.max(0, timestamp - at);
    let [gx, gy] = [x[at]! + share * (x[at + 1]! - x[at]!), y[at]! + share * (y[at + 1]! - y[at]!)];
    gx += random.normal(0, noise);
    gy += random.normal(0, noise);
    if (random.unit() < 0.001) {
      gx += random.uniform(-2, 2);
      gy += random.uniform(-2, 2);
    }
    for (const { onset, offset } of blinks) {
      if (timestamp >= onset && timestamp < offset) [gx, gy] = [NaN, NaN];
      // The lid covers the pupil from above and draws its center down.
      else if (timestamp >= onset - 40 && timestamp < onset) gy += ((timestamp - onset + 40) / 40) * 1.5;
      else if (timestamp >= offset && timestamp < offset + 40) gy += (1 - (timestamp - offset) / 40) * 1.5;
    }
    if (random.unit() >= 0.005) samples.push({ timestamp, x: gx, y: gy });
  }
  return { rate, samples, saccades, blinks, noise };
}
