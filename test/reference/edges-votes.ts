/** Hough votes cast one by one, as the definitions say. */
import { roundEven } from '../../src/image/numbers.ts';
import { type Reference, make, type ReferenceImage } from './image.ts';

export interface PlainCircle {
  x: number;
  y: number;
  r: number;
  votes: number;
}

const nearest = (v: number) => Math.floor(Number(v.toFixed(9)) + 0.5);

type Region = { x: number; y: number; width: number; height: number };

/**
 * Every center and radius with a vote: by falling votes, then radius, y, x. `oriented`: an edge votes only in the
 * directions whose eighth of a turn, from the center to the edge, is among the bits of its sample.
 */
export function plainCircles(
  { width, height, data }: ReferenceImage,
  minRadius: number,
  maxRadius: number,
  degrees: number,
  region: Region = { x: 0, y: 0, width, height },
  oriented = false,
): PlainCircle[] {
  const found: PlainCircle[] = [];
  for (let r = minRadius; r <= maxRadius; r++) {
    const votes = new Uint32Array(width * height);
    for (let t = 0; t < 360 - 1e-6; t += degrees) {
      const dx = nearest(r * Math.cos((t * Math.PI) / 180));
      const dy = nearest(r * Math.sin((t * Math.PI) / 180));
      const eighth = Math.round((Math.atan2(-dy, -dx) * 4) / Math.PI) & 7;
      for (let i = 0; i < data.length; i++) {
        if (oriented ? !((data[i]! >> eighth) & 1) : !data[i]) continue;
        const [x, y] = [(i % width) + dx, Math.floor(i / width) + dy];
        if (x >= 0 && y >= 0 && x < width && y < height) votes[y * width + x]!++;
      }
    }
    votes.forEach((n, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      const inside = x >= region.x && y >= region.y && x < region.x + region.width && y < region.y + region.height;
      if (n && inside) found.push({ x, y, r, votes: n });
    });
  }
  return found.sort((a, b) => b.votes - a.votes || a.r - b.r || a.y - b.y || a.x - b.x);
}

type Question = {
  minRadius: number;
  maxRadius: number;
  angleStep: number;
  region?: Region;
  oriented?: boolean;
  least: number;
};

const asked = (edges: ReferenceImage, { minRadius, maxRadius, angleStep, region, oriented }: Question) =>
  plainCircles(edges, minRadius, maxRadius, Number(((angleStep * 180) / Math.PI).toFixed(9)), region, oriented);
const listed = (circles: readonly PlainCircle[]) => [
  Int32Array.from(circles.flatMap(({ x, y, r, votes }) => [x, y, r, votes])),
];

/** Stage edges/circle. */
export function bestCircle([edges, question]: readonly [ReferenceImage, Question]): Int32Array[] {
  const [best] = asked(edges, question);
  return listed(best && best.votes >= question.least ? [best] : []);
}

/** Stage edges/circles: with more than 4096 centers of a radius the votes that are needed rise. */
export function allCircles([edges, question]: readonly [ReferenceImage, Question]): Int32Array[] {
  const all = asked(edges, question);
  for (let least = Math.max(1, question.least); ;) {
    const enough = all.filter(({ votes }) => votes >= least);
    const of = (radius: number) => enough.filter(({ r }) => r === radius).sort((a, b) => a.y - b.y || a.x - b.x);
    const radii = [...new Set(enough.map(({ r }) => r))].map(of);
    const most = enough[0]?.votes ?? 0;
    if (radii.every((list) => list.length <= 4096) || least >= most) {
      const kept = new Set(radii.flatMap((list) => list.slice(0, 4096)));
      return listed(enough.filter((circle) => kept.has(circle)));
    }
    least = Math.min(most, Math.ceil(least * 1.25 + 1));
  }
}

export interface PlainLine {
  rho: number;
  theta: number;
  votes: number;
}

const f = Math.fround;

/** Counters by angle and distance in 32-bit floats, zeros around. */
function accumulated({ width, height, data }: ReferenceImage, rho: number, theta: number): Int32Array[] {
  const distances = roundEven((2 * (width + height) + 1) / rho);
  let angles = Math.floor(Math.PI / theta) + 1;
  if (angles > 1 && Math.abs(Math.PI - (angles - 1) * theta) < theta / 2) angles--;
  const rows = Array.from({ length: angles + 2 }, () => new Int32Array(distances + 2));
  let angle = 0;
  for (let n = 0; n < angles; n++) {
    const [c, s] = [f(Math.cos(angle) * f(1 / f(rho))), f(Math.sin(angle) * f(1 / f(rho)))];
    for (let i = 0; i < data.length; i++)
      if (data[i]) {
        const at = f(f((i % width) * c) + f(Math.floor(i / width) * s));
        rows[n + 1]![roundEven(at) + ((distances - 1) >> 1) + 1]!++;
      }
    angle = f(angle + f(theta));
  }
  return rows;
}

function peaksOf(rows: readonly Int32Array[], rho: number, theta: number, threshold: number): PlainLine[] {
  const distances = rows[0]!.length - 2;
  const lines: PlainLine[] = [];
  for (let n = 1; n < rows.length - 1; n++)
    for (let r = 1; r <= distances; r++) {
      const [before, row, behind] = [rows[n - 1]!, rows[n]!, rows[n + 1]!];
      const votes = row[r]!;
      if (votes > threshold && votes > row[r - 1]! && votes >= row[r + 1]! && votes > before[r]! && votes >= behind[r]!)
        lines.push({ rho: (r - 1 - (distances - 1) / 2) * rho, theta: f((n - 1) * f(theta)), votes });
    }
  return lines.sort((a, b) => b.votes - a.votes || a.theta - b.theta || a.rho - b.rho);
}

/** Peaks of the accumulator: by falling votes, then angle, distance. */
export const plainLines = (edges: ReferenceImage, rho: number, theta: number, threshold: number): PlainLine[] =>
  peaksOf(accumulated(edges, rho, theta), rho, theta, threshold);

type LineParameters = { rho: number; theta: number; threshold: number; max: number };

/** Stage edges/line-votes. */
export function lineVotes([edges]: readonly ReferenceImage[], { rho, theta }: LineParameters): ReferenceImage[] {
  const rows = accumulated(edges!, rho, theta);
  return [make(rows[0]!.length, rows.length, 'i32', (x, y) => rows[y]![x]!)];
}

/** Stage edges/line-peaks. */
export function linePeaks(
  [votes]: readonly ReferenceImage[],
  { rho, theta, threshold, max }: LineParameters,
): Float64Array[] {
  const { width, height, data } = votes!;
  const rows = Array.from({ length: height }, (_, y) => Int32Array.from(data.subarray(y * width, (y + 1) * width)));
  const lines = peaksOf(rows, rho, theta, threshold).slice(0, max);
  return [Float64Array.from(lines.flatMap((line) => [line.rho, line.theta, line.votes]))];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'edges/line-votes': lineVotes,
  'edges/line-peaks': linePeaks,
  'edges/circle': bestCircle as Reference,
  'edges/circles': allCircles as Reference,
};
