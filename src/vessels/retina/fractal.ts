/**
 * Fractal dimension of the vessels' middle lines by counting boxes: minus the slope of log count over log side, by least
 * squares (Mainster 1990; Family, Masters and Platt 1989). Sides are parts of the field of view, so that the dimension
 * does not go with the photograph's size. Of several places of the grid the one with the fewest boxes counts, since a cover
 * is wanted that needs no more boxes than it must.
 */

export interface FractalDimension {
  readonly dimension: number;
  /** Root mean square of what the straight line leaves, in natural logarithms of the count. */
  readonly residual: number;
  /** Standard error of the slope. */
  readonly error: number;
  /** Sides in pixels, and boxes that a line goes through. */
  readonly sides: readonly number[];
  readonly counts: readonly number[];
}

/** Sides in parts of the field's diameter, a factor of the root of two apart. */
const SIDES = { least: 1 / 128, count: 9 };
const SHIFTS = 4;

/** Boxes of one grid that a line goes through. `points`: x, y of each. */
function boxes(lines: readonly Float32Array[], side: number, left: number, top: number): number {
  const seen = new Set<number>();
  for (const points of lines)
    for (let k = 0; k < points.length; k += 2) {
      const next = Math.min(points.length - 2, k + 2);
      const [x, y] = [points[k]!, points[k + 1]!];
      const [dx, dy] = [points[next]! - x, points[next + 1]! - y];
      // Pieces longer than a part of a box go through it at several places.
      const pieces = Math.max(1, Math.ceil((4 * Math.hypot(dx, dy)) / side));
      for (let i = 0; i < pieces; i++) {
        const [u, v] = [x + (i / pieces) * dx + left, y + (i / pieces) * dy + top];
        seen.add(Math.floor(u / side) * 65_536 + Math.floor(v / side));
      }
    }
  return seen.size;
}

/** Null where there are no lines. `diameter`: of the field of view, in pixels. */
export function fractalDimension(lines: readonly Float32Array[], diameter: number): FractalDimension | null {
  if (!lines.some((points) => points.length >= 4)) return null;
  const sides = Array.from({ length: SIDES.count }, (_, k) => diameter * SIDES.least * Math.SQRT2 ** k);
  const counts = sides.map((side) =>
    Math.min(
      ...Array.from({ length: SHIFTS * SHIFTS }, (_, k) =>
        boxes(lines, side, ((k % SHIFTS) / SHIFTS) * side, (Math.floor(k / SHIFTS) / SHIFTS) * side),
      ),
    ),
  );
  const [x, y] = [sides.map(Math.log), counts.map(Math.log)];
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const square = x.reduce((s, v) => s + (v - mx) ** 2, 0);
  const slope = x.reduce((s, v, k) => s + (v - mx) * (y[k]! - my), 0) / square;
  const left = y.reduce((s, v, k) => s + (v - my - slope * (x[k]! - mx)) ** 2, 0);
  return {
    dimension: -slope,
    residual: Math.sqrt(left / x.length),
    error: Math.sqrt(left / (x.length - 2) / square),
    sides,
    counts,
  };
}
