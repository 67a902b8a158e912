/**
 * Aligns two photographs of one retina: turned, scaled and moved so that disc and vessels agree. The start is the disc
 * with the fovea, and the center lines are then fitted to each other (iterative closest points; Besl and McKay, IEEE
 * PAMI 14(2), 1992).
 */
import { fitSimilarity, type Similarity } from '../../image/similarity.ts';
import type { VesselSegment } from '../../results/types.ts';

interface Place {
  readonly x: number;
  readonly y: number;
}

export interface VisitVessels {
  readonly width: number;
  readonly height: number;
  readonly segments: readonly Pick<VesselSegment, 'points' | 'widths'>[];
  readonly disc: (Place & { readonly radius: number }) | null;
  readonly fovea: Place | null;
}

/** Of the second photograph to the first. */
export interface Alignment extends Similarity {
  /** Share of the vessels of each photograph, inside the other one, that are on a vessel of it. The smaller one. */
  readonly share: number;
}

const moved = (by: Similarity, x: number, y: number): [number, number] => [
  by.a * x - by.b * y + by.x,
  by.b * x + by.a * y + by.y,
];

const inverse = ({ a, b, x, y }: Similarity): Similarity => {
  const d = a * a + b * b;
  return { a: a / d, b: -b / d, x: -(a * x + b * y) / d, y: (b * x - a * y) / d };
};

/** Center lines as points, in cells, so that the nearest one is found at once. */
class Lines {
  readonly points: readonly (readonly [x: number, y: number, width: number])[];
  /** Mean width of the vessels. */
  readonly width: number;
  readonly #cell: number;
  readonly #columns: number;
  readonly #cells = new Map<number, number[]>();

  constructor({ width, height, segments }: VisitVessels) {
    this.#cell = Math.max(8, Math.max(width, height) / 64);
    this.#columns = Math.ceil(width / this.#cell);
    this.points = segments.flatMap(({ points, widths }) =>
      Array.from(widths, (own, k) => [points[2 * k]!, points[2 * k + 1]!, own > 0 ? own : 1] as const),
    );
    this.width = this.points.reduce((sum, [, , own]) => sum + own, 0) / Math.max(1, this.points.length);
    for (const [i, [x, y]] of this.points.entries()) {
      const key = Math.floor(y / this.#cell) * this.#columns + Math.floor(x / this.#cell);
      const list = this.#cells.get(key);
      if (list) list.push(i);
      else this.#cells.set(key, [i]);
    }
  }

  /** The nearest point within `reach`. -1: none. */
  nearest(x: number, y: number, reach: number): number {
    let [best, least] = [-1, reach * reach];
    const of = (v: number) => Math.floor(v / this.#cell);
    for (let row = of(y - reach); row <= of(y + reach); row++)
      for (let column = Math.max(0, of(x - reach)); column <= Math.min(this.#columns - 1, of(x + reach)); column++)
        for (const i of this.#cells.get(row * this.#columns + column) ?? []) {
          const [px, py] = this.points[i]!;
          const away = (px - x) ** 2 + (py - y) ** 2;
          if (away < least) [best, least] = [i, away];
        }
    return best;
  }
}

/** Head and camera are upright within these angles, in radians. */
const TURNS = [0, -0.1, 0.1, -0.2, 0.2, -0.3, 0.3];
const MOST = 0.5;
const upright = ({ a, b }: Similarity) => Math.abs(Math.atan2(b, a)) <= MOST;

/** First guesses: by disc and fovea, and by the disc alone in case that a fovea is wrong. */
function starts(first: VisitVessels, second: VisitVessels): Similarity[] {
  const [p, q] = [first.disc, second.disc];
  if (!p || !q) return [];
  const byDisc = [1, p.radius / q.radius].flatMap((scale) =>
    TURNS.map((turn) => {
      const [a, b] = [scale * Math.cos(turn), scale * Math.sin(turn)];
      return { a, b, x: p.x - a * q.x + b * q.y, y: p.y - b * q.x - a * q.y };
    }),
  );
  const [f, g] = [first.fovea, second.fovea];
  const both = f && g && fitSimilarity([q.x, q.y, g.x, g.y], [p.x, p.y, f.x, f.y]);
  return both && upright(both) ? [both, ...byDisc] : byDisc;
}

/** Share of the points inside the other photograph that are on a vessel of it. */
function shareOn(from: Lines, to: Lines, { width, height }: VisitVessels, by: Similarity, sample = Infinity): number {
  let [all, on] = [0, 0];
  const scale = Math.hypot(by.a, by.b);
  const step = Math.max(1, Math.floor(from.points.length / sample));
  for (let i = 0; i < from.points.length; i += step) {
    const [px, py, own] = from.points[i]!;
    const [x, y] = moved(by, px, py);
    if (x < 0 || y < 0 || x > width - 1 || y > height - 1) continue;
    all++;
    // Their widths overlap at the center of the narrower one.
    const reach = Math.max(1, (scale * own) / 2);
    const near = to.nearest(x, y, 4 * reach);
    if (near < 0) continue;
    const [u, v, width2] = to.points[near]!;
    if (Math.hypot(u - x, v - y) <= Math.max(reach, width2 / 2)) on++;
  }
  return all ? on / all : 0;
}

/** Points used for a first fit and for the last one. */
const SAMPLE = { first: 300, last: 3000 };
/** Minimum share of agreeing vessels: most of them. */
const LEAST = 0.5;

function refined(begin: Similarity, from: Lines, to: Lines, radius: number, sample: number): Similarity {
  const step = Math.max(1, Math.floor(from.points.length / sample));
  const least = Math.max(2, to.width);
  let by = begin;
  // Down to the width of a vessel, and then until it stands.
  for (let [round, reach] = [0, radius]; round < 60; round++) {
    const [own, other]: [number[], number[]] = [[], []];
    for (let i = 0; i < from.points.length; i += step) {
      const [x, y] = from.points[i]!;
      const near = to.nearest(...moved(by, x, y), reach);
      if (near < 0) continue;
      own.push(x, y);
      other.push(to.points[near]![0], to.points[near]![1]);
    }
    const next = fitSimilarity(own, other);
    if (!next) break;
    const still = Math.max(...[next.x - by.x, next.y - by.y].map(Math.abs)) < 0.01;
    by = next;
    if (reach <= least && still) break;
    reach = Math.max(least, 0.85 * reach);
  }
  return by;
}

/**
 * Finds the place of the second photograph on the first. Null: they do not match, or one has no optic disc.
 * A photograph of the other eye, or of another person, does not match.
 */
export function alignVisits(first: VisitVessels, second: VisitVessels): Alignment | null {
  if (!first.disc) return null;
  const [to, from] = [new Lines(first), new Lines(second)];
  const { radius } = first.disc;
  const [begin] = starts(first, second)
    .map((start) => refined(start, from, to, 2 * radius, SAMPLE.first))
    .map((by) => ({ by, share: shareOn(from, to, first, by, SAMPLE.first) }))
    .sort((a, b) => b.share - a.share);
  if (!begin) return null;
  const by = refined(begin.by, from, to, radius / 4, SAMPLE.last);
  const share = Math.min(shareOn(from, to, first, by), shareOn(to, from, second, inverse(by)));
  return share >= LEAST && upright(by) ? { ...by, share } : null;
}
