/** The GPU side of image/pyramid-down: one level of pyrDown, across into 16 bits, then down. */
import fragment from '../../glsl/image/pyramid-down.frag';
import type { GpuSide } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';

export const pyramidDownPass = definePass({
  name: 'image/pyramid-down',
  fragment,
  textures: ['source'],
  uniforms: { direction: 'ivec2', rounding: 'uint', shift: 'int' },
  outputs: ['level'],
});

export function pyramidDownGpu(side: GpuSide, source: Plane): Plane {
  const width = (source.width + 1) >> 1;
  const height = (source.height + 1) >> 1;
  const out = side.plane(width, height, 'u8');
  side.scope((lend) => {
    const across = lend(width, source.height, 'u16');
    side.draw(pyramidDownPass, {
      targets: [across],
      textures: { source },
      uniforms: { direction: [1, 0], rounding: 0, shift: 0 },
    });
    side.draw(pyramidDownPass, {
      targets: [out],
      textures: { source: across },
      uniforms: { direction: [0, 1], rounding: 128, shift: 8 },
    });
  });
  return out;
}
