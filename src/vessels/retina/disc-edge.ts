/** How much brighter a circle is inside than around it, without its vessels; after Lu 2011 (radial evaluation of the disc). */
import type { SmallPicture } from './small-picture.ts';

/** Half the width of the window that closes vessels, in parts of the field's diameter. */
const CLOSE = 0.012;
/** Of the red channel beside the green one: red is often saturated in the disc. */
const RED = 0.5;
const ANGLES = 32;
const COSINES = Float64Array.from({ length: ANGLES }, (_, k) => Math.cos((2 * Math.PI * k) / ANGLES));
const SINES = Float64Array.from({ length: ANGLES }, (_, k) => Math.sin((2 * Math.PI * k) / ANGLES));
const SAMPLES = 4;
/** Parts of the directions that must lie in the field of view. */
const SEEN = 0.4;

/** The greatest (`sign` 1) or least (-1) of a square, in two passes. */
export function extremes(
  values: Float32Array,
  width: number,
  height: number,
  reach: number,
  sign: 1 | -1,
): Float32Array {
  const pass = (from: Float32Array, step: number, count: number, lines: number, next: number) => {
    const to = new Float32Array(from.length);
    for (let line = 0; line < lines; line++)
      for (let k = 0; k < count; k++) {
        let most = -Infinity;
        for (let i = Math.max(0, k - reach); i <= Math.min(count - 1, k + reach); i++)
          most = Math.max(most, sign * from[line * next + i * step]!);
        to[line * next + k * step] = sign * most;
      }
    return to;
  };
  return pass(pass(values, 1, width, height, width), width, height, width, 1);
}

/** Logarithm of the brightness in parts of the field's mean, dark lines closed; NaN outside of the field. */
export function brightnessOf({ width, height, red, green, inside, diameter }: SmallPicture): Float32Array {
  let [reds, greens, count] = [0, 0, 0];
  for (let i = 0; i < inside.length; i++)
    if (inside[i]) {
      reds += red[i]!;
      greens += green[i]!;
      count++;
    }
  const level = (value: number, sum: number) => Math.log(0.1 + (sum > 0 ? (value * count) / sum : 0));
  const reach = Math.max(1, Math.round(CLOSE * diameter));
  const raw = red.map((v, i) => (inside[i] ? level(green[i]!, greens) + RED * level(v, reds) : -Infinity));
  const closed = extremes(extremes(raw, width, height, reach, 1), width, height, reach, -1);
  return closed.map((v, i) => (inside[i] ? v : NaN));
}

export interface Ring {
  /** Parts of the radius: from here to the border counts as inside, from the border to there as around. */
  readonly inner: number;
  readonly outer: number;
  /** A direction counts no more than this. */
  readonly cap: number;
}

/** -1 to 1: mean over directions of the step from inside to around, each cut at the cap; 0 where too little is seen. */
export function edgeAt(
  picture: SmallPicture,
  brightness: Float32Array,
  x: number,
  y: number,
  radius: number,
  { inner, outer, cap }: Ring,
): number {
  const { width, height } = picture;
  let [sum, seen] = [0, 0];
  for (let a = 0; a < ANGLES; a++) {
    const [c, s] = [COSINES[a]! * radius, SINES[a]! * radius];
    let step = 0;
    for (let k = 0; k < 2 * SAMPLES; k++) {
      const part = (k >> 1) / (SAMPLES - 1);
      const t = k & 1 ? 1.08 + (outer - 1.08) * part : inner + (0.95 - inner) * part;
      const [u, v] = [Math.round(x + c * t), Math.round(y + s * t)];
      step += u < 0 || v < 0 || u >= width || v >= height ? NaN : (k & 1 ? -1 : 1) * brightness[v * width + u]!;
    }
    if (Number.isNaN(step)) continue;
    sum += Math.max(-cap, Math.min(cap, step / SAMPLES));
    seen++;
  }
  return seen < SEEN * ANGLES ? 0 : ((sum / seen) * Math.sqrt(seen / ANGLES)) / cap;
}
