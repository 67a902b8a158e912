/**
 * Traces of light reflexes with known latencies, for the latency's bias and its interval. Nothing of it is the curve that
 * the library fits. Four ways to set off, from abrupt to slow:
 *
 * 'abrupt': a lag of second order, its second time constant 15 to 40 ms (the velocity is there almost at once);
 * 'step': the acceleration jumps, then a half cosine (Bos, Med Biol Eng Comput 29, 1991);
 * 'lag': a delay and a lag of third order (Stark and Sherman, J Neurophysiol 20, 1957), redilation slower;
 * 'slow': the acceleration grows from zero, a path of least jerk (Flash and Hogan, J Neurosci 5, 1985).
 */
import { Random } from '../eyes/random.ts';

export const onsetKinds = ['abrupt', 'step', 'lag', 'slow'] as const;
export type OnsetKind = (typeof onsetKinds)[number];

export interface OnsetTrace {
  samples: { timestamp: number; diameter: number; confidence: number }[];
  /** Of the light, ms; from it to the first movement. */
  onset: number;
  latency: number;
}

const LENGTH = 6000;
const between = (random: Random, low: number, high: number) => low * (high / low) ** random.unit();

/** Constriction at each millisecond after the first movement, 1 at its largest. */
function constriction(random: Random, kind: OnsetKind): Float64Array {
  const out =
    kind === 'abrupt' || kind === 'lag' ? lagged(random, kind) : path(random, kind === 'step' ? cosine : leastJerk);
  const largest = out.reduce((a, b) => Math.max(a, b));
  return out.map((value) => value / largest);
}

function lagged(random: Random, kind: 'abrupt' | 'lag'): Float64Array {
  const lags =
    kind === 'abrupt'
      ? [random.uniform(130, 280), random.uniform(15, 40)]
      : [random.uniform(120, 220), random.uniform(70, 150), random.uniform(20, 90)];
  const shines = random.uniform(200, 900);
  const slower = random.uniform(2.5, 5);
  const state = lags.map(() => 0);
  return Float64Array.from({ length: LENGTH }, (_, t) => {
    let input = t < shines ? 1 : 0;
    for (let k = 0; k < lags.length; k++) {
      const lag = lags[k]! * (k === 0 && input < state[k]! ? slower : 1);
      input = state[k]! += (input - state[k]!) * (1 - Math.exp(-1 / lag));
    }
    return input;
  });
}

const cosine = (s: number) => (1 - Math.cos(Math.PI * s)) / 2;
const leastJerk = (s: number) => s ** 3 * (10 - 15 * s + 6 * s * s);

function path(random: Random, rise: (s: number) => number): Float64Array {
  const lasting = random.uniform(400, 900);
  const hold = random.uniform(50, 300);
  const back = random.uniform(800, 2500);
  return Float64Array.from({ length: LENGTH }, (_, t) => {
    const after = Math.max(0, t - lasting - hold) / back;
    return rise(Math.min(1, t / lasting)) * (0.3 + 0.7 * Math.exp((-after * after) / (1 + after)));
  });
}

/**
 * Constrictions of 10 to 60 % (weak: 1.5 to 6 %), latencies of 180 to 400 ms, slow waves of hippus, white noise of 0.1 to
 * 0.5 % of the diameter and correlated noise of up to 0.3 % (30 to 200 ms), times with 1 ms of jitter, frames that are
 * dropped, blinks. The same seed gives the same pupil at every rate.
 */
export function onsetTrace(seed: number, rate: number, kind: OnsetKind, weak = false): OnsetTrace {
  const pupil = new Random(seed, onsetKinds.indexOf(kind), 0x6f6e7365);
  const rest = pupil.uniform(3, 7.5);
  const latency = pupil.uniform(180, 400);
  const onset = 2000 + pupil.uniform(0, 40);
  const size = rest * (weak ? between(pupil, 0.015, 0.06) : between(pupil, 0.1, 0.6));
  const shape = constriction(pupil, kind);
  const waves = Array.from({ length: 4 }, () => ({
    height: pupil.normal(0, 0.004 * rest),
    hertz: between(pupil, 0.05, 0.5),
    phase: pupil.uniform(0, 2 * Math.PI),
  }));
  const white = between(pupil, 0.001, 0.005) * rest;
  const colored = pupil.uniform(0, 0.003) * rest;
  const memory = between(pupil, 30, 200);
  const blink = pupil.uniform(200, 12_000); // in half of the traces, anywhere
  const random = new Random(seed, rate, 0x6a697474);
  const samples: OnsetTrace['samples'] = [];
  let [drift, last] = [random.normal(0, colored), 0];
  for (let i = 0; i < (LENGTH * rate) / 1000 - 1; i++) {
    const t = ((i + 0.5) * 1000) / rate + random.normal(0, 1);
    const keep = Math.exp(-Math.max(0, t - last) / memory);
    drift = keep * drift + Math.sqrt(1 - keep * keep) * random.normal(0, colored);
    last = t;
    if (random.unit() < 0.02) continue;
    const x = Math.max(0, t - onset - latency);
    const cell = Math.floor(x);
    const part = shape[cell]! + (x - cell) * ((shape[cell + 1] ?? shape[cell]!) - shape[cell]!);
    const hippus = waves.reduce((s, w) => s + w.height * Math.sin((2 * Math.PI * w.hertz * t) / 1000 + w.phase), 0);
    const shut = t > blink && t < blink + 150;
    const diameter = shut ? NaN : rest - size * part + hippus + drift + random.normal(0, white);
    samples.push({ timestamp: t, diameter, confidence: shut ? 0 : 0.95 });
  }
  return { samples, onset, latency };
}
