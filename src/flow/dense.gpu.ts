/**
 * Dense pyramidal Lucas-Kanade on the GPU: the passes of glsl/flow. A level computes its derivatives and the inverse of
 * its structure tensor once. An iteration has three passes: the contribution of each pixel, then the sums across, then
 * the sums down with the solution. Two neighbors share a texel (u, v, u, v). This halves the fetches of the sums down
 * and more than halves those of the sums across.
 */
import gradientsFragment from '../../glsl/flow/dense-gradients.frag';
import judgeFragment from '../../glsl/flow/dense-judge.frag';
import mapsFragment from '../../glsl/flow/dense-maps.frag';
import mismatchFragment from '../../glsl/flow/dense-mismatch.frag';
import returnFragment from '../../glsl/flow/dense-forward-backward.frag';
import rowsFragment from '../../glsl/flow/dense-rows.frag';
import solveFragment from '../../glsl/flow/dense-solve.frag';
import tensorRowsFragment from '../../glsl/flow/dense-tensor-rows.frag';
import tensorFragment from '../../glsl/flow/dense-tensor.frag';
import type { Texture } from '../runtime/gpu/gpu-backend.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { EIGENVALUE_UNIT, type Manner } from './dense.ts';
import { expandFlow, PATIENT, type Field, windowsFlowGpu } from './windows.gpu.ts';
import { iterationsOn, type FieldValues } from './parameters.ts';
import { refineGpu } from './refine.gpu.ts';

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
const judge = definePass({
  name: 'flow/judge',
  fragment: judgeFragment,
  textures: ['rows', 'inverse', 'flow'],
  uniforms: { reach: 'int', everywhere: 'int' },
  outputs: ['judged'],
});
const judgeWindows = definePass({
  name: 'flow/judge-windows',
  fragment: judgeFragment,
  textures: ['rows', 'inverse', 'flow', 'found'],
  uniforms: { reach: 'int' },
  outputs: ['judged'],
  defines: { FOUND: 1 },
});
const mapsOf = { name: 'flow/maps', fragment: mapsFragment, outputs: ['u', 'v', 'valid', 'confidence'] } as const;
const maps = definePass({ ...mapsOf, textures: ['judged'], uniforms: {} });
const checkedMaps = definePass({
  ...{ ...mapsOf, name: 'flow/maps checked', defines: { CHECKED: 1 } },
  textures: ['judged', 'far'],
  uniforms: { most: 'float' },
});
const returned = definePass({
  name: 'flow/return',
  fragment: returnFragment,
  textures: ['there', 'back'],
  uniforms: {},
  outputs: ['far'],
});

/** Share of the work before a refinement. */
const FIRST = 0.4;

/**
 * Computes u, v, confidence and validity in one texel, from one pyramid to another. The texture belongs to the scope.
 */
export function* denseFlowGpu(
  scope: Scope,
  previous: readonly Plane[],
  next: readonly Plane[],
  params: FieldValues,
  { windows = false, refined = false }: Manner,
  progress: (done: number) => void,
): Plan<Texture<'rgba32f'>> {
  const report = (done: number) => progress(refined ? FIRST * done : done);
  return yield* scope.part(function* (inner) {
    const own = windows ? yield* windowsFlowGpu(inner, previous, next, params, report) : null;
    const level = tensorOf(inner, previous[0]!, params);
    let field: Field = own ?? (yield* shared(inner, level, previous, next, params, report));
    if (refined) {
      inner.free(level.gradient);
      field = yield* refineGpu(inner, previous, next, field, (done) => progress(FIRST + (1 - FIRST) * done));
    }
    const end = { refined, found: refined ? undefined : own?.found };
    return judged(inner, scope, previous[0]!, next[0]!, field, level, params, end);
  });
}

/** Computes the flow level by level with windows that share their sums. `finest` is the tensor of the last level. */
function* shared(
  scope: Scope,
  finest: Tensor,
  previous: readonly Plane[],
  next: readonly Plane[],
  params: FieldValues,
  progress: (done: number) => void,
): Plan<Field> {
  let field: Field | null = null;
  for (let n = previous.length - 1; ; n--) {
    const [from, to] = [previous[n]!, next[n]!];
    const times = iterationsOn(n, previous.length, params);
    const report = (i: number) => progress((previous.length - 1 - n + i / times) / previous.length);
    let start: Texture<'rgba32f'>;
    if (field) {
      start = expandFlow(scope, field, from);
      scope.free(field.flow);
    } else {
      start = scope.texture((from.width + 1) >> 1, from.height, 'rgba32f');
      scope.gpu.clear([start]);
    }
    const flow = yield* scope.part((inner) =>
      oneLevel(inner, scope, from, to, start, n === 0 ? finest : tensorOf(inner, from, params), params, times, report),
    );
    field = { flow, width: from.width };
    if (n === 0) return field;
  }
}

/**
 * Derivatives of a frame, two neighbors per texel, and the inverse of the mean structure tensor with its eigenvalue.
 */
interface Tensor {
  readonly gradient: Texture<'rgba16i'>;
  readonly inverse: Texture<'rgba32f'>;
}

function tensorOf(scope: Scope, from: Plane, { window, minEigenvalue }: FieldValues): Tensor {
  const { width, height } = from;
  const reach = window >> 1;
  const gradient = scope.texture((width + 1) >> 1, height, 'rgba16i');
  const inverse = scope.texture(width, height, 'rgba32f');
  scope.draw(gradients, { targets: [gradient], textures: { source: from }, uniforms: {} });
  scope.within((inner) => {
    const across = inner.texture(width, height, 'rgba32f');
    inner.draw(tensorRows, { targets: [across], textures: { gradient }, uniforms: { width, reach } });
    const least = minEigenvalue * EIGENVALUE_UNIT;
    inner.draw(tensor, { targets: [inverse], textures: { rows: across }, uniforms: { reach, least } });
  });
  return { gradient, inverse };
}

/**
 * Runs the iterations of a level. They start from a flow that belongs to `outer` and is freed. The result belongs to
 * `outer`.
 */
function* oneLevel(
  scope: Scope,
  outer: Scope,
  from: Plane,
  to: Plane,
  start: Texture<'rgba32f'>,
  { gradient, inverse }: Tensor,
  { window }: FieldValues,
  iterations: number,
  report: (iteration: number) => void,
): Plan<Texture<'rgba32f'>> {
  const reach = window >> 1;
  const { width, height } = from;
  const half = (width + 1) >> 1;
  let [now, then] = [start, outer.texture(half, height, 'rgba32f')];
  const products = scope.texture(half, height, 'rgba32f');
  const sums = scope.texture(half, height, 'rgba32f');
  const limit = Math.max(width, height);
  for (let i = 0; i < iterations; i++) {
    const mismatched = { previous: from, next: to, gradient, flow: now };
    scope.draw(mismatch, { targets: [products], textures: mismatched, uniforms: {} });
    scope.draw(rows, { targets: [sums], textures: { source: products }, uniforms: { reach } });
    const solving = { rows: sums, inverse, flow: now };
    scope.draw(solve, { targets: [then], textures: solving, uniforms: { reach, limit } });
    [now, then] = [then, now];
    if (width * height > PATIENT) yield* scope.wait(scope.gpu.fence());
    report(i + 1);
    yield* scope.turn();
  }
  outer.free(then);
  return now;
}

/**
 * Adds confidence and validity to a flow, as a texture of `outer`. With `found` (separate windows), found pixels are
 * valid.
 */
function judged(
  scope: Scope,
  outer: Scope,
  from: Plane,
  to: Plane,
  { flow, width }: Field,
  { inverse }: Tensor,
  { window }: FieldValues,
  { refined, found }: { readonly refined: boolean; readonly found?: Texture | undefined },
): Texture<'rgba32f'> {
  const reach = window >> 1;
  const { height } = from;
  const [products, sums] = [0, 1].map(() => scope.texture(flow.width, height, 'rgba32f')) as [Texture, Texture];
  scope.draw(residual, { targets: [products], textures: { previous: from, next: to, flow }, uniforms: {} });
  scope.draw(rows, { targets: [sums], textures: { source: products }, uniforms: { reach } });
  const out = outer.texture(width, height, 'rgba32f');
  const textures = { rows: sums, inverse, flow };
  if (found) scope.draw(judgeWindows, { targets: [out], textures: { ...textures, found }, uniforms: { reach } });
  else scope.draw(judge, { targets: [out], textures, uniforms: { reach, everywhere: refined ? 1 : 0 } });
  return out;
}

/**
 * Splits a flow into planes of u, v, validity and confidence. With `far`, pixels that end farther than `most` from
 * their start are not valid.
 */
export function flowMapsGpu(
  scope: Scope,
  judged: Texture<'rgba32f'>,
  far: Plane | null,
  most: number,
): [Plane, Plane, Plane, Plane] {
  const map = (format: 'f32' | 'u8') => scope.gpuPlane(judged.width, judged.height, format);
  const targets: [Plane, Plane, Plane, Plane] = [map('f32'), map('f32'), map('u8'), map('f32')];
  if (far) scope.draw(checkedMaps, { targets, textures: { judged, far }, uniforms: { most } });
  else scope.draw(maps, { targets, textures: { judged }, uniforms: {} });
  return targets;
}

/** Computes how far from its start each pixel ends. */
export function returnDistance(scope: Scope, there: Texture<'rgba32f'>, back: Texture<'rgba32f'>): Plane {
  const out = scope.gpuPlane(there.width, there.height, 'f32');
  scope.draw(returned, { targets: [out], textures: { there, back }, uniforms: {} });
  return out;
}
