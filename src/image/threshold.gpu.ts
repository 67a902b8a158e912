/** The GPU backend of image/threshold. */
import fragment from '../../glsl/image/threshold.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';

export const thresholdPass = definePass({
  name: 'image/threshold',
  fragment,
  textures: ['source'],
  uniforms: { level: 'uint', value: 'uint' },
  outputs: ['mask'],
});

export function thresholdGpu(scope: Scope, source: Plane, level: number, value: number): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u8');
  scope.draw(thresholdPass, { targets: [out], textures: { source }, uniforms: { level, value } });
  return out;
}
