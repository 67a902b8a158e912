/** White top-hat, source - dilation of the erosion: bright spots smaller than the square, such as corneal reflections. */
import { defineStage } from '../runtime/stage.ts';
import { morphologyParameters, runMorphology } from './morphology.ts';

export const topHat = defineStage({
  name: 'image/top-hat',
  params: morphologyParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'pending',
  wasm: (side, [source], { size }) => [runMorphology(side, 'topHat', source!, size)],
});
