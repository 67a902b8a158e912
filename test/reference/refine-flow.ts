/** The refinement of assembly/flow/refine.ts on one level, slow and obvious, in double precision. */
import { clamp, type ReferenceImage } from './image.ts';

export interface RefineParams {
  rounds: number;
  sweeps: number;
  omega: number;
  smoothness: number;
  robust: number;
  flat: number;
  edge: number;
}

type Sampler = (x: number, y: number) => number;

export function refineLevel(
  previous: ReferenceImage,
  next: ReferenceImage,
  u: Float64Array,
  v: Float64Array,
  { rounds, sweeps, omega, smoothness, robust, flat, edge }: RefineParams,
): void {
  const { width, height } = previous;
  const each = (value: (i: number, x: number, y: number) => number) =>
    Float64Array.from({ length: width * height }, (_, i) => value(i, i % width, Math.floor(i / width)));
  const at =
    (data: ArrayLike<number>): Sampler =>
    (x, y) =>
      data[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)]!;
  const bilinear = (s: Sampler, x: number, y: number) => {
    const [ix, iy] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [x - ix, y - iy];
    return (
      (s(ix, iy) * (1 - fx) + s(ix + 1, iy) * fx) * (1 - fy) + (s(ix, iy + 1) * (1 - fx) + s(ix + 1, iy + 1) * fx) * fy
    );
  };
  const gray = at(previous.data);
  for (let round = 0; round < rounds; round++) {
    const moved = each((i, x, y) =>
      bilinear(at(next.data), clamp(x + u[i]!, 0, width - 1), clamp(y + v[i]!, 0, height - 1)),
    );
    const inside = (i: number, x: number, y: number) =>
      x + u[i]! >= 0 && x + u[i]! <= width - 1 && y + v[i]! >= 0 && y + v[i]! <= height - 1;
    const mean = at(each((i) => (previous.data[i]! + moved[i]!) / 2));
    const [du, dv] = [at(u.slice()), at(v.slice())];
    const weight = (x: number, y: number, dx: number, dy: number) => {
      if (x < 0 || y < 0 || x + dx >= width || y + dy >= height) return 0;
      const steps =
        (du(x + 1, y) - du(x, y)) ** 2 +
        (du(x, y + 1) - du(x, y)) ** 2 +
        (dv(x + 1, y) - dv(x, y)) ** 2 +
        (dv(x, y + 1) - dv(x, y)) ** 2;
      return smoothness / Math.sqrt(steps + flat ** 2) / (1 + ((gray(x + dx, y + dy) - gray(x, y)) / edge) ** 2);
    };
    const gx = each((_, x, y) => (3 * (mean(x + 1, y - 1) + mean(x + 1, y + 1) - mean(x - 1, y - 1) - mean(x - 1, y + 1)) + 10 * (mean(x + 1, y) - mean(x - 1, y))) / 32); // prettier-ignore
    const gy = each((_, x, y) => (3 * (mean(x - 1, y + 1) + mean(x + 1, y + 1) - mean(x - 1, y - 1) - mean(x + 1, y - 1)) + 10 * (mean(x, y + 1) - mean(x, y - 1))) / 32); // prettier-ignore
    const difference = each((i) => previous.data[i]! - moved[i]!);
    const data = each((i, x, y) => (inside(i, x, y) ? 1 / Math.sqrt(difference[i]! ** 2 + robust ** 2) : 0));
    const r = each((i) => difference[i]! + gx[i]! * u[i]! + gy[i]! * v[i]!);
    const east = each((_, x, y) => weight(x, y, 1, 0));
    const west = each((_, x, y) => weight(x - 1, y, 1, 0));
    const south = each((_, x, y) => weight(x, y, 0, 1));
    const north = each((_, x, y) => weight(x, y - 1, 0, 1));
    for (let sweep = 0; sweep < 2 * sweeps; sweep++)
      for (let i = 0; i < u.length; i++) {
        const [x, y] = [i % width, Math.floor(i / width)];
        if (((x + y) & 1) !== (sweep & 1)) continue;
        const around = east[i]! + west[i]! + south[i]! + north[i]!;
        const xx = data[i]! * gx[i]! ** 2 + around;
        const xy = data[i]! * gx[i]! * gy[i]!;
        const yy = data[i]! * gy[i]! ** 2 + around;
        const sum = (s: Sampler) =>
          east[i]! * s(x + 1, y) + west[i]! * s(x - 1, y) + south[i]! * s(x, y + 1) + north[i]! * s(x, y - 1);
        const nu = sum(at(u)) + data[i]! * gx[i]! * r[i]!;
        const nv = sum(at(v)) + data[i]! * gy[i]! * r[i]!;
        const determinant = xx * yy - xy * xy;
        u[i]! += omega * ((yy * nu - xy * nv) / determinant - u[i]!);
        v[i]! += omega * ((xx * nv - xy * nu) / determinant - v[i]!);
      }
    for (const plane of [u, v]) {
      const s = at(plane.slice());
      plane.set(
        each((_, x, y) => {
          const window = Array.from({ length: 25 }, (_, k) => s(x + (k % 5) - 2, y + Math.floor(k / 5) - 2));
          return window.sort((a, b) => a - b)[12]!;
        }),
      );
    }
  }
}
