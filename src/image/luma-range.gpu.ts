/** The GPU side of image/luma-range. */
import fragment from '../../glsl/image/luma-range.frag';
import type { GpuSide } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';

export const lumaRangePass = definePass({
  name: 'image/luma-range',
  fragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['luma'],
});

export function lumaRangeGpu(side: GpuSide, source: Plane): Plane {
  const out = side.plane(source.width, source.height, 'u8');
  side.draw(lumaRangePass, { targets: [out], textures: { source }, uniforms: {} });
  return out;
}
