/** Dilation: the greatest sample of a square around each pixel. Samples outside the image are ignored. */
import { defineStage } from '../runtime/stage.ts';
import { morphologyGpu } from './morphology.gpu.ts';
import { morphologyParameters, runMorphology } from './morphology.ts';

export const dilate = defineStage({
  name: 'image/dilate',
  params: morphologyParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { size }) {
    return [morphologyGpu(scope, 'dilate', source, size)];
  },
  *wasm(scope, [source], { size }) {
    return [yield* runMorphology(scope, 'dilate', source, size)];
  },
});
