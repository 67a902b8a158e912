/**
 * The GPU side of the channel 'gradients' in three passes, one pixel a texel: down, across, eigenvalues. Plain instead of
 * packed: its Gaussian reaches further than the uniforms of the packed passes, and it is there to agree, not for speed.
 */
import eigenFragment from '../../../glsl/vessels/hessian/gradient-eigenvalues.frag';
import smoothFragment from '../../../glsl/vessels/hessian/smooth-line.frag';
import { definePass } from '../../runtime/gpu/pass.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { floatTaps, gradientRadius, maximumSigma } from './gaussian-taps.ts';

const TAPS = gradientRadius(maximumSigma) + 1;

const smoothPass = (kind: string, sampler: string) =>
  definePass({
    name: `vessels/smooth-line ${kind}`,
    fragment: smoothFragment,
    textures: ['source'],
    uniforms: { vertical: 'int', radius: 'int', taps: `float[${TAPS}]` },
    outputs: ['sum'],
    defines: { SAMPLER: sampler },
  });

export const smoothLinePasses = { uint: smoothPass('u8', 'usampler2D'), float: smoothPass('f32', 'sampler2D') };

export const gradientEigenvaluesPass = definePass({
  name: 'vessels/gradient-eigenvalues',
  fragment: eigenFragment,
  textures: ['source'],
  uniforms: { ordered: 'int' },
  outputs: ['lambda1', 'lambda2'],
  defines: { VALUES: 'float' },
});

/** Both eigenvalues into two targets; `ordered` 1: by magnitude, 0: ascending. */
export function drawGradientEigenvalues(
  scope: Scope,
  source: Plane,
  sigma: number,
  ordered: number,
  targets: readonly Plane[],
): void {
  const { width, height } = source;
  const radius = gradientRadius(sigma);
  const taps = (unit: number) => {
    const out = new Float32Array(TAPS);
    out.set(floatTaps(sigma, unit, radius));
    return out;
  };
  scope.within((inner) => {
    const sums = inner.texture(width, height, 'f32');
    const smoothed = inner.texture(width, height, 'f32');
    const down = { vertical: 1, radius, taps: taps(1 / 255) };
    inner.draw(smoothLinePasses.uint, { targets: [sums], textures: { source }, uniforms: down });
    const across = { vertical: 0, radius, taps: taps(1) };
    inner.draw(smoothLinePasses.float, { targets: [smoothed], textures: { source: sums }, uniforms: across });
    inner.draw(gradientEigenvaluesPass, { targets, textures: { source: smoothed }, uniforms: { ordered } });
  });
}
