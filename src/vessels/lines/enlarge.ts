/**
 * Response of one scale, computed in a plane reduced by `halvings` pyramid levels. It is enlarged to the size of the
 * working plane and multiplied by its weight. Interpolation between block centers is linear. The stage computes only
 * the first pixels, as many as the reduced plane has.
 */
import enlargeFragment from '../../../glsl/vessels/lines/enlarge.frag';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { definePass } from '../../runtime/gpu/pass.ts';
import { number } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import { packedOf } from './packed.gpu.ts';

/** Maximum number of pyramid levels. */
export const HALVINGS = 3;

export const lineEnlargeParameters = {
  halvings: number({ default: 0, min: 0, max: HALVINGS, integer: true, effect: 'Pyramid levels of the plane.' }),
  weight: number({ default: 1 / 256, min: 0, max: 1 / 64, effect: 'Factor of the values.' }),
} as const;

export const lineEnlargePass = definePass({
  name: 'vessels/line-enlarge',
  fragment: enlargeFragment,
  textures: ['source'],
  uniforms: { width: 'int', halvings: 'int', weight: 'float' },
  outputs: ['response'],
});

/** Adds the response to `target` under the mask, or overwrites it there. */
export function* accumulate(
  scope: Scope,
  source: Plane,
  { halvings, weight }: { halvings: number; weight: number },
  mask: Plane,
  target: Plane,
  fresh: boolean,
): Plan<void> {
  const { width: columns, height: rows } = source;
  const { width, height } = target;
  yield* scope.kernels.accumulateLines(
    { source, columns, rows, block: 2 ** halvings, mask, target, width, weight, fresh },
    { rows: height },
  );
}

export const lineEnlarge = defineStage({
  name: 'vessels/line-enlarge',
  params: lineEnlargeParameters,
  inputs: ['i16'],
  outputs: ['f32'],
  // For values up to 512.
  tolerance: 1e-3,
  *gpu(scope, [source], { halvings, weight }) {
    const { width, height } = source;
    const target = scope.gpuPlane(width, height, 'f32');
    const packed = packedOf(scope, source, 'rgba16i');
    const uniforms = { width, halvings, weight };
    scope.draw(lineEnlargePass, { targets: [target], textures: { source: packed }, uniforms });
    return [target];
  },
  *wasm(scope, [source], params) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'f32');
    const mask = scope.plane(width, height, 'u8');
    scope.arena.u8.fill(255, mask.address, mask.address + mask.stride * height);
    yield* accumulate(scope, source, params, mask, target, true);
    return [target];
  },
});
