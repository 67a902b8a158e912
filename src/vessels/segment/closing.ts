/** Fills holes and notches of a mask: what most of the 5x5 samples around are, where they are set; the border is repeated. */
import { defineStage } from '../../runtime/stage.ts';

export const closing = defineStage({
  name: 'vessels/closing',
  params: {},
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'The mask lies on the WASM side, where it is thinned next.',
  *wasm(scope, [source]) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.closeMask({ source, target, width, height }, { rows: height });
    return [target];
  },
});
