/**
 * Similarity transforms between point sets (thesis, section 4.2.4; Umeyama 1991). In the plane, the solution has a closed
 * form, also for reflections: a mirrored target is matched by the best rotation, never by a mirror image.
 */

/** Similarity q = (a, -b; b, a) p + (x, y). */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly x: number;
  readonly y: number;
}

type Points = ArrayLike<number>;

function meanOf(points: Points, use: (i: number) => boolean): { n: number; x: number; y: number } {
  let [n, x, y] = [0, 0, 0];
  for (let i = 0; i < points.length >> 1; i++)
    if (use(i)) {
      n++;
      x += points[2 * i]!;
      y += points[2 * i + 1]!;
    }
  return { n, x: x / n, y: y / n };
}

/**
 * Fits the similarity with the minimum sum of squared distances from the moved points `from` to `to`, x and y of each.
 * Null if `from` has no spread. `use` selects points. Without `rotation`, only scale and shift are fitted.
 */
export function fitSimilarity(
  from: Points,
  to: Points,
  { use = () => true, rotation = true }: { use?: (i: number) => boolean; rotation?: boolean } = {},
): Similarity | null {
  const p = meanOf(from, use);
  const q = meanOf(to, use);
  let [a, b, spread] = [0, 0, 0];
  for (let i = 0; i < from.length >> 1; i++) {
    if (!use(i)) continue;
    const [px, py] = [from[2 * i]! - p.x, from[2 * i + 1]! - p.y];
    const [qx, qy] = [to[2 * i]! - q.x, to[2 * i + 1]! - q.y];
    a += px * qx + py * qy;
    b += px * qy - py * qx;
    spread += px * px + py * py;
  }
  if (!(p.n >= 2 && spread > 0)) return null;
  a /= spread;
  b = rotation ? b / spread : 0;
  return { a, b, x: q.x - (a * p.x - b * p.y), y: q.y - (b * p.x + a * p.y) };
}
