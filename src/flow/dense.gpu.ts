/**
 * Dense pyramidal Lucas-Kanade on the GPU: the passes of glsl/flow. A level needs its derivatives and the inverse of
 * its structure tensor once; an iteration is three passes: what each pixel adds, sums across, sums down and solution.
 * Two neighbours share a texel (u, v, u, v), which halves the fetches of the sums down and more than halves those across.
 */
import expandFragment from '../../glsl/flow/dense-expand.frag';
import gradientsFragment from '../../glsl/flow/dense-gradients.frag';
import judgeFragment from '../../glsl/flow/dense-judge.frag';
import mismatchFragment from '../../glsl/flow/dense-mismatch.frag';
import returnFragment from '../../glsl/flow/dense-forward-backward.frag';
import rowsFragment from '../../glsl/flow/dense-rows.frag';
import solveFragment from '../../glsl/flow/dense-solve.frag';
import tensorRowsFragment from '../../glsl/flow/dense-tensor-rows.frag';
import tensorFragment from '../../glsl/flow/dense-tensor.frag';
import { pyramidDownGpu } from '../image/pyramid-down.gpu.ts';
import type { GpuSide, Texture } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import { EIGENVALUE_UNIT } from './dense.ts';
import type { DenseValues } from './parameters.ts';
import type { Pace } from './pieces.ts';

const gradients = definePass({
  name: 'flow/gradients',
  fragment: gradientsFragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['gradient'],
});
const tensorRows = definePass({
  name: 'flow/tensor-rows',
  fragment: tensorRowsFragment,
  textures: ['gradient'],
  uniforms: { width: 'int', reach: 'int' },
  outputs: ['sums'],
});
const tensor = definePass({
  name: 'flow/tensor',
  fragment: tensorFragment,
  textures: ['rows'],
  uniforms: { reach: 'int', least: 'float' },
  outputs: ['inverse'],
});
const mismatch = definePass({
  name: 'flow/mismatch',
  fragment: mismatchFragment,
  textures: ['previous', 'next', 'gradient', 'flow'],
  uniforms: {},
  outputs: ['products'],
});
const residual = definePass({
  name: 'flow/residual',
  fragment: mismatchFragment,
  textures: ['previous', 'next', 'flow'],
  uniforms: {},
  outputs: ['products'],
  defines: { RESIDUAL: 1 },
});
const rows = definePass({
  name: 'flow/rows',
  fragment: rowsFragment,
  textures: ['source'],
  uniforms: { reach: 'int' },
  outputs: ['sums'],
});
const solve = definePass({
  name: 'flow/solve',
  fragment: solveFragment,
  textures: ['rows', 'inverse', 'flow'],
  uniforms: { reach: 'int', limit: 'float' },
  outputs: ['solved'],
});
const expand = definePass({
  name: 'flow/expand',
  fragment: expandFragment,
  textures: ['coarse'],
  uniforms: { width: 'int' },
  outputs: ['flow'],
});
const judge = definePass({
  name: 'flow/judge',
  fragment: judgeFragment,
  textures: ['rows', 'inverse', 'flow'],
  uniforms: { reach: 'int' },
  outputs: ['judged'],
});
const returned = definePass({
  name: 'flow/return',
  fragment: returnFragment,
  textures: ['there', 'back'],
  uniforms: {},
  outputs: ['far'],
});

export const flowPasses = [
  gradients,
  tensorRows,
  tensor,
  mismatch,
  residual,
  rows,
  solve,
  expand,
  judge,
  returned,
] as const;

/** Larger levels wait for their iterations, so that a cancel does not meet seconds of enqueued work. */
const PATIENT = 1 << 20;

/** Frame and halvings as textures; what was made is handed to `own`, which disposes of it. */
export function gpuPyramid(
  side: GpuSide,
  frame: Plane,
  { window, levels }: DenseValues,
  own: (plane: Plane) => Plane,
): Plane[] {
  const planes = [frame];
  for (let plane = frame; planes.length <= levels;) {
    if ((plane.width + 1) >> 1 <= window || (plane.height + 1) >> 1 <= window) break;
    planes.push((plane = own(pyramidDownGpu(side.unscoped, plane, 'reflect'))));
  }
  return planes;
}

/** u, v, confidence and validity in one texel, from one pyramid to another; the caller releases the texture. */
export async function denseFlowGpu(
  side: GpuSide,
  previous: readonly Plane[],
  next: readonly Plane[],
  { window, iterations, minEigenvalue }: DenseValues,
  pace: Pace,
): Promise<Texture<'rgba32f'>> {
  const reach = window >> 1;
  const lent = new Set<Texture>();
  const lend = <F extends Texture['format']>(width: number, height: number, format: F): Texture<F> => {
    const texture = side.allocate(width, height, format);
    lent.add(texture);
    return texture;
  };
  const release = (texture: Texture) => {
    if (lent.delete(texture)) side.release(texture);
  };
  try {
    let flow: Texture<'rgba32f'> | null = null;
    for (let level = previous.length - 1; ; level--) {
      const from = previous[level]!;
      const to = next[level]!;
      const { width, height } = from;
      const half = (width + 1) >> 1;
      const gradient = lend(half, height, 'rgba16i');
      const inverse = lend(width, height, 'rgba32f');
      const across = lend(width, height, 'rgba32f');
      side.draw(gradients, { targets: [gradient], textures: { source: from }, uniforms: {} });
      side.draw(tensorRows, { targets: [across], textures: { gradient }, uniforms: { width, reach } });
      const least = minEigenvalue * EIGENVALUE_UNIT;
      side.draw(tensor, { targets: [inverse], textures: { rows: across }, uniforms: { reach, least } });
      release(across);

      let now = lend(half, height, 'rgba32f');
      let then = lend(half, height, 'rgba32f');
      const products = lend(half, height, 'rgba32f');
      const sums = lend(half, height, 'rgba32f');
      if (flow) {
        side.draw(expand, {
          targets: [now],
          textures: { coarse: flow },
          uniforms: { width: previous[level + 1]!.width },
        });
        release(flow);
      } else side.clear([now]);
      const limit = Math.max(width, height);
      for (let i = 0; i < iterations; i++) {
        const mismatched = { previous: from, next: to, gradient, flow: now };
        side.draw(mismatch, { targets: [products], textures: mismatched, uniforms: {} });
        side.draw(rows, { targets: [sums], textures: { source: products }, uniforms: { reach } });
        const solving = { rows: sums, inverse, flow: now };
        side.draw(solve, { targets: [then], textures: solving, uniforms: { reach, limit } });
        [now, then] = [then, now];
        if (width * height > PATIENT) await side.fence();
        pace.progress((previous.length - 1 - level + (i + 1) / iterations) / previous.length);
        await pace.slice();
      }
      release(then);
      if (level > 0) {
        for (const texture of [gradient, inverse, products, sums]) release(texture);
        flow = now;
        continue;
      }
      side.draw(residual, { targets: [products], textures: { previous: from, next: to, flow: now }, uniforms: {} });
      side.draw(rows, { targets: [sums], textures: { source: products }, uniforms: { reach } });
      const judged = lend(width, height, 'rgba32f');
      side.draw(judge, { targets: [judged], textures: { rows: sums, inverse, flow: now }, uniforms: { reach } });
      lent.delete(judged);
      return judged;
    }
  } finally {
    for (const texture of lent) side.release(texture);
  }
}

/** How far from its start each pixel ends; the caller disposes of the plane. */
export function returnDistance(side: GpuSide, there: Texture<'rgba32f'>, back: Texture<'rgba32f'>): Plane {
  return side.scope((_, plane) => {
    const out = plane(there.width, there.height, 'f32');
    side.draw(returned, { targets: [out], textures: { there, back }, uniforms: {} });
    return out;
  });
}
