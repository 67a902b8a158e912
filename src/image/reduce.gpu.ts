/**
 * The GPU backends of the reductions: blocks of 8 x 8 until one is left. The order of float sums depends only on the
 * size.
 */
import resultFragment from '../../glsl/image/reduce-result.frag';
import fragment from '../../glsl/image/reduce.frag';
import type { Surface } from '../runtime/gpu/gpu-backend.ts';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';

function define(float: boolean) {
  const kind = float ? 'float' : 'integer';
  const types = float
    ? { SAMPLER: 'sampler2D', TRIPLE: 'vec4', SCALAR: 'float', ZERO: '0.0' }
    : { SAMPLER: 'usampler2D', TRIPLE: 'uvec4', SCALAR: 'uint', ZERO: '0u' };
  const reduce = (name: string, more: object) =>
    definePass({
      name: `image/${name} ${kind}`,
      fragment,
      textures: ['source'],
      uniforms: {},
      outputs: ['extremes'],
      defines: { ...types, ...more },
    });
  return {
    first: reduce('reduce-samples', { FIRST: 1 }),
    next: reduce('reduce', {}),
    result: definePass({
      name: `image/reduce-result ${kind}`,
      fragment: resultFragment,
      textures: ['source'],
      uniforms: {},
      outputs: ['result'],
      defines: types,
    }),
  };
}

const integers = define(false);
const floats = define(true);

/** Sum, minimum and maximum as a plane of 3x1. */
export function reduceGpu(scope: Scope, source: Plane): Plane {
  const float = source.format === 'f32';
  const passes = float ? floats : integers;
  return scope.within((inner) => {
    const out = scope.gpuPlane(3, 1, float ? 'f32' : 'u32');
    let from: Surface = source;
    do {
      const to: Surface = inner.texture((from.width + 7) >> 3, (from.height + 7) >> 3, float ? 'rgba32f' : 'rgba32ui');
      scope.draw(from === source ? passes.first : passes.next, {
        targets: [to],
        textures: { source: from },
        uniforms: {},
      });
      from = to;
    } while (from.width > 1 || from.height > 1);
    scope.draw(passes.result, { targets: [out], textures: { source: from }, uniforms: {} });
    return out;
  });
}
