/**
 * Optic disc: a bright circle where large vessels converge above and below. All positions of a grid are scored by both
 * features, at plausible radii of a disc. The best one is then fitted by the border of the circle only. Costs a few
 * million steps, regardless of the size of the photograph.
 */
import type { SmallPicture } from './small-picture.ts';
import type { Strand } from './strands.ts';

// Brightness step of a circle: how much brighter it is inside than around it, without its vessels. After Lu 2011
// (radial evaluation of the disc).

/** Half the width of the window that closes vessels, relative to the diameter of the field. */
const CLOSE = 0.012;
/** Weight of the red channel relative to the green one. Red is often saturated in the disc. */
const RED = 0.5;
const ANGLES = 32;
const COSINES = Float64Array.from({ length: ANGLES }, (_, k) => Math.cos((2 * Math.PI * k) / ANGLES));
const SINES = Float64Array.from({ length: ANGLES }, (_, k) => Math.sin((2 * Math.PI * k) / ANGLES));
const SAMPLES = 4;
/** Minimum share of the directions inside the field of view. */
const SEEN = 0.4;

/** The maximum (`sign` 1) or minimum (-1) in a square, in two passes. */
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

/** Logarithm of the brightness relative to the mean of the field, with dark lines closed. NaN outside the field. */
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
  /** Shares of the radius: `inner` to the border counts as inside, the border to `outer` counts as around. */
  readonly inner: number;
  readonly outer: number;
  /** Maximum contribution of a direction. */
  readonly cap: number;
}

/**
 * Returns -1 to 1: mean over directions of the step from inside to around, each limited to the cap. 0 if not enough is
 * visible.
 */
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

// How strongly vessels converge at a position, above it and below it: the large vessels of the retina leave the optic
// disc upwards and downwards. The weight of a vessel depends on how exactly it points to the position, on its width and
// on its distance. Idea: Hoover and Goldbaum 2003 (fuzzy convergence of the vessels), Soares et al. 2016 (vessels'
// density above and below).

interface Pull {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly weight: number;
}

interface ConvergenceConstants {
  /** Sine of the angle between vessel and position that reduces the weight to a quarter. */
  readonly spread: number;
  /** The weight of a vessel is this power of its width. */
  readonly power: number;
  /**
   * Lines shorter than this share of the field's diameter have a lower weight, because borders of bright lesions look
   * like vessels.
   */
  readonly long: number;
}

/** Distance between vessel pieces, about this share of the field's diameter. */
const APART = 1 / 80;
/** Range of distances, as shares of the field's diameter, where a vessel counts. */
const NEAR = 0.04;
const FAR = 0.4;
/** Below this distance the weight no longer increases. */
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

/** In the coordinates of the search image. */
export interface FoundDisc {
  x: number;
  y: number;
  radius: number;
  /** How much better this position is than the next best, 0 to 1. */
  confidence: number;
}

interface DiscConstants extends ConvergenceConstants {
  /** Step of the logarithm of the brightness that limits the contribution of a direction. */
  readonly cap: number;
}

const constants: DiscConstants = { spread: 0.4, power: 1.5, long: 0.1, cap: 0.5 };

/** Number of grid positions across the field of view. */
const GRID = 48;
/** Minimum convergence of vessels at a position, relative to the maximum. */
const FLOOR = 0.3;
/**
 * Radius of a disc relative to the diameter of the field: 0.9 mm in 13 mm for a field of 45 degrees, in 8.7 mm for one
 * of 30 degrees. The scale is 0.29 mm per degree (Bengtsson and Krakau 1992). The values are the mean of the two, their
 * spread, and the minimum and maximum of the search.
 */
const RADIUS = { usual: 0.083, spread: 0.35, least: 0.045, most: 0.13 };
const WIDE = { inner: 0.6, outer: 1.45 };
const TIGHT = { inner: 0.8, outer: 1.2 };
/** The fitted center stays within about this distance of the position, as a share of the radius. */
const STAY = 0.8;
/** Initial radii of the fit, relative to the radius of the position. */
const STARTS = [0.7, 1, 1.4];
/** Minimum strength of a border. */
const WEAK = 0.1;

interface Place {
  x: number;
  y: number;
  radius: number;
  score: number;
}

const usual = (radius: number, diameter: number) =>
  Math.exp(-(Math.log(radius / diameter / RADIUS.usual) ** 2) / (2 * RADIUS.spread ** 2));

/** Best of a pattern of positions and radii around one, with decreasing steps. */
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

/** Null without a bright circle where vessels converge. */
export function findDisc(picture: SmallPicture, strands: readonly Strand[]): FoundDisc | null {
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
  // Starts from several radii, because the search may stop between the borders of the cup, the disc and a pale ring
  // around it.
  const fitted = STARTS.map((part) => climb({ ...place, radius: part * place.radius }, tight)).reduce((a, b) =>
    b.score > a.score ? b : a,
  );
  if (fitted.score < WEAK) return null;
  const elsewhere = places.filter(({ x, y }) => Math.hypot(x - place.x, y - place.y) > 2 * place.radius);
  const next = elsewhere.reduce((value, { score }) => Math.max(value, score), 0);
  return { x: fitted.x, y: fitted.y, radius: fitted.radius, confidence: 1 - next / place.score };
}
