/** The GPU backend of image/gaussian: across into 16 bits, then down. 2 (2 radius + 1) fetches per pixel. */
import fragment from '../../glsl/image/gaussian.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';

export const gaussianPass = definePass({
  name: 'image/gaussian',
  fragment,
  textures: ['source'],
  uniforms: { direction: 'ivec2', radius: 'int', taps: 'uint[32]', rounding: 'uint', shift: 'int' },
  outputs: ['smoothed'],
});

/** `half` holds the taps from the center outwards, see gaussianTaps. */
export function gaussianGpu(scope: Scope, source: Plane, half: readonly number[]): Plane {
  const { width, height } = source;
  const taps = Uint32Array.from(half);
  const radius = taps.length - 1;
  return scope.within((inner) => {
    const out = scope.gpuPlane(width, height, 'u8');
    const across = inner.texture(width, height, 'u16');
    scope.draw(gaussianPass, {
      targets: [across],
      textures: { source },
      uniforms: { direction: [1, 0], radius, taps, rounding: 0, shift: 0 },
    });
    scope.draw(gaussianPass, {
      targets: [out],
      textures: { source: across },
      uniforms: { direction: [0, 1], radius, taps, rounding: 32768, shift: 16 },
    });
    return out;
  });
}
