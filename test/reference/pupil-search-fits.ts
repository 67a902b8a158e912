/** Circle and ellipse fits in double precision, by the formulas of golden groups 15a and 15b. */
export type Point = readonly [x: number, y: number];
export interface Circle {
  x: number;
  y: number;
  r: number;
}
/** Semi-axes a >= b; angle of the a axis from +x towards +y in degrees, 0..180. */
export interface EllipseFit {
  x: number;
  y: number;
  a: number;
  b: number;
  angleDeg: number;
}

const mean = (values: readonly number[]) => values.reduce((s, v) => s + v, 0) / values.length;
type Matrix = number[][];

/** Eigenvalues and eigenvectors (columns) of a symmetric matrix by Jacobi's rotations. */
function symmetricEigen(matrix: Matrix): { values: number[]; vectors: Matrix } {
  const n = matrix.length;
  const a = matrix.map((row) => [...row]);
  const v: Matrix = a.map((_, i) => a.map((__, j) => Number(i === j)));
  for (let sweep = 0; sweep < 60; sweep++)
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        if (a[p]![q] === 0) continue;
        const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        const s = t * c;
        for (let k = 0; k < n; k++) {
          const [x, y] = [a[k]![p]!, a[k]![q]!];
          a[k]![p] = c * x - s * y;
          a[k]![q] = s * x + c * y;
        }
        for (let k = 0; k < n; k++) {
          const [x, y] = [a[p]![k]!, a[q]![k]!];
          a[p]![k] = c * x - s * y;
          a[q]![k] = s * x + c * y;
          const [u, w] = [v[k]![p]!, v[k]![q]!];
          v[k]![p] = c * u - s * w;
          v[k]![q] = s * u + c * w;
        }
      }
  return { values: a.map((row, i) => row[i]!), vectors: v };
}

/**
 * Taubin's circle: with z = |p - mean|^2 the smallest singular vector (A0, A1, A2) of the rows
 * ((z - mean z) / (2 sqrt(mean z)), x, y); null where the points lie on a line.
 */
export function taubin(points: readonly Point[]): Circle | null {
  const mx = mean(points.map(([x]) => x));
  const my = mean(points.map(([, y]) => y));
  const z = points.map(([x, y]) => (x - mx) ** 2 + (y - my) ** 2);
  const mz = mean(z);
  const rows = points.map(([x, y], i) => [(z[i]! - mz) / (2 * Math.sqrt(mz)), x - mx, y - my]);
  const product = [0, 1, 2].map((i) => [0, 1, 2].map((j) => mean(rows.map((r) => r[i]! * r[j]!))));
  const { values, vectors } = symmetricEigen(product);
  const least = values.indexOf(Math.min(...values));
  const a0 = vectors[0]![least]! / (2 * Math.sqrt(mz));
  const [a1, a2] = [vectors[1]![least]!, vectors[2]![least]!];
  if (Math.abs(a0) * Math.sqrt(mz) < 1e-9) return null;
  const a3 = -mz * a0;
  return {
    x: -a1 / (2 * a0) + mx,
    y: -a2 / (2 * a0) + my,
    r: Math.sqrt(a1 * a1 + a2 * a2 - 4 * a0 * a3) / (2 * Math.abs(a0)),
  };
}

const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0]!.map((_, j) => row.reduce((s, v, k) => s + v * b[k]![j]!, 0)));
const cross = (a: number[], b: number[]) => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];
const dot = (a: number[], b: number[]) => a.reduce((s, v, i) => s + v * b[i]!, 0);

function inverse([a, b, c]: Matrix): Matrix {
  const columns = [cross(b!, c!), cross(c!, a!), cross(a!, b!)];
  const det = dot(a!, columns[0]!);
  return [0, 1, 2].map((i) => columns.map((column) => column[i]! / det));
}

/** Direct least squares in the partitioned form of Halir and Flusser; null where no ellipse comes out. */
export function directEllipse(points: readonly Point[]): EllipseFit | null {
  const mx = mean(points.map(([x]) => x));
  const my = mean(points.map(([, y]) => y));
  const scale = Math.sqrt(mean(points.map(([x, y]) => (x - mx) ** 2 + (y - my) ** 2)) / 2);
  const p = points.map(([x, y]) => [(x - mx) / scale, (y - my) / scale] as const);
  const quadratic = p.map(([x, y]) => [x * x, x * y, y * y]);
  const linear = p.map(([x, y]) => [x, y, 1]);
  const scatter = (a: Matrix, b: Matrix) =>
    [0, 1, 2].map((i) => [0, 1, 2].map((j) => a.reduce((s, row, k) => s + row[i]! * b[k]![j]!, 0)));
  const s2 = scatter(quadratic, linear);
  const t = times(inverse(scatter(linear, linear)), scatter(linear, quadratic)).map((row) => row.map((v) => -v));
  const r = times(s2, t).map((row, i) => row.map((v, j) => v + scatter(quadratic, quadratic)[i]![j]!));
  const m = [r[2]!.map((v) => v / 2), r[1]!.map((v) => -v), r[0]!.map((v) => v / 2)].map((row) =>
    row.map((v) => v / points.length),
  );
  // Real roots of the characteristic cubic by bisection between the extrema.
  const trace = m[0]![0]! + m[1]![1]! + m[2]![2]!;
  const minors = cross(m[0]!, m[1]!)[2]! + cross(m[1]!, m[2]!)[0]! + m[0]![0]! * m[2]![2]! - m[0]![2]! * m[2]![0]!;
  const det = dot(m[0]!, cross(m[1]!, m[2]!));
  const f = (l: number) => ((l - trace) * l + minors) * l - det;
  const root = Math.sqrt(Math.max(0, trace * trace - 3 * minors));
  const bound = 1 + Math.abs(trace) + Math.abs(minors) + Math.abs(det);
  const ends = [-bound, (trace - root) / 3, (trace + root) / 3, bound];
  let best: number[] | null = null;
  let most = 0;
  for (let i = 0; i < 3; i++) {
    let [low, high] = [ends[i]!, ends[i + 1]!];
    for (let k = 0; k < 200; k++) {
      const half = (low + high) / 2;
      if (f(low) > 0 === f(half) > 0) low = half;
      else high = half;
    }
    const l = (low + high) / 2;
    const rows = m.map((row, k) => row.map((v, j) => (k === j ? v - l : v)));
    const candidates = [cross(rows[0]!, rows[1]!), cross(rows[0]!, rows[2]!), cross(rows[1]!, rows[2]!)];
    const vector = candidates.reduce((a, b) => (dot(b, b) > dot(a, a) ? b : a));
    const [a, b, c] = vector.map((v) => v / Math.sqrt(dot(vector, vector))) as [number, number, number];
    if (4 * a * c - b * b > most) {
      most = 4 * a * c - b * b;
      best = [a, b, c];
    }
  }
  if (!best) return null;
  const [a, b, c] = best as [number, number, number];
  const [d, e, g] = t.map((row) => dot(row, best)) as [number, number, number];
  const x = (b * e - 2 * c * d) / most;
  const y = (b * d - 2 * a * e) / most;
  const level = -(g + (d * x + e * y) / 2);
  const { values, vectors } = symmetricEigen([
    [a, b / 2],
    [b / 2, c],
  ]);
  const axes = values.map((v) => level / v);
  if (!axes.every((v) => v > 0)) return null;
  const major = axes[0]! > axes[1]! ? 0 : 1;
  const angle = (Math.atan2(vectors[1]![major]!, vectors[0]![major]!) * 180) / Math.PI;
  return {
    x: x * scale + mx,
    y: y * scale + my,
    a: Math.sqrt(axes[major]!) * scale,
    b: Math.sqrt(axes[1 - major]!) * scale,
    angleDeg: (angle + 360) % 180,
  };
}
