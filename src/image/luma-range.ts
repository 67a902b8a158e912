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
  gpu: (side, [source]) => [lumaRangeGpu(side, source!)],
  wasm(side, [source]) {
    const { width, height, stride, address } = source!;
    const out = side.plane(width, height, 'u8');
    side.bands('lumaRange', height, [address, stride, out.address, out.stride, width], { minimumBand: 64 });
    return [out];
  },
});
