/** The GPU side of image/luma-range. */
import fragment from '../../glsl/image/luma-range.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';

export const lumaRangePass = definePass({
  name: 'image/luma-range',
  fragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['luma'],
});

export function lumaRangeGpu(scope: Scope, source: Plane): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u8');
  scope.draw(lumaRangePass, { targets: [out], textures: { source }, uniforms: {} });
  return out;
}
