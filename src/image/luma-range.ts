/**
 * Luma of video range (16 to 235) to 0..255: (Y - 16) * 255 / 219, rounded and clamped. The luma plane of a video
 * frame then equals the gray image of a gray recording (design: "What is known and was measured").
 */
import { defineStage } from '../runtime/stage.ts';
import { lumaRangeGpu } from './luma-range.gpu.ts';

export const lumaRange = defineStage({
  name: 'image/luma-range',
  params: {},
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source]) {
    return [lumaRangeGpu(scope, source)];
  },
  *wasm(scope, [source]) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.lumaRange({ source, target, width }, { rows: height, minimumBand: 64 });
    return [target];
  },
});
