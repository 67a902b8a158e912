/**
 * Traces of the pupil's reflex to a flash with known answers. The model is physiology of its own, not the measures turned
 * round: the flash drives the sphincter after a delay, a phasic part that adapts, a sustained one, and a slow one that
 * outlasts the light (melanopsin); Stark and Sherman (J Neurophysiol 20, 1957) give the iris a delay and a lag of third
 * order, here with three time constants that vary, the last from almost none on, so that
 * movements begin between abruptly and softly; redilation is slower by a factor (Longtin and Milton, Bull Math Biol 51,
 * 1989). Hippus is a sum of slow waves. Latencies of 190 to 350 ms: Bergamin and Kardon (IOVS 44, 2003).
 */
import { Random } from '../eyes/random.ts';

export interface PupilTruth {
  /** Of the flash, ms; its length. */
  onset: number;
  duration: number;
  /** From the flash to the first movement: the model's delay. */
  latency: number;
  baseline: number;
  minimum: number;
  amplitude: number;
  amplitudePercent: number;
  maximum: number;
  constrictionVelocity: number;
  peakConstrictionVelocity: number;
  dilationVelocity: number;
  peakDilationVelocity: number;
  timeToMinimum: number;
  t50: number;
  t75: number;
  /** Per cent of the baseline; NaN where the trace is too short. */
  pipr: number;
  /** While the lid covers any of the pupil. */
  blinks: { onset: number; offset: number }[];
}

export interface PupilTrace {
  rate: number;
  samples: { timestamp: number; diameter: number; confidence: number }[];
  truth: PupilTruth;
  /** Standard deviation of the noise, mm. */
  noise: number;
}

const LENGTH = 12_000;
/** For so long, ms, a lid covers the pupil in part before it is shut, and when it opens. */
const [CLOSING, OPENING] = [40, 80];
const between = (random: Random, low: number, high: number) => low * (high / low) ** random.unit();

/** Drive and lag, at each millisecond after the flash, 0 at rest and 1 at its largest. */
function reflex(random: Random, duration: number, length: number): Float64Array {
  const lags = [random.uniform(130, 220), random.uniform(90, 150), random.uniform(5, 90)];
  const slower = random.uniform(2.5, 5);
  const adaptation = random.uniform(300, 1200);
  const sustained = random.uniform(0.2, 0.6);
  const after = random.uniform(200, 450);
  const slow = random.uniform(0.02, 0.15);
  const fading = random.uniform(4000, 15000);
  const out = new Float64Array(length);
  const state = [0, 0, 0];
  let [phasic, outlasting] = [0, 0];
  for (let t = 0; t < length; t++) {
    const light = t < duration;
    phasic = light ? sustained + (1 - sustained) * Math.exp(-t / adaptation) : phasic * Math.exp(-1 / after);
    outlasting += light ? (1 - outlasting) / 800 : -outlasting / fading;
    let input = phasic + slow * outlasting;
    for (let k = 0; k < 3; k++) {
      const lag = lags[k]! * (k === 0 && input < state[k]! ? slower : 1);
      input = state[k]! += (input - state[k]!) / lag;
    }
    out[t] = input;
  }
  const largest = Math.max(...out);
  return out.map((value) => value / largest);
}

/** The diameter at each millisecond, mm, without noise, and what is true of it. */
export function pupilTruth(random: Random): { diameter: Float64Array; truth: PupilTruth } {
  const rest = random.uniform(3.5, 7.5);
  const latency = random.integer(190, 350);
  const duration = random.pick([50, 200, 500, 1000]);
  const onset = 2000 + random.integer(0, 40);
  const share = random.uniform(0.15, 0.4);
  const shape = reflex(random, duration, LENGTH);
  const waves = Array.from({ length: 4 }, () => ({
    height: random.normal(0, 0.004 * rest),
    hertz: between(random, 0.05, 0.5),
    phase: random.uniform(0, 2 * Math.PI),
  }));
  const diameter = Float64Array.from({ length: LENGTH }, (_, t) => {
    const x = t < onset + latency ? 0 : shape[t - onset - latency]!;
    const hippus = waves.reduce((s, w) => s + w.height * Math.sin((2 * Math.PI * w.hertz * t) / 1000 + w.phase), 0);
    return rest * (1 - share * x) + hippus;
  });
  return { diameter, truth: { onset, duration, latency, blinks: [], ...measured(diameter, onset, latency, duration) } };
}

/** By the definitions of docs/pupil-measures.md, from the curve itself. */
function measured(diameter: Float64Array, onset: number, latency: number, duration: number) {
  const before = diameter.subarray(onset - 500, onset);
  const baseline = before.reduce((sum, value) => sum + value, 0) / before.length;
  let lowest = onset + latency;
  for (let t = lowest; t < onset + latency + 2500; t++) if (diameter[t]! < diameter[lowest]!) lowest = t;
  const minimum = diameter[lowest]!;
  let peak = 0;
  for (let t = onset + latency; t < lowest; t++) peak = Math.max(peak, (diameter[t - 1]! - diameter[t + 1]!) * 500);
  const regained = (part: number) => {
    for (let t = lowest; t < diameter.length; t++)
      if (diameter[t]! >= minimum + part * (baseline - minimum)) return t - lowest;
    return NaN;
  };
  const [amplitude, t50, t75] = [baseline - minimum, regained(0.5), regained(0.75)];
  let fastest = 0;
  for (let t = lowest + 1; t < lowest + t75; t++)
    fastest = Math.max(fastest, (diameter[t + 1]! - diameter[t - 1]!) * 500);
  const late = diameter.subarray(onset + duration + 5000, onset + duration + 7000);
  const rest = late.reduce((sum, value) => sum + value, 0) / late.length;
  return {
    ...{ baseline, minimum, amplitude, t50, t75 },
    amplitudePercent: (100 * amplitude) / baseline,
    maximum: diameter.subarray(onset - 500).reduce((a, b) => Math.max(a, b)),
    constrictionVelocity: (1000 * amplitude) / (lowest - onset - latency),
    peakConstrictionVelocity: peak,
    dilationVelocity: (500 * amplitude) / t50,
    peakDilationVelocity: fastest,
    timeToMinimum: lowest - onset,
    pipr: late.length === 2000 ? 100 * (1 - rest / baseline) : NaN,
  };
}

const smooth = (s: number) => s * s * (3 - 2 * s);

/**
 * One trace as a camera of so many frames a second gives it: noise of 0.1 to 0.5 % of the diameter, blinks with a lid that
 * covers the pupil in part before and after, frames that were dropped, pupils that were lost for a frame or two, and a few
 * wrong diameters. The same seed gives the same pupil at every rate.
 */
export function pupilTrace(seed: number, rate: number): PupilTrace {
  const { diameter, truth } = pupilTruth(new Random(seed, 0x70757069));
  const random = new Random(seed, rate, 0x6e6f6973);
  const noise = between(new Random(seed, 0x6c6576), 0.001, 0.005) * truth.baseline;
  const lids = new Random(seed, 0x6c6964);
  const shut: PupilTruth['blinks'] = [];
  for (let at = lids.uniform(300, 8000); at < LENGTH - 600; at += lids.uniform(3000, 11000))
    shut.push({ onset: at + 70, offset: at + 70 + lids.uniform(60, 180) });
  truth.blinks = shut.map(({ onset, offset }) => ({ onset: onset - CLOSING, offset: offset + OPENING }));
  const samples: PupilTrace['samples'] = [];
  const phase = random.unit();
  let lost = 0;
  for (let i = 0; ; i++) {
    const timestamp = ((i + phase) * 1000) / rate + random.normal(0, 0.3);
    if (timestamp >= LENGTH - 1) break;
    const t = Math.max(0, timestamp);
    const at = Math.floor(t);
    const exact = diameter[at]! + (t - at) * (diameter[at + 1]! - diameter[at]!);
    const wrong = random.unit() < 0.002 ? random.uniform(-0.3, 0.3) : 0;
    let value = exact * (1 + wrong) + random.normal(0, noise);
    let confidence = random.uniform(0.85, 1);
    if (lost > 0) lost--;
    else if (random.unit() < 0.003) lost = random.integer(1, 2);
    if (lost > 0) value = NaN;
    for (const { onset, offset } of shut) {
      const covered = t < onset ? 1 - (onset - t) / CLOSING : t > offset ? 1 - (t - offset) / OPENING : 2;
      if (covered <= 0) continue;
      if (covered > 0.85) value = NaN;
      else {
        value *= 1 - 0.2 * smooth(covered);
        confidence *= 1 - 0.5 * smooth(covered);
      }
    }
    if (Number.isNaN(value)) confidence = 0;
    if (random.unit() >= 0.01) samples.push({ timestamp, diameter: value, confidence });
  }
  return { rate, samples, truth, noise };
}
