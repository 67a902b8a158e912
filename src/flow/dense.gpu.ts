/**
 * Dense pyramidal Lucas-Kanade on the GPU: the passes of glsl/flow. A level needs its derivatives and the inverse of
 * its structure tensor once; an iteration is three passes: what each pixel adds, sums across, sums down and solution.
 * Two neighbors share a texel (u, v, u, v), which halves the fetches of the sums down and more than halves those across.
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
import type { Texture } from '../runtime/gpu/gpu-side.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { EIGENVALUE_UNIT } from './dense.ts';
import type { FieldValues } from './parameters.ts';

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

/** Larger levels wait for their iterations, so that a cancel does not meet seconds of enqueued work. */
const PATIENT = 1 << 20;

/** Frame and halvings as textures, of the scope. */
export function gpuPyramid(scope: Scope, frame: Plane, { window, levels }: FieldValues): Plane[] {
  const planes = [frame];
  for (let plane = frame; planes.length <= levels;) {
    if ((plane.width + 1) >> 1 <= window || (plane.height + 1) >> 1 <= window) break;
    planes.push((plane = pyramidDownGpu(scope, plane, 'reflect')));
  }
  return planes;
}

/** u, v, confidence and validity in one texel, from one pyramid to another; the texture is the scope's. */
export function* denseFlowGpu(
  scope: Scope,
  previous: readonly Plane[],
  next: readonly Plane[],
  params: FieldValues,
  progress: (done: number) => void,
): Plan<Texture<'rgba32f'>> {
  const { iterations } = params;
  let flow: Texture<'rgba32f'> | null = null;
  for (let n = previous.length - 1; ; n--) {
    const coarse: Coarse | null = flow && { flow, width: previous[n + 1]!.width };
    const told = (i: number) => progress((previous.length - 1 - n + i / iterations) / previous.length);
    flow = yield* scope.part((inner) => oneLevel(inner, scope, previous[n]!, next[n]!, coarse, params, n === 0, told));
    if (coarse) scope.free(coarse.flow);
    if (n === 0) return flow;
  }
}

interface Coarse {
  readonly flow: Texture<'rgba32f'>;
  /** Pixels of a row; a texel has two. */
  readonly width: number;
}

/** The flow of a level, or of the finest one the judged flow, as a texture of `outer`. */
function* oneLevel(
  scope: Scope,
  outer: Scope,
  from: Plane,
  to: Plane,
  coarse: Coarse | null,
  { window, iterations, minEigenvalue }: FieldValues,
  finest: boolean,
  told: (iteration: number) => void,
): Plan<Texture<'rgba32f'>> {
  const reach = window >> 1;
  const { width, height } = from;
  const half = (width + 1) >> 1;
  const gradient = scope.texture(half, height, 'rgba16i');
  const inverse = scope.texture(width, height, 'rgba32f');
  const across = scope.texture(width, height, 'rgba32f');
  scope.draw(gradients, { targets: [gradient], textures: { source: from }, uniforms: {} });
  scope.draw(tensorRows, { targets: [across], textures: { gradient }, uniforms: { width, reach } });
  const least = minEigenvalue * EIGENVALUE_UNIT;
  scope.draw(tensor, { targets: [inverse], textures: { rows: across }, uniforms: { reach, least } });
  scope.free(across);

  // Which of the two is the last one depends on the number of iterations.
  const flows = [0, 1].map((i) => (i === (iterations & 1) && !finest ? outer : scope).texture(half, height, 'rgba32f'));
  let [now, then] = flows as [Texture<'rgba32f'>, Texture<'rgba32f'>];
  const products = scope.texture(half, height, 'rgba32f');
  const sums = scope.texture(half, height, 'rgba32f');
  if (coarse) {
    const uniforms = { width: coarse.width };
    scope.draw(expand, { targets: [now], textures: { coarse: coarse.flow }, uniforms });
  } else scope.gpu.clear([now]);
  const limit = Math.max(width, height);
  for (let i = 0; i < iterations; i++) {
    const mismatched = { previous: from, next: to, gradient, flow: now };
    scope.draw(mismatch, { targets: [products], textures: mismatched, uniforms: {} });
    scope.draw(rows, { targets: [sums], textures: { source: products }, uniforms: { reach } });
    const solving = { rows: sums, inverse, flow: now };
    scope.draw(solve, { targets: [then], textures: solving, uniforms: { reach, limit } });
    [now, then] = [then, now];
    if (width * height > PATIENT) yield* scope.wait(scope.gpu.fence());
    told(i + 1);
    yield* scope.turn();
  }
  if (!finest) return now;
  scope.draw(residual, { targets: [products], textures: { previous: from, next: to, flow: now }, uniforms: {} });
  scope.draw(rows, { targets: [sums], textures: { source: products }, uniforms: { reach } });
  const judged = outer.texture(width, height, 'rgba32f');
  scope.draw(judge, { targets: [judged], textures: { rows: sums, inverse, flow: now }, uniforms: { reach } });
  return judged;
}

/** How far from its start each pixel ends. */
export function returnDistance(scope: Scope, there: Texture<'rgba32f'>, back: Texture<'rgba32f'>): Plane {
  const out = scope.gpuPlane(there.width, there.height, 'f32');
  scope.draw(returned, { targets: [out], textures: { there, back }, uniforms: {} });
  return out;
}
