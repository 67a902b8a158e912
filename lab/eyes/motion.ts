import { exponential, sine } from './arithmetic.ts';
import type { Random } from './random.ts';

/** One moment of an eye: line of sight in degrees (right, down), pupil radius in mm, lid closure 0..1. */
export interface Moment {
  yaw: number;
  pitch: number;
  radius: number;
  closure: number;
}

/** Instructions with times in seconds. */
export interface Script {
  rate: number;
  frames: number;
  start: { yaw: number; pitch: number; radius: number };
  saccades: { at: number; yaw: number; pitch: number }[];
  /** The pupil approaches `radius` with time constant `tau` after a latency that is part of `at`. */
  pupil: { at: number; radius: number; tau: number }[];
  /** Beginning of each blink; it closes in 80 ms, stays shut for 40 ms, opens in 160 ms. */
  blinks: number[];
}

const CLOSING = 0.08;
const SHUT = 0.04;
const OPENING = 0.16;

/** Plays a script: fixations with drift and tremor, saccades of the main sequence's duration, slow pupil unrest. */
export function playScript(script: Script, random: Random): Moment[] {
  const { rate, frames } = script;
  const dt = 1 / rate;
  const moments: Moment[] = [];
  let driftYaw = 0;
  let driftPitch = 0;
  let radius = script.start.radius;
  let target = radius;
  let tau = 0.3;
  const phase = random.uniform(0, 6);
  for (let i = 0; i < frames; i++) {
    const t = i * dt;
    for (const change of script.pupil) {
      if (t >= change.at && t < change.at + dt) {
        target = change.radius;
        tau = change.tau;
      }
    }
    radius += (target - radius) * (1 - exponential(-dt / tau));
    // a walk of about 0.15 deg per root second, drawn back over about a second
    driftYaw += random.normal(0, 0.15 * Math.sqrt(dt)) - driftYaw * dt;
    driftPitch += random.normal(0, 0.12 * Math.sqrt(dt)) - driftPitch * dt;
    const gaze = gazeAt(script, t);
    const unrest = 0.05 * sine(2 * Math.PI * 0.45 * t + phase) + 0.03 * sine(2 * Math.PI * 1.1 * t + 2 * phase);
    moments.push({
      yaw: gaze.yaw + driftYaw + random.normal(0, 0.008),
      pitch: gaze.pitch + driftPitch + random.normal(0, 0.008),
      radius: radius + unrest,
      closure: closureAt(script, t),
    });
  }
  return moments;
}

/** Saccades last 21 ms + 2.2 ms per degree; position by the polynomial of least jerk. */
function gazeAt(script: Script, t: number): { yaw: number; pitch: number } {
  let { yaw, pitch } = script.start;
  for (const saccade of script.saccades) {
    if (t < saccade.at) break;
    const dx = saccade.yaw - yaw;
    const dy = saccade.pitch - pitch;
    const duration = 0.021 + 0.0022 * Math.sqrt(dx * dx + dy * dy);
    const p = Math.min(1, (t - saccade.at) / duration);
    const share = p * p * p * (10 - 15 * p + 6 * p * p);
    yaw += share * dx;
    pitch += share * dy;
  }
  return { yaw, pitch };
}

function closureAt(script: Script, t: number): number {
  let closure = 0;
  for (const start of script.blinks) {
    const s = t - start;
    if (s <= 0 || s >= CLOSING + SHUT + OPENING) continue;
    if (s < CLOSING) closure = ease(s / CLOSING);
    else if (s < CLOSING + SHUT) closure = 1;
    else closure = ease(1 - (s - CLOSING - SHUT) / OPENING);
  }
  return closure;
}

/** Smooth, and shut a little before its end so that a frame falls on it. */
function ease(p: number): number {
  const q = Math.min(1, p * 1.08);
  return q * q * (3 - 2 * q);
}

/** Saccades at random times 0.18 to 0.5 s apart to targets within the given degrees. */
export function randomSaccades(random: Random, seconds: number, extent: number): Script['saccades'] {
  const saccades: Script['saccades'] = [];
  for (let at = random.uniform(0.08, 0.25); at < seconds; at += random.uniform(0.18, 0.5)) {
    const small = random.unit() < 0.4 ? 0.25 : 1;
    const last = saccades[saccades.length - 1] ?? { yaw: 0, pitch: 0 };
    saccades.push({
      at,
      yaw: small < 1 ? last.yaw + random.normal(0, 0.6) : random.uniform(-extent, extent),
      pitch: small < 1 ? last.pitch + random.normal(0, 0.4) : random.uniform(-extent, extent) * 0.7,
    });
  }
  return saccades;
}
