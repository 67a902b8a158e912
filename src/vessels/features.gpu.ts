/** The GPU side of vessels/line-or-blob and vessels/vesselness: one pass more than the eigenvalues, at each scale. */
import lineOrBlobFragment from '../../glsl/vessels/line-or-blob.frag';
import vesselnessFragment from '../../glsl/vessels/vesselness.frag';
import type { GpuSide } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import { eigenvaluesGpu } from './eigenvalues.gpu.ts';
import type { EigenvalueValues } from './eigenvalue-parameters.ts';
import { type Feature, factorOf, type Measure, terms } from './feature-parameters.ts';

export const lineOrBlobPass = definePass({
  name: 'vessels/line-or-blob',
  fragment: lineOrBlobFragment,
  textures: ['first', 'second'],
  uniforms: { factor: 'float', blob: 'int' },
  outputs: ['strength'],
});

export const vesselnessPass = definePass({
  name: 'vessels/vesselness',
  fragment: vesselnessFragment,
  textures: ['first', 'second', 'best', 'scales'],
  uniforms: { factor: 'float', roundness: 'float', faintness: 'float', sigma: 'float', fresh: 'int' },
  outputs: ['larger', 'scale'],
});

export function lineOrBlobGpu(side: GpuSide, source: Plane, params: EigenvalueValues, feature: Feature): Plane {
  const [first, second] = eigenvaluesGpu(side, source, params, 'magnitude') as [Plane, Plane];
  try {
    return side.scope((_, plane) => {
      const out = plane(source.width, source.height, 'f32');
      const uniforms = { factor: factorOf(feature, params), blob: feature.endsWith('blob') ? 1 : 0 };
      side.draw(lineOrBlobPass, { targets: [out], textures: { first, second }, uniforms });
      return out;
    });
  } finally {
    first.dispose();
    second.dispose();
  }
}

/** The measure and the sigma that it comes from. Two pairs of targets take turns: a pass cannot read what it writes. */
export function vesselnessGpu(side: GpuSide, source: Plane, sigmas: readonly number[], measure: Measure): Plane[] {
  const { width, height } = source;
  let last: Plane[] = [];
  let next: Plane[] = [];
  const pair = () => side.scope((_, plane) => [plane(width, height, 'f32'), plane(width, height, 'f32')]);
  try {
    for (const [k, sigma] of sigmas.entries()) {
      const [first, second] = eigenvaluesGpu(side, source, { sigma, derivative: 'gaussian' }, 'magnitude');
      try {
        if (!next.length) next = pair();
        const { factor, round, faint } = terms(sigma, measure);
        side.draw(vesselnessPass, {
          targets: next,
          textures: { first: first!, second: second!, best: last[0] ?? first!, scales: last[1] ?? first! },
          uniforms: { factor, roundness: round, faintness: faint, sigma, fresh: k === 0 ? 1 : 0 },
        });
        [last, next] = [next, last];
      } finally {
        first!.dispose();
        second!.dispose();
      }
    }
  } catch (error) {
    for (const plane of last) plane.dispose();
    throw error;
  } finally {
    for (const plane of next) plane.dispose();
  }
  return last;
}
