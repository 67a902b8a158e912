/**
 * Dense pyramidal Lucas-Kanade, slow and obvious: every window is summed sample by sample, in double precision. See
 * assembly/flow/dense.ts for the equation.
 */
import { levelsOf } from './pyramid.ts';
import { gradient } from './gradient.ts';
import { type Reference, clamp, make, type ReferenceImage, type ReferenceValue } from './image.ts';
import { refineConstants } from '../../src/flow/refine.ts';
import { refineLevel } from './refine-flow.ts';
import { trackAll } from './track-points.ts';

export type DenseParams = {
  window: number;
  levels: number;
  iterations: number;
  minEigenvalue: number;
};

export interface Field {
  width: number;
  height: number;
  u: Float64Array;
  v: Float64Array;
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

/** Means over the window, outside zero: sums across, then down. */
function means(width: number, height: number, window: number, values: Float64Array): Float64Array {
  const r = window >> 1;
  const across = values.map((_, i) => {
    const x = i % width;
    let sum = 0;
    for (let a = Math.max(0, x - r); a <= Math.min(width - 1, x + r); a++) sum += values[i - x + a]!;
    return sum;
  });
  return across.map((_, i) => {
    const y = Math.floor(i / width);
    let sum = 0;
    for (let b = Math.max(0, y - r); b <= Math.min(height - 1, y + r); b++) sum += across[b * width + (i % width)]!;
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

/** One level: what is derived of the previous frame, and what the flow makes of the next one. */
class Level {
  readonly gx: Float64Array;
  readonly gy: Float64Array;
  readonly xx: Float64Array;
  readonly xy: Float64Array;
  readonly yy: Float64Array;
  readonly eigenvalue: Float64Array;
  readonly image: ReferenceImage;
  readonly target: ReferenceImage;
  readonly params: DenseParams;

  constructor(image: ReferenceImage, target: ReferenceImage, params: DenseParams) {
    this.image = image;
    this.target = target;
    this.params = params;
    const [gx, gy] = gradient([image], { derivative: 'scharr' }).map(({ data }) =>
      Float64Array.from(data, (g) => g / 32),
    ) as [Float64Array, Float64Array];
    [this.gx, this.gy] = [gx, gy];
    const xx = (this.xx = this.mean((i) => gx[i]! * gx[i]!));
    const xy = (this.xy = this.mean((i) => gx[i]! * gy[i]!));
    const yy = (this.yy = this.mean((i) => gy[i]! * gy[i]!));
    this.eigenvalue = xx.map((a, i) => (a + yy[i]!) / 2 - Math.hypot((a - yy[i]!) / 2, xy[i]!));
  }

  mean(value: (i: number) => number): Float64Array {
    const { width, height } = this.image;
    const values = Float64Array.from({ length: width * height }, (_, i) => value(i));
    return means(width, height, this.params.window, values);
  }

  inside({ u, v }: Field, i: number): boolean {
    const { width, height } = this.image;
    const x = (i % width) + u[i]!;
    const y = Math.floor(i / width) + v[i]!;
    return x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1;
  }

  difference(flow: Field, i: number): number {
    const { width, data } = this.image;
    if (!this.inside(flow, i)) return 0;
    return data[i]! - sample(this.target, (i % width) + flow.u[i]!, Math.floor(i / width) + flow.v[i]!);
  }

  solvable(i: number): boolean {
    return this.eigenvalue[i]! > this.params.minEigenvalue * 1024;
  }

  /** Iterations, in place. */
  solve(flow: Field, iterations: number): void {
    const { gx, gy, xx, xy, yy } = this;
    const limit = Math.max(this.image.width, this.image.height);
    for (let k = 0; k < iterations; k++) {
      const r = xx.map((_, i) => this.difference(flow, i) + gx[i]! * flow.u[i]! + gy[i]! * flow.v[i]!);
      const bx = this.mean((i) => gx[i]! * r[i]!);
      const by = this.mean((i) => gy[i]! * r[i]!);
      for (let i = 0; i < xx.length; i++) {
        if (!this.solvable(i)) continue;
        const determinant = xx[i]! * yy[i]! - xy[i]! ** 2;
        flow.u[i] = clamp((yy[i]! * bx[i]! - xy[i]! * by[i]!) / determinant, -limit, limit);
        flow.v[i] = clamp((xx[i]! * by[i]! - xy[i]! * bx[i]!) / determinant, -limit, limit);
      }
    }
  }

  /** Validity and confidence. */
  judge(flow: Field, everywhere = false, found?: Float64Array): { valid: Float64Array; confidence: Float64Array } {
    const { eigenvalue } = this;
    const residual = this.mean((i) => this.difference(flow, i) ** 2);
    const valid = found ?? eigenvalue.map((_, i) => ((everywhere || this.solvable(i)) && this.inside(flow, i) ? 1 : 0));
    const confidence = valid.map((good, i) =>
      good && eigenvalue[i]! > 0 ? eigenvalue[i]! / (eigenvalue[i]! + residual[i]!) : 0,
    );
    return { valid, confidence };
  }
}

/** The coarser half of a flow. */
function halved({ width, u, v }: Field, to: ReferenceImage): Field {
  const half = (values: Float64Array) =>
    Float64Array.from(
      { length: to.width * to.height },
      (_, i) => values[2 * Math.floor(i / to.width) * width + 2 * (i % to.width)]! / 2,
    );
  return { width: to.width, height: to.height, u: half(u), v: half(v) };
}

/** Where the flow of windows of their own leads; which of them were found. */
function windows(previous: ReferenceImage, next: ReferenceImage, params: DenseParams) {
  const { width, height } = previous;
  const points = Float32Array.from({ length: 2 * width * height }, (_, i) =>
    i & 1 ? Math.floor((i >> 1) / width) : (i >> 1) % width,
  );
  const found = trackAll(previous, next, points, new Float32Array(0), { ...params, epsilon: 0.01 });
  const u = Float64Array.from(found, ({ x, status }, i) => (status ? x - points[2 * i]! : 0));
  const v = Float64Array.from(found, ({ y, status }, i) => (status ? y - points[2 * i + 1]! : 0));
  return { flow: { width, height, u, v }, found };
}

export interface Manner {
  windows?: boolean;
  refined?: boolean;
}

export function denseFlow(previous: ReferenceImage, next: ReferenceImage, params: DenseParams, manner: Manner = {}) {
  const from = levelsOf(previous, params);
  const to = levelsOf(next, params);
  const own = manner.windows ? windows(previous, next, params) : null;
  let flow: Field | null = own?.flow ?? null;
  if (!own)
    for (let n = from.length - 1; n >= 0; n--) {
      flow = expanded(flow, from[n]!.width, from[n]!.height);
      const between = n > 0 && n < from.length - 1;
      new Level(from[n]!, to[n]!, params).solve(flow, between ? Math.ceil(0.3 * params.iterations) : params.iterations);
    }
  if (manner.refined) {
    let refined: Field | null = null;
    for (let n = Math.min(2, from.length) - 1; n >= 0; n--) {
      const image = from[n]!;
      refined = refined ? expanded(refined, image.width, image.height) : n > 0 ? halved(flow!, image) : flow!;
      refineLevel(image, to[n]!, refined.u, refined.v, refineConstants);
    }
    flow = refined;
  }
  const level = new Level(previous, next, params);
  const found = own && !manner.refined ? Float64Array.from(own.found, ({ status }) => status) : undefined;
  const { valid, confidence } = level.judge(flow!, manner.refined, found);
  const { width, height, u, v } = flow!;
  return { width, height, u, v, valid, confidence, eigenvalue: level.eigenvalue };
}

/** How far from its start a pixel ends that follows the flow there and back. */
function wayBack({ width, height, u, v }: Field, back: Field): Float64Array {
  const at = (data: Float64Array, x: number, y: number) => sample({ width, height, data }, x, y);
  return u.map((du, i) => {
    const [x, y] = [(i % width) + du, Math.floor(i / width) + v[i]!];
    if (!(x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1)) return Infinity;
    return Math.hypot(du + at(back.u, x, y), v[i]! + at(back.v, x, y));
  });
}

/** The stages flow/dense, flow/windows and flow/refine. */
export const fieldStage =
  (mannerOf: (params: { variant?: string }) => Manner) =>
  (
    [previous, next]: readonly [ReferenceImage, ReferenceImage],
    params: DenseParams & { maxForwardBackward: number; variant?: string },
  ): ReferenceValue[] => {
    const manner = mannerOf(params);
    const there = denseFlow(previous, next, params, manner);
    const lists = (far: ArrayLike<number>) => [
      Float32Array.from(there.u),
      Float32Array.from(there.v),
      Uint8Array.from(there.valid),
      Float32Array.from(there.confidence),
      Float32Array.from(far),
    ];
    if (!(params.maxForwardBackward > 0)) return lists([]);
    const far = wayBack(there, denseFlow(next, previous, params, manner));
    far.forEach((d, i) => {
      if (!(d <= params.maxForwardBackward)) there.valid[i] = there.confidence[i] = 0;
    });
    return lists(far);
  };

/** The stage flow/maps. */
function flowMaps(
  inputs: readonly [ReferenceImage, ReferenceImage],
  params: Parameters<ReturnType<typeof fieldStage>>[1] & { refine: boolean; variant: string },
): ReferenceValue[] {
  const { width, height } = inputs[0];
  const lists = fieldStage(({ variant }) => ({ refined: params.refine, windows: variant === 'paper' }))(inputs, params);
  return lists.map((data, k) => {
    if (k === 4 && !(params.maxForwardBackward > 0)) return make(1, 1, 'f32', () => 0);
    return { width, height, format: k === 2 ? 'u8' : 'f32', data: data as Float32Array | Uint8Array };
  });
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'flow/maps': flowMaps as Reference,
  'flow/dense': fieldStage(() => ({})),
  'flow/windows': fieldStage(() => ({ windows: true })),
  'flow/refine': fieldStage(({ variant }) => ({ refined: true, windows: variant === 'paper' })),
};
