/** GPU backend of vessels/line-or-blob and vessels/vesselness: one pass more than the eigenvalues, at each scale. */
import lineOrBlobFragment from '../../../glsl/vessels/hessian/line-or-blob.frag';
import vesselnessFragment from '../../../glsl/vessels/hessian/vesselness.frag';
import { definePass } from '../../runtime/gpu/pass.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { eigenvaluesGpu } from './eigenvalues.gpu.ts';
import { factorOf, type LineOrBlobValues, type Measure, terms } from './parameters.ts';

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

/** Feature of two eigenvalue maps, the one with the smaller magnitude first. */
export function featureOfMapsGpu(scope: Scope, first: Plane, second: Plane, params: LineOrBlobValues): Plane {
  const strength = scope.gpuPlane(first.width, first.height, 'f32');
  const uniforms = { factor: factorOf(params.feature, params), blob: params.feature.endsWith('blob') ? 1 : 0 };
  scope.draw(lineOrBlobPass, { targets: [strength], textures: { first, second }, uniforms });
  return strength;
}

export const lineOrBlobGpu = (scope: Scope, source: Plane, params: LineOrBlobValues): Plane =>
  scope.within((inner) => {
    const [first, second] = eigenvaluesGpu(inner, source, params, 'magnitude');
    return scope.own(inner.release(featureOfMapsGpu(inner, first, second, params)));
  });

/** The measure and its sigma. Two pairs of targets alternate, because a pass cannot read its own target. */
export function vesselnessGpu(
  scope: Scope,
  source: Plane,
  sigmas: readonly number[],
  measure: Measure,
): [best: Plane, scales: Plane] {
  const { width, height } = source;
  const pair = (): [Plane, Plane] => [scope.gpuPlane(width, height, 'f32'), scope.gpuPlane(width, height, 'f32')];
  let last: [Plane, Plane] | null = null;
  let next: [Plane, Plane] | null = null;
  for (const sigma of sigmas) {
    const targets: [Plane, Plane] = next ?? pair();
    scope.within((inner) => {
      const [first, second] = eigenvaluesGpu(inner, source, { sigma, derivative: 'gaussian' }, 'magnitude');
      const { factor, round, faint } = terms(sigma, measure);
      inner.draw(vesselnessPass, {
        targets,
        textures: { first, second, best: last?.[0] ?? first, scales: last?.[1] ?? first },
        uniforms: { factor, roundness: round, faintness: faint, sigma, fresh: last ? 0 : 1 },
      });
    });
    [last, next] = [targets, last];
  }
  return last!;
}
