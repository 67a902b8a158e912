/**
 * The refinement of refine.ts on the GPU: the same rounds from the second finest level down. Samples of one color of
 * the chessboard do not touch each other, so a sweep over one color needs no order. It goes from one texture to
 * another, two neighbors per texel (u, v, u, v), and one of the two changes. Sums are 32-bit floats, like in the WASM
 * backend, but in another order.
 *
 * Cost for n pixels per level: 5 rounds of 24 passes. A round fetches 6, 6 and 13 times per pixel for the
 * linearization. It fetches 6 times per pair of pixels in each of 20 sweeps, and 30 times per pair in the median. That
 * is 100 fetches per pixel and round, 500 per level, and a quarter of that one level up. Textures: 72 n bytes. Nothing
 * is read back.
 */
import halveFragment from '../../glsl/flow/refine-halve.frag';
import medianFragment from '../../glsl/flow/refine-median.frag';
import sweepFragment from '../../glsl/flow/refine-sweep.frag';
import systemFragment from '../../glsl/flow/refine-system.frag';
import warpFragment from '../../glsl/flow/refine-warp.frag';
import weightsFragment from '../../glsl/flow/refine-weights.frag';
import type { Texture } from '../runtime/gpu/gpu-backend.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { expandFlow, PATIENT, type Field } from './windows.gpu.ts';
import { refineConstants, REFINED_LEVELS } from './refine.ts';

const halvePass = definePass({
  name: 'flow/refine-halve',
  fragment: halveFragment,
  textures: ['fine'],
  uniforms: {},
  outputs: ['flow'],
});
const warpPass = definePass({
  name: 'flow/refine-warp',
  fragment: warpFragment,
  textures: ['previous', 'next', 'flow'],
  uniforms: {},
  outputs: ['warped'],
});
const weightsPass = definePass({
  name: 'flow/refine-weights',
  fragment: weightsFragment,
  textures: ['previous', 'flow'],
  uniforms: { smoothness: 'float', even: 'float', edge: 'float' },
  outputs: ['weights'],
});
const systemPass = definePass({
  name: 'flow/refine-system',
  fragment: systemFragment,
  textures: ['warped', 'weights', 'flow'],
  uniforms: { robust: 'float' },
  outputs: ['around', 'data'],
});
const sweepPass = definePass({
  name: 'flow/refine-sweep',
  fragment: sweepFragment,
  textures: ['flow', 'around', 'data'],
  uniforms: { width: 'int', color: 'int', omega: 'float' },
  outputs: ['relaxed'],
});
const medianPass = definePass({
  name: 'flow/refine-median',
  fragment: medianFragment,
  textures: ['flow'],
  uniforms: { width: 'int' },
  outputs: ['middle'],
});

/** Returns the refined flow, which belongs to the scope, and frees `given`. `report` receives the finished share. */
export function* refineGpu(
  scope: Scope,
  previous: readonly Plane[],
  next: readonly Plane[],
  given: Field,
  report: (done: number) => void,
): Plan<Field> {
  let flow: Field | null = null;
  const levels = Math.min(REFINED_LEVELS, previous.length);
  for (let n = levels - 1; ; n--) {
    const [from, to] = [previous[n]!, next[n]!];
    const { width, height } = from;
    // Start from the coarser refined level if it exists. Otherwise start from the given flow.
    let start = given;
    if (flow) {
      start = { flow: expandFlow(scope, flow, from), width };
      scope.free(flow.flow);
    } else if (n > 0) {
      start = { flow: scope.texture((width + 1) >> 1, height, 'rgba32f'), width };
      scope.draw(halvePass, { targets: [start.flow], textures: { fine: given.flow }, uniforms: {} });
    }
    if (n === 0 && start !== given) scope.free(given.flow);
    const share =
      n === 0 ? (done: number) => report(levels > 1 ? 0.2 + 0.8 * done : done) : (done: number) => report(0.2 * done);
    flow = { flow: yield* scope.part((inner) => refineLevel(inner, scope, from, to, start, share)), width };
    if (n === 0) return flow;
  }
}

/**
 * Runs the rounds of one level. They overwrite and free the flow that they start from. The new flow belongs to `outer`.
 */
function* refineLevel(
  scope: Scope,
  outer: Scope,
  previous: Plane,
  next: Plane,
  start: Field,
  report: (done: number) => void,
): Plan<Texture<'rgba32f'>> {
  const { width, height } = previous;
  const { rounds, sweeps, omega, smoothness, flat, edge, robust } = refineConstants;
  const warped = scope.texture(width, height, 'rg32f');
  const weights = scope.texture(width, height, 'rg32f');
  const [around, data] = [0, 1].map(() => scope.texture(width, height, 'rgba32f')) as [Texture, Texture];
  let flow = start.flow;
  let other = outer.texture((width + 1) >> 1, height, 'rgba32f');
  const into = <D extends { targets: Texture[] }>(draw: D): D => {
    [flow, other] = [other, flow];
    return draw;
  };
  for (let round = 0; round < rounds; round++) {
    scope.draw(warpPass, { targets: [warped], textures: { previous, next, flow }, uniforms: {} });
    scope.draw(weightsPass, {
      targets: [weights],
      textures: { previous, flow },
      uniforms: { smoothness, even: flat, edge },
    });
    scope.draw(systemPass, { targets: [around, data], textures: { warped, weights, flow }, uniforms: { robust } });
    for (let i = 0; i < 2 * sweeps; i++) {
      const textures = { flow, around, data };
      scope.draw(sweepPass, into({ targets: [other], textures, uniforms: { width, color: i & 1, omega } }));
    }
    scope.draw(medianPass, into({ targets: [other], textures: { flow }, uniforms: { width } }));
    if (width * height > PATIENT) yield* scope.wait(scope.gpu.fence());
    report((round + 1) / rounds);
    yield* scope.turn();
  }
  outer.free(other);
  return flow;
}
