/** The GPU backend of image/gray. */
import fragment from '../../glsl/image/gray.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';

export const grayPass = definePass({
  name: 'image/gray',
  fragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['gray'],
});

export function grayGpu(scope: Scope, source: Plane): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u8');
  scope.draw(grayPass, { targets: [out], textures: { source }, uniforms: {} });
  return out;
}
