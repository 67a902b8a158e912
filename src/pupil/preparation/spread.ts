/**
 * base + gain (level - from), rounded and clamped to 0..255. It makes a dark or flat image look well exposed. A gain of
 * -1 turns a bright pupil (light next to the lens) into a dark one.
 */
import { number } from '../../runtime/parameters.ts';
import { defineStage } from '../../runtime/stage.ts';

const effect = 'In base + gain (level - from).';
const level = number({ default: 0, min: 0, max: 255, integer: true, effect });

export const spread = defineStage({
  name: 'pupil/spread',
  // The gain in integer sixteenths.
  params: { from: level, gain: number({ default: 2, min: -8, max: 8, effect }), base: level },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'The image is needed on the WASM side in any case, and a pass would cost a read-back.',
  *wasm(scope, [source], { from, gain, base }) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    const sixteenths = Math.round(16 * gain);
    yield* scope.kernels.spreadLevels({ source, target, width, from, sixteenths, base }, { rows: height });
    return [target];
  },
});
