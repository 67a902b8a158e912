/** The GPU side of image/gray. */
import fragment from '../../glsl/image/gray.frag';
import type { GpuSide } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';

export const grayPass = definePass({
  name: 'image/gray',
  fragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['gray'],
});

export function grayGpu(side: GpuSide, source: Plane): Plane {
  const out = side.plane(source.width, source.height, 'u8');
  side.draw(grayPass, { targets: [out], textures: { source }, uniforms: {} });
  return out;
}
