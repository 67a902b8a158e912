/**
 * The GPU side of vessels/hessian in three passes: down the packed columns, across, then derivatives and both
 * eigenvalues into two targets, 9 texels for four pixels. The Sobel channel takes two passes; gradients.gpu.ts has
 * the third channel.
 */
import eigenFragment from '../../glsl/vessels/eigenvalues.frag';
import laplacianFragment from '../../glsl/vessels/sobel-eigenvalues.frag';
import sobelFragment from '../../glsl/vessels/sobel.frag';
import unpackFragment from '../../glsl/vessels/unpack.frag';
import type { GpuSide, Texture } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { EigenvalueOrder, EigenvalueValues } from './eigenvalue-parameters.ts';
import { drawGradientEigenvalues } from './gradients.gpu.ts';
import { smoothStrips } from './smooth.gpu.ts';

export const eigenvaluesPass = definePass({
  name: 'vessels/eigenvalues',
  fragment: eigenFragment,
  textures: ['source'],
  uniforms: { first: 'int', width: 'int', ordered: 'int' },
  outputs: ['lambda1', 'lambda2'],
  defines: { VALUES: 'vec4' },
});

export const unpackPass = definePass({
  name: 'vessels/unpack',
  fragment: unpackFragment,
  textures: ['first', 'second'],
  uniforms: {},
  outputs: ['a', 'b'],
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
  defines: { VALUES: 'float' },
});

/** Both eigenvalues, four pixels a texel, of the Gaussian channel. The caller releases the textures. */
export function packedEigenvalues(
  side: GpuSide,
  source: Plane,
  sigma: number,
  order: EigenvalueOrder,
): [Texture<'rgba32f'>, Texture<'rgba32f'>] {
  const packed = side.packed(source, 4) as Texture<'rgba8ui'>;
  try {
    return packedEigenvaluesOf(side, packed, source.width, sigma, order);
  } finally {
    side.release(packed);
  }
}

/** The same of an image that is packed already, of `width` samples a row. */
export function packedEigenvaluesOf(
  side: GpuSide,
  packed: Texture<'rgba8ui'>,
  width: number,
  sigma: number,
  order: EigenvalueOrder,
): [Texture<'rgba32f'>, Texture<'rgba32f'>] {
  const ordered = order === 'magnitude' ? 1 : 0;
  const targets: Texture<'rgba32f'>[] = [];
  try {
    for (let i = 0; i < 2; i++) targets.push(side.allocate(packed.width, packed.height, 'rgba32f'));
    smoothStrips(side, packed, { width, sigma, unit: 1 / 255 }, ({ texture, first, rows }) =>
      side.draw(eigenvaluesPass, {
        targets,
        textures: { source: texture },
        uniforms: { first, width, ordered },
        region: { x: 0, y: first, width: packed.width, height: rows },
      }),
    );
  } catch (error) {
    for (const target of targets) side.release(target);
    throw error;
  }
  return targets as [Texture<'rgba32f'>, Texture<'rgba32f'>];
}

/** Both eigenvalues as planes. */
export function eigenvaluesGpu(
  side: GpuSide,
  source: Plane,
  { sigma, derivative }: EigenvalueValues,
  order: EigenvalueOrder,
): Plane[] {
  const { width, height } = source;
  return side.scope((lend, plane) => {
    const targets = [plane(width, height, 'f32'), plane(width, height, 'f32')];
    const ordered = order === 'magnitude' ? 1 : 0;
    if (derivative === 'gradients') {
      drawGradientEigenvalues(side, source, sigma, ordered, targets);
      return targets;
    }
    if (derivative === 'sobel') {
      const derivatives = lend(width, height, 'rgba32f');
      side.draw(sobelPass, { targets: [derivatives], textures: { source }, uniforms: { unit: 1 / (8 * 255) } });
      side.draw(sobelEigenvaluesPass, { targets, textures: { source: derivatives }, uniforms: { ordered } });
      return targets;
    }
    const [first, second] = packedEigenvalues(side, source, sigma, order);
    side.draw(unpackPass, { targets, textures: { first, second }, uniforms: {} });
    side.release(first);
    side.release(second);
    return targets;
  });
}
