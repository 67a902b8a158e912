/**
 * The optic disc: where large vessels run together above and below, and a bright circle lies. All places of a grid are
 * weighed by both, at radii about that of a disc; the best is then fitted by the circle's border alone. Costs a few
 * million steps, whatever the size of the photograph.
 */
import type { SmallPicture } from './small-picture.ts';
import type { Strand } from './strands.ts';

// How much brighter a circle is inside than around it, without its vessels; after Lu 2011 (radial evaluation of the disc).

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
function brightnessOf({ width, height, red, green, inside, diameter }: SmallPicture): Float32Array {
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

interface Ring {
  /** Parts of the radius: from here to the border counts as inside, from the border to there as around. */
  readonly inner: number;
  readonly outer: number;
  /** A direction counts no more than this. */
  readonly cap: number;
}

/** -1 to 1: mean over directions of the step from inside to around, each cut at the cap; 0 where too little is seen. */
function edgeAt(
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

// How far vessels run together at a place, above it and below it: the large vessels of the retina leave the optic disc
// upwards and downwards. A vessel counts by how nearly it points to the place, by its width and by how near it is. Idea:
// Hoover and Goldbaum 2003 (fuzzy convergence of the vessels), Soares et al. 2016 (vessels' density above and below).

interface Pull {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly weight: number;
}

interface ConvergenceConstants {
  /** Sine of the angle past the place at which a vessel counts for a quarter. */
  readonly spread: number;
  /** A vessel counts as this power of its width. */
  readonly power: number;
  /** Lines shorter than this part of the field's diameter count less: borders of bright lesions look like vessels. */
  readonly long: number;
}

/** Pieces of the vessels about this part of the field's diameter apart. */
const APART = 1 / 80;
/** Parts of the field's diameter between which a vessel counts. */
const NEAR = 0.04;
const FAR = 0.4;
/** Nearer than this, being near counts no more. */
const LEVEL = 0.1;

/** `diameter`: of the field of view, in the unit of the strands. */
export function pullsOf(
  strands: readonly Strand[],
  lengths: readonly number[],
  diameter: number,
  { power, long }: ConvergenceConstants,
): Pull[] {
  const pulls: Pull[] = [];
  let length = 0;
  for (const [k, { x, y, dx, dy, width, segment, length: own }] of strands.entries()) {
    length += own;
    if (length < APART * diameter && strands[k + 1]?.segment === segment) continue;
    const weight = length * Math.max(width, 1) ** power * Math.min(1, lengths[segment]! / (long * diameter));
    pulls.push({ x, y, dx, dy, weight });
    length = 0;
  }
  return pulls;
}

export function convergence(pulls: readonly Pull[], x: number, y: number, diameter: number, spread: number): number {
  let [above, below] = [0, 0];
  const [near, far] = [(NEAR * diameter) ** 2, (FAR * diameter) ** 2];
  for (const { x: px, y: py, dx, dy, weight } of pulls) {
    const [u, v] = [px - x, py - y];
    const square = u * u + v * v;
    if (square < near || square > far) continue;
    const distance = Math.sqrt(square);
    const past = (u * dy - v * dx) / (distance * spread);
    const share = 1 / (1 + past * past);
    const pull = (weight * share * share * v) / (distance * (distance + LEVEL * diameter));
    if (v < 0) above -= pull;
    else below += pull;
  }
  return Math.sqrt(above * below);
}

/** In the coordinates of what it was found in. */
export interface FoundDisc {
  x: number;
  y: number;
  radius: number;
  /** 0..1: how much better this place is than the next. */
  confidence: number;
}

export interface DiscConstants extends ConvergenceConstants {
  /** Step of the logarithm of the brightness above which a direction counts no more. */
  readonly cap: number;
}

/** Among those of `node bench/run.mjs retina vessels --constants`, which says what leaving each photograph out chooses. */
const discConstants: DiscConstants = { spread: 0.4, power: 1.5, long: 0.1, cap: 0.5 };

/** Places across the field of view. */
const GRID = 48;
/** Places whose vessels run together less than this, in parts of the most, are none. */
const FLOOR = 0.3;
/**
 * Radius of a disc in parts of the field's diameter: 0.9 mm in 13 mm of a field of 45 degrees, in 8.7 mm of one of 30
 * (0.29 mm a degree, Bengtsson and Krakau 1992); the mean of the two, their spread, and the least and largest sought.
 */
const RADIUS = { usual: 0.083, spread: 0.35, least: 0.045, most: 0.13 };
const WIDE = { inner: 0.6, outer: 1.45 };
const TIGHT = { inner: 0.8, outer: 1.2 };
/** The fitted center stays about so near to the place, in parts of the radius. */
const STAY = 0.8;
/** Radii that the fit begins with, in parts of the place's. */
const STARTS = [0.7, 1, 1.4];
/** A border weaker than this is none. */
const WEAK = 0.1;

interface Place {
  x: number;
  y: number;
  radius: number;
  score: number;
}

const usual = (radius: number, diameter: number) =>
  Math.exp(-(Math.log(radius / diameter / RADIUS.usual) ** 2) / (2 * RADIUS.spread ** 2));

/** Best of a pattern of places and radii around one, at ever smaller steps. */
function climb(start: Place, score: (x: number, y: number, radius: number) => number): Place {
  let best = { ...start, score: score(start.x, start.y, start.radius) };
  for (let step = start.radius / 3; step >= 0.25; step /= 2) {
    for (let moved = true; moved;) {
      moved = false;
      const { x, y, radius } = best;
      for (let k = 0; k < 27; k++) {
        const [i, j, r] = [(k % 3) - 1, (Math.floor(k / 3) % 3) - 1, Math.floor(k / 9) - 1];
        const place = { x: x + i * step, y: y + j * step, radius: radius + (r * step) / 2 };
        const value = score(place.x, place.y, place.radius);
        if (value > best.score) {
          best = { ...place, score: value };
          moved = true;
        }
      }
    }
  }
  return best;
}

/** Null where no bright circle lies where vessels run together. */
export function findDisc(
  picture: SmallPicture,
  strands: readonly Strand[],
  constants: DiscConstants = discConstants,
): FoundDisc | null {
  const { width, height, inside, diameter } = picture;
  const brightness = brightnessOf(picture);
  const lengths: number[] = [];
  for (const { segment, length } of strands) lengths[segment] = (lengths[segment] ?? 0) + length;
  const pulls = pullsOf(strands, lengths, diameter, constants);
  const step = diameter / GRID;
  const cells: { x: number; y: number; pull: number }[] = [];
  for (let y = step / 2; y < height; y += step)
    for (let x = step / 2; x < width; x += step)
      if (inside[Math.floor(y) * width + Math.floor(x)])
        cells.push({ x, y, pull: convergence(pulls, x, y, diameter, constants.spread) });
  const most = cells.reduce((value, { pull }) => Math.max(value, pull), 0);
  const border = (x: number, y: number, radius: number, ring: { inner: number; outer: number }) =>
    Math.max(0, edgeAt(picture, brightness, x, y, radius, { ...ring, cap: constants.cap }));
  const places = cells.flatMap(({ x, y, pull }) => {
    if (!(pull > FLOOR * most)) return [];
    let best: Place = { x, y, radius: 0, score: 0 };
    for (let radius = RADIUS.least * diameter; radius <= RADIUS.most * diameter; radius *= 1.13) {
      const score = (pull / most) * border(x, y, radius, WIDE) * usual(radius, diameter);
      if (score > best.score) best = { x, y, radius, score };
    }
    return best.score > 0 ? [best] : [];
  });
  if (!places.length) return null;
  const place = places.reduce((a, b) => (b.score > a.score ? b : a));
  const tight = (x: number, y: number, radius: number) =>
    radius < RADIUS.least * diameter || radius > RADIUS.most * diameter
      ? 0
      : border(x, y, radius, TIGHT) *
        Math.sqrt(usual(radius, diameter)) *
        Math.exp(-((x - place.x) ** 2 + (y - place.y) ** 2) / (2 * (STAY * place.radius) ** 2));
  // From several radii: between the cup's border, the disc's and that of a pale ring around it the climb may stop.
  const fitted = STARTS.map((part) => climb({ ...place, radius: part * place.radius }, tight)).reduce((a, b) =>
    b.score > a.score ? b : a,
  );
  if (fitted.score < WEAK) return null;
  const elsewhere = places.filter(({ x, y }) => Math.hypot(x - place.x, y - place.y) > 2 * place.radius);
  const next = elsewhere.reduce((value, { score }) => Math.max(value, score), 0);
  return { x: fitted.x, y: fitted.y, radius: fitted.radius, confidence: 1 - next / place.score };
}
