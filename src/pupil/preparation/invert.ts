/** 255 - level: a bright pupil (the light beside the lens) becomes a dark one. */
import { defineStage } from '../../runtime/stage.ts';

export const invert = defineStage({
  name: 'pupil/invert',
  params: {},
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'The inverted image is needed on the WASM side in any case, and a pass would cost a read-back.',
  *wasm(scope, [source]) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.invertLevels({ source, target, width }, { rows: height });
    return [target];
  },
});
