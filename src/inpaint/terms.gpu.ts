/** The GPU side of inpaint/terms: front and priority in one pass, as the paper does it. */
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { inverseLengths } from './layout.ts';
import { termsPass } from './passes.ts';
import { begin } from './state.gpu.ts';

export function termsGpu(scope: Scope, source: Plane, mask: Plane, patch: number): [Plane, Plane] {
  const { width, height } = source;
  return scope.within((inner) => {
    const targets: [Plane, Plane] = [scope.gpuPlane(width, height, 'u32'), scope.gpuPlane(width, height, 'u32')];
    const { image, confidence } = begin(inner, source, mask);
    inner.draw(termsPass, {
      targets,
      textures: { image, confidences: confidence },
      uniforms: { reach: patch >> 1, inverse: inverseLengths },
    });
    return targets;
  });
}
