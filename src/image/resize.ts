/**
 * Mean of blocks of factor x factor samples, rounded half up: the image at an integer fraction of its size. Samples
 * left over at the right and lower edges are not used. If a side of the image is below the factor, the image is reduced
 * by that side.
 */
import { number } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';

// Enlarges an image by an integer factor, linear between the centers of its samples, rounded half up.

export const enlarge = defineStage({
  name: 'image/enlarge',
  params: {
    factor: number({ default: 2, min: 1, max: 8, integer: true, unit: 'px', effect: 'Scale factor.' }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'Made of small images, whose read-back would take longer than the pass.',
  *wasm(scope, [source], { factor }) {
    const { width, height } = source;
    const target = scope.plane(width * factor, height * factor, 'u8');
    const sizes = { sourceWidth: width, sourceHeight: height };
    yield* scope.kernels.enlarge({ source, ...sizes, target, factor }, { rows: target.height });
    return [target];
  },
});

export const shrink = defineStage({
  name: 'image/shrink',
  params: {
    factor: number({
      default: 2,
      min: 1,
      max: 16,
      integer: true,
      unit: 'px',
      effect: 'Side of a block, and the reduction factor.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'One pass over bytes that WASM uses next. A read-back would take longer.',
  *wasm(scope, [source], { factor: asked }) {
    const factor = Math.min(asked, source.width, source.height);
    const width = Math.floor(source.width / factor);
    const height = Math.floor(source.height / factor);
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.shrink({ source, target, width, factor }, { rows: height });
    return [target];
  },
});
