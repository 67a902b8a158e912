/**
 * Converts RGBA to 8-bit gray with OpenCV's fixed-point BT.601 weights, (9798 R + 19235 G + 3735 B + 16384) >> 15.
 * Alpha is ignored. Source: OpenCV cvtColor, equal for all 2^24 colors.
 */
import { defineStage } from '../runtime/stage.ts';
import { grayGpu } from './filters.gpu.ts';

// U and V of every two by two pixels of RGBA, side by side, with 128 for gray. They are BT.601 in video range, with
// weights in units of 1/256, of the mean of four pixels. An odd last column or row is skipped. The subsampled chroma of
// a video frame is about the same.

export const chromaPlane = defineStage({
  name: 'image/chroma-plane',
  params: {},
  inputs: ['rgba8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'Only what works on this side asks for colors: a read-back would take longer.',
  *wasm(scope, [source]) {
    const across = source.width >> 1;
    const height = source.height >> 1;
    const target = scope.plane(Math.max(1, 2 * across), Math.max(1, height), 'u8');
    if (Math.min(across, height) < 1)
      scope.arena.u8.fill(128, target.address, target.address + target.stride * target.height);
    else yield* scope.kernels.chromaFromRgba({ source, target, across }, { rows: height });
    return [target];
  },
});

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
