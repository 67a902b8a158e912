/** The GPU backends of image/gradient and image/gradient-float: both derivatives in one pass of 8 fetches. */
import fragment from '../../glsl/image/gradient.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';

export const gradientPass = definePass({
  name: 'image/gradient',
  fragment,
  textures: ['source'],
  uniforms: { side: 'int', center: 'int' },
  outputs: ['dx', 'dy'],
  defines: { SAMPLER: 'usampler2D', SCALAR: 'int' },
});

export const gradientFloatPass = definePass({
  name: 'image/gradient-float',
  fragment,
  textures: ['source'],
  uniforms: { side: 'float', center: 'float' },
  outputs: ['dx', 'dy'],
  defines: { SAMPLER: 'sampler2D', SCALAR: 'float' },
});

/** `weights` has the weights of the outer and the central sample along the derivative, see gradientWeights. */
export function gradientGpu(scope: Scope, source: Plane, weights: readonly [number, number]): [Plane, Plane] {
  const { width, height, format } = source;
  const float = format === 'f32';
  const targets: [Plane, Plane] = [
    scope.gpuPlane(width, height, float ? 'f32' : 'i16'),
    scope.gpuPlane(width, height, float ? 'f32' : 'i16'),
  ];
  const draw = { targets, textures: { source }, uniforms: { side: weights[0], center: weights[1] } };
  if (float) scope.draw(gradientFloatPass, draw);
  else scope.draw(gradientPass, draw);
  return targets;
}
