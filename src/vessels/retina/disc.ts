/**
 * The optic disc: where large vessels run together above and below, and a bright circle lies. All places of a grid are
 * weighed by both, at radii about that of a disc; the best is then fitted by the circle's border alone. Costs a few
 * million steps, whatever the size of the photograph.
 */
import { brightnessOf, edgeAt } from './disc-edge.ts';
import { convergence, pullsOf, type ConvergenceConstants } from './convergence.ts';
import type { SmallPicture } from './small-picture.ts';
import type { Strand } from './strands.ts';

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
export const discConstants: DiscConstants = { spread: 0.4, power: 1.5, long: 0.1, cap: 0.5 };

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
