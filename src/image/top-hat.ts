/** White top-hat, source - dilation of the erosion: bright spots smaller than the square, such as corneal reflections. */
import { defineStage } from '../runtime/stage.ts';
import { morphologyGpu } from './morphology.gpu.ts';
import { morphologyParameters, runMorphology } from './morphology.ts';

export const topHat = defineStage({
  name: 'image/top-hat',
  params: morphologyParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { size }) {
    return [morphologyGpu(scope, 'topHat', source, size)];
  },
  *wasm(scope, [source], { size }) {
    return [yield* runMorphology(scope, 'topHat', source, size)];
  },
});
