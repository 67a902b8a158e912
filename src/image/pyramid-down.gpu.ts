/** The GPU backend of image/pyramid-down: one level of pyrDown, across into 16 bits, then down. */
import fragment from '../../glsl/image/pyramid-down.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';

export const pyramidDownPass = definePass({
  name: 'image/pyramid-down',
  fragment,
  textures: ['source'],
  uniforms: { direction: 'ivec2', rounding: 'uint', shift: 'int', reflects: 'int' },
  outputs: ['level'],
});

export function pyramidDownGpu(scope: Scope, source: Plane, border: 'reflect' | 'replicate'): Plane {
  const width = (source.width + 1) >> 1;
  const height = (source.height + 1) >> 1;
  const reflects = border === 'reflect' ? 1 : 0;
  return scope.within((inner) => {
    const out = scope.gpuPlane(width, height, 'u8');
    const across = inner.texture(width, source.height, 'u16');
    scope.draw(pyramidDownPass, {
      targets: [across],
      textures: { source },
      uniforms: { direction: [1, 0], rounding: 0, shift: 0, reflects },
    });
    scope.draw(pyramidDownPass, {
      targets: [out],
      textures: { source: across },
      uniforms: { direction: [0, 1], rounding: 128, shift: 8, reflects },
    });
    return out;
  });
}
