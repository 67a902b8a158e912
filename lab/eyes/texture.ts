import { clamp } from './arithmetic.ts';
import { Random } from './random.ts';

/** Side of a noise tile; a power of two, so that a mask wraps. */
export const TILE = 512;
const tiles = new Map<number, Float32Array>();

/**
 * Tileable noise of zero mean and unit variance whose grain is `radius` pixels: white noise, three wrapped box blurs
 * (a good Gaussian). Tiles are made once; scenes differ by where they start in them.
 */
export function noiseTile(radius: number): Float32Array {
  const known = tiles.get(radius);
  if (known) return known;
  const random = new Random(77, radius);
  let from = new Float32Array(TILE * TILE);
  let to = new Float32Array(TILE * TILE);
  for (let i = 0; i < from.length; i++) from[i] = random.normal();
  for (let pass = 0; pass < 6; pass++) {
    boxBlur(from, to, radius, pass % 2 === 0 ? 1 : TILE, pass % 2 === 0 ? TILE : 1);
    [from, to] = [to, from];
  }
  standardize(from);
  tiles.set(radius, from);
  return from;
}

function boxBlur(from: Float32Array, to: Float32Array, radius: number, step: number, lineStep: number): void {
  const mask = TILE - 1;
  for (let line = 0; line < TILE; line++) {
    const base = line * lineStep;
    let sum = 0;
    for (let k = -radius; k <= radius; k++) sum += from[base + (k & mask) * step];
    for (let i = 0; i < TILE; i++) {
      to[base + i * step] = sum;
      sum += from[base + ((i + radius + 1) & mask) * step] - from[base + ((i - radius) & mask) * step];
    }
  }
}

function standardize(values: Float32Array): void {
  let sum = 0;
  let squares = 0;
  for (const v of values) sum += v;
  const mean = sum / values.length;
  for (const v of values) squares += (v - mean) * (v - mean);
  const scale = 1 / Math.sqrt(squares / values.length || 1);
  for (let i = 0; i < values.length; i++) values[i] = (values[i] - mean) * scale;
}

export const IRIS_ANGLES = 1024;
export const IRIS_RADII = 64;

/**
 * Iris texture in polar form, rows from the pupil's border (0) to the limbus, columns over the diamond angle
 * (0..4 for a full turn, monotone in the angle, no transcendental function needed): radial fibers that wander, the
 * collarette with its zigzag, crypts, a darker rim. About -2..2, mean 0.
 */
export function irisTexture(random: Random): Float32Array {
  const table = new Float32Array(IRIS_ANGLES * IRIS_RADII);
  const rings = 5;
  const fine: Float32Array[] = [];
  const broad: Float32Array[] = [];
  for (let k = 0; k <= rings; k++) {
    fine.push(ringNoise(random, 2));
    broad.push(ringNoise(random, 9));
  }
  const zigzag = ringNoise(random, 12);
  const collarette = random.uniform(0.22, 0.38);
  const bump = random.uniform(0.4, 1.2);
  const rim = random.uniform(0.5, 1.5);
  for (let r = 0; r < IRIS_RADII; r++) {
    const t = r / (IRIS_RADII - 1);
    const place = t * rings * 0.999;
    const k = Math.floor(place);
    const f = place - k;
    const shift = Math.round(12 * t * (k % 2 === 0 ? f : 1 - f));
    for (let a = 0; a < IRIS_ANGLES; a++) {
      const b = (a + shift) & (IRIS_ANGLES - 1);
      const ring = collarette + 0.05 * zigzag[a];
      const q = (t - ring) / 0.07;
      let value = 0.75 * (fine[k][b] * (1 - f) + fine[k + 1][b] * f);
      value += 0.45 * (broad[k][a] * (1 - f) + broad[k + 1][a] * f);
      value *= t < ring ? 0.55 : 1;
      value += bump / ((1 + q * q) * (1 + q * q)) - 0.25 * bump;
      value -= rim * clamp((t - 0.8) / 0.2, 0, 1);
      // the pupil's margin is smooth: full texture from a tenth of the iris outwards
      table[r * IRIS_ANGLES + a] = value * clamp(0.35 + t * 6.5, 0, 1);
    }
  }
  for (let i = random.integer(4, 14); i > 0; i--) crypt(table, random);
  return table;
}

function ringNoise(random: Random, radius: number): Float32Array {
  const mask = IRIS_ANGLES - 1;
  let from = new Float32Array(IRIS_ANGLES);
  for (let i = 0; i < IRIS_ANGLES; i++) from[i] = random.normal();
  for (let pass = 0; pass < 3; pass++) {
    const to = new Float32Array(IRIS_ANGLES);
    let sum = 0;
    for (let k = -radius; k <= radius; k++) sum += from[k & mask];
    for (let i = 0; i < IRIS_ANGLES; i++) {
      to[i] = sum;
      sum += from[(i + radius + 1) & mask] - from[(i - radius) & mask];
    }
    from = to;
  }
  standardize(from);
  return from;
}

function crypt(table: Float32Array, random: Random): void {
  const angle = random.integer(0, IRIS_ANGLES - 1);
  const radius = random.integer(12, 44);
  const width = random.uniform(6, 22);
  const height = random.uniform(3, 9);
  const depth = random.uniform(0.5, 1.4);
  for (let dr = -12; dr <= 12; dr++) {
    for (let da = -44; da <= 44; da++) {
      const q = (dr * dr) / (height * height) + (da * da) / (width * width);
      const row = radius + dr;
      if (q < 4 && row >= 0 && row < IRIS_RADII)
        table[row * IRIS_ANGLES + ((angle + da) & (IRIS_ANGLES - 1))] -= depth / ((1 + q) * (1 + q));
    }
  }
}
