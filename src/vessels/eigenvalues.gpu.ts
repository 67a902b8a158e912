/**
 * The GPU side of vessels/hessian in three passes: down the packed columns, across, then derivatives and both
 * eigenvalues into two targets. Four pixels a texel until the last pass: for radius r 2 r + 1 texels a group down,
 * r / 2 + 2 across, 6 a pixel at the end. The Sobel channel takes two passes.
 */
import acrossFragment from '../../glsl/vessels/smooth-across.frag';
import downFragment from '../../glsl/vessels/smooth-down.frag';
import eigenFragment from '../../glsl/vessels/eigenvalues.frag';
import laplacianFragment from '../../glsl/vessels/sobel-eigenvalues.frag';
import sobelFragment from '../../glsl/vessels/sobel.frag';
import type { GpuSide } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { EigenvalueOrder, EigenvalueValues } from './eigenvalues.ts';
import { floatTaps } from './gaussian-taps.ts';

/** Length of the table of taps: radius 96 and zeros for the ends of texels. */
const TAPS = 104;

export const smoothDownPass = definePass({
  name: 'vessels/smooth-down',
  fragment: downFragment,
  textures: ['source'],
  uniforms: { radius: 'int', taps: 'float[104]' },
  outputs: ['sums'],
});

export const smoothAcrossPass = definePass({
  name: 'vessels/smooth-across',
  fragment: acrossFragment,
  textures: ['source'],
  uniforms: { radius: 'int', width: 'int', taps: 'float[104]' },
  outputs: ['smoothed'],
});

export const eigenvaluesPass = definePass({
  name: 'vessels/eigenvalues',
  fragment: eigenFragment,
  textures: ['source'],
  uniforms: { width: 'int', ordered: 'int' },
  outputs: ['lambda1', 'lambda2'],
});

export const sobelPass = definePass({
  name: 'vessels/sobel',
  fragment: sobelFragment,
  textures: ['source'],
  uniforms: { unit: 'float' },
  outputs: ['derivatives'],
});

export const sobelEigenvaluesPass = definePass({
  name: 'vessels/sobel-eigenvalues',
  fragment: laplacianFragment,
  textures: ['source'],
  uniforms: { ordered: 'int' },
  outputs: ['lambda1', 'lambda2'],
});

function table(taps: Float32Array): Float32Array {
  const out = new Float32Array(TAPS);
  out.set(taps);
  return out;
}

export function eigenvaluesGpu(
  side: GpuSide,
  source: Plane,
  { sigma, channel }: EigenvalueValues,
  order: EigenvalueOrder,
): Plane[] {
  const { width, height } = source;
  const ordered = order === 'magnitude' ? 1 : 0;
  return side.scope((lend, plane) => {
    const targets = [plane(width, height, 'f32'), plane(width, height, 'f32')];
    if (channel === 'sobel') {
      const derivatives = lend(width, height, 'rgba32f');
      side.draw(sobelPass, { targets: [derivatives], textures: { source }, uniforms: { unit: 1 / (8 * 255) } });
      side.draw(sobelEigenvaluesPass, { targets, textures: { source: derivatives }, uniforms: { ordered } });
      return targets;
    }
    const across = floatTaps(sigma);
    const radius = across.length - 1;
    const packed = side.packed(source, 4);
    try {
      const sums = lend(packed.width, height, 'rgba32f');
      const smoothed = lend(packed.width, height, 'rgba32f');
      side.draw(smoothDownPass, {
        targets: [sums],
        textures: { source: packed },
        uniforms: { radius, taps: table(floatTaps(sigma, 1 / 255)) },
      });
      side.draw(smoothAcrossPass, {
        targets: [smoothed],
        textures: { source: sums },
        uniforms: { radius, width, taps: table(across) },
      });
      side.draw(eigenvaluesPass, { targets, textures: { source: smoothed }, uniforms: { width, ordered } });
    } finally {
      side.release(packed);
    }
    return targets;
  });
}
