/**
 * Euclidean distance of each non-zero sample to the nearest zero one, exact; 0 on zeros, width + height where there is no
 * zero at all. The image's border is no zero.
 */
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

/** The distances as a new f32 plane on the arena. */
export function distancesOf(side: WasmSide, { address, stride, width, height }: Plane): Plane {
  const out = side.plane(width, height, 'f32');
  const far = width + height;
  side.bands('distanceColumns', width, [address, stride, out.address, out.stride, height, far], { minimumBand: 64 });
  side.bands('distanceRows', height, [out.address, out.stride, width, far], { scratch: 16 * width + 64 });
  return out;
}

export const distanceTransform = defineStage({
  name: 'image/distance-transform',
  params: {},
  inputs: ['u8'],
  outputs: ['f32'],
  tolerance: 1e-3,
  wasmOnly: 'Exact distances take a serial walk along every column and row; jump flooding on the GPU is not exact.',
  wasm: (side, [source]) => [distancesOf(side, source!)],
});
