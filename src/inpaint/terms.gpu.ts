/** The GPU side of inpaint/terms: front and priority in one pass, as the paper does it. */
import type { GpuSide } from '../runtime/gpu-side.ts';
import type { Plane } from '../runtime/plane.ts';
import { inverseLengths } from './layout.ts';
import { termsPass } from './passes.ts';
import { begin } from './state.gpu.ts';

export function termsGpu(side: GpuSide, source: Plane, mask: Plane, patch: number): Plane[] {
  const { width, height } = source;
  return side.scope((lend, plane) => {
    const out = [plane(width, height, 'u32'), plane(width, height, 'u32')];
    const { image, confidence } = begin(side, lend, source, mask);
    side.draw(termsPass, {
      targets: out,
      textures: { image, confidences: confidence },
      uniforms: { reach: patch >> 1, inverse: inverseLengths },
    });
    return out;
  });
}
