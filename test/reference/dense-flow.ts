/**
 * Dense pyramidal Lucas-Kanade, slow and obvious: every window is summed sample by sample, in double precision. See
 * assembly/flow/dense.ts for the equation.
 */
import { pyramidDown } from './pyramid.ts';
import { gradient } from './gradient.ts';
import { clamp, type ReferenceImage } from './image.ts';

export interface DenseParams {
  window: number;
  levels: number;
  iterations: number;
  minEigenvalue: number;
}

interface Field {
  width: number;
  height: number;
  u: Float64Array;
  v: Float64Array;
}

function levelsOf(frame: ReferenceImage, { window, levels }: DenseParams): ReferenceImage[] {
  const out = [frame];
  while (out.length <= levels) {
    const from = out[out.length - 1]!;
    if ((from.width + 1) >> 1 <= window || (from.height + 1) >> 1 <= window) break;
    out.push(pyramidDown([from], { border: 'reflect' })[0]!);
  }
  return out;
}

/** Bilinear, the place clamped to the samples. */
function sample(image: { width: number; height: number; data: ArrayLike<number> }, x: number, y: number): number {
  const px = clamp(x, 0, image.width - 1);
  const py = clamp(y, 0, image.height - 1);
  const ix = Math.floor(px);
  const iy = Math.floor(py);
  const at = (i: number, j: number) =>
    image.data[Math.min(j, image.height - 1) * image.width + Math.min(i, image.width - 1)]!;
  const top = at(ix, iy) * (1 - px + ix) + at(ix + 1, iy) * (px - ix);
  const low = at(ix, iy + 1) * (1 - px + ix) + at(ix + 1, iy + 1) * (px - ix);
  return top * (1 - py + iy) + low * (py - iy);
}

/** Means over the window, outside zero. */
function means(width: number, height: number, window: number, values: Float64Array): Float64Array {
  const r = window >> 1;
  return values.map((_, i) => {
    const x = i % width;
    const y = Math.floor(i / width);
    let sum = 0;
    for (let b = Math.max(0, y - r); b <= Math.min(height - 1, y + r); b++)
      for (let a = Math.max(0, x - r); a <= Math.min(width - 1, x + r); a++) sum += values[b * width + a]!;
    return sum / window ** 2;
  });
}

function expanded(coarse: Field | null, width: number, height: number): Field {
  const component = (name: 'u' | 'v') =>
    Float64Array.from({ length: width * height }, (_, i) =>
      coarse
        ? 2 *
          sample(
            { width: coarse.width, height: coarse.height, data: coarse[name] },
            (i % width) / 2,
            Math.floor(i / width) / 2,
          )
        : 0,
    );
  return { width, height, u: component('u'), v: component('v') };
}

export function denseFlow(previous: ReferenceImage, next: ReferenceImage, params: DenseParams) {
  const { window, iterations, minEigenvalue } = params;
  const from = levelsOf(previous, params);
  const to = levelsOf(next, params);
  let field: Field | null = null;
  for (let level = from.length - 1; ; level--) {
    const image = from[level]!;
    const target = to[level]!;
    const { width, height } = image;
    const flow: Field = (field = expanded(field, width, height));
    const [gx, gy] = gradient([image], { derivative: 'scharr' }).map(({ data }) =>
      Float64Array.from(data, (g) => g / 32),
    ) as [Float64Array, Float64Array];
    const mean = (value: (i: number) => number) =>
      means(
        width,
        height,
        window,
        Float64Array.from({ length: width * height }, (_, i) => value(i)),
      );
    const xx = mean((i) => gx[i]! * gx[i]!);
    const xy = mean((i) => gx[i]! * gy[i]!);
    const yy = mean((i) => gy[i]! * gy[i]!);
    const eigenvalue = xx.map((a, i) => (a + yy[i]!) / 2 - Math.hypot((a - yy[i]!) / 2, xy[i]!));
    const inside = (i: number) => {
      const x = (i % width) + flow.u[i]!;
      const y = Math.floor(i / width) + flow.v[i]!;
      return x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1;
    };
    const difference = (i: number) =>
      inside(i) ? image.data[i]! - sample(target, (i % width) + flow.u[i]!, Math.floor(i / width) + flow.v[i]!) : 0;
    const solvable = (i: number) => eigenvalue[i]! > minEigenvalue * 1024;
    const limit = Math.max(width, height);
    for (let k = 0; k < iterations; k++) {
      const r = xx.map((_, i) => difference(i) + gx[i]! * flow.u[i]! + gy[i]! * flow.v[i]!);
      const bx = mean((i) => gx[i]! * r[i]!);
      const by = mean((i) => gy[i]! * r[i]!);
      for (let i = 0; i < xx.length; i++) {
        if (!solvable(i)) continue;
        const determinant = xx[i]! * yy[i]! - xy[i]! ** 2;
        flow.u[i] = clamp((yy[i]! * bx[i]! - xy[i]! * by[i]!) / determinant, -limit, limit);
        flow.v[i] = clamp((xx[i]! * by[i]! - xy[i]! * bx[i]!) / determinant, -limit, limit);
      }
    }
    if (level > 0) continue;
    const residual = mean((i) => difference(i) ** 2);
    const valid = xx.map((_, i) => (solvable(i) && inside(i) ? 1 : 0));
    const confidence = valid.map((good, i) => (good ? eigenvalue[i]! / (eigenvalue[i]! + residual[i]!) : 0));
    return { width, height, u: flow.u, v: flow.v, valid, confidence, eigenvalue };
  }
}
