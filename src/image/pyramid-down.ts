/**
 * One level of the Gaussian pyramid: [1 4 6 4 1] both ways, every other sample, (sum + 128) >> 8 at the end; half the
 * size, rounded up. Byte for byte OpenCV's pyrDown.
 */
import { choice } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { pyramidDownGpu } from './pyramid-down.gpu.ts';

export const pyramidDown = defineStage({
  name: 'image/pyramid-down',
  params: {
    border: choice({
      default: 'reflect',
      values: ['reflect', 'replicate'],
      effect: 'What lies outside: the image mirrored about its last sample (OpenCV) or the last sample again.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  gpu: (side, [source], { border }) => [pyramidDownGpu(side, source!, border)],
  wasm(side, [source], { border }) {
    const { width, height, stride, address } = source!;
    const out = side.plane((width + 1) >> 1, (height + 1) >> 1, 'u8');
    const reflect = border === 'reflect' ? 1 : 0;
    side.bands('pyramidDown', out.height, [address, stride, out.address, out.stride, width, height, reflect], {
      minimumBand: 32,
    });
    return [out];
  },
});
