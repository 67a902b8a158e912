/** The image a whole number of times as large, linear between the centers of its samples, rounded half up. */
import { number } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';

export const enlarge = defineStage({
  name: 'image/enlarge',
  params: {
    factor: number({ default: 2, min: 1, max: 8, integer: true, unit: 'px', effect: 'So many times as large.' }),
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
