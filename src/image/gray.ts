/**
 * RGBA to 8-bit gray with OpenCV's fixed-point BT.601 weights, (9798 R + 19235 G + 3735 B + 16384) >> 15. Alpha is
 * ignored. Source: OpenCV cvtColor, equal for all 2^24 colors.
 */
import { defineStage } from '../runtime/stage.ts';
import { grayGpu } from './gray.gpu.ts';

export const gray = defineStage({
  name: 'image/gray',
  params: {},
  inputs: ['rgba8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source]) {
    return [grayGpu(scope, source)];
  },
  *wasm(scope, [source]) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.grayFromRgba({ source, target, width }, { rows: height });
    return [target];
  },
});
