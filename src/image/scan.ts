/**
 * Prefix sums in row-major order, modulo 2^32: inclusive, out[i] = in[0] + ... + in[i], or exclusive, up to in[i - 1].
 * Sizes beyond a line's limit are laid out as rows, for example 4096 x 2442 for 10^7 values.
 */
import { boolean } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { scanGpu } from './scan.gpu.ts';

const parameters = {
  inclusive: boolean({ default: true, effect: 'Whether a value counts towards its own sum.' }),
} as const;

function runScan(side: WasmSide, source: Plane, inclusive: boolean, type: 'U8' | 'U32'): Plane {
  const { width, height, stride, address } = source;
  const out = side.plane(width, height, 'u32');
  const scan = (offsets: number, minimumBand: number) =>
    side.bands(`scan${type}`, height, [address, stride, out.address, out.stride, offsets, width, inclusive ? 1 : 0], {
      minimumBand,
    });
  if (side.threads === 1) {
    scan(0, height);
    return out;
  }
  side.temporary(4 * (height + 1), (sums) => {
    side.bands(`scanSums${type}`, height, [address, stride, sums, width], { minimumBand: 64 });
    side.once('scanOffsets', [sums, height]);
    scan(sums, 32);
  });
  return out;
}

/** Scan of bytes, such as flags. */
export const scan = defineStage({
  name: 'image/scan',
  params: parameters,
  inputs: ['u8'],
  outputs: ['u32'],
  tolerance: 0,
  gpu: (side, [source], { inclusive }) => [scanGpu(side, source!, inclusive)],
  wasm: (side, [source], { inclusive }) => [runScan(side, source!, inclusive, 'U8')],
});

/** Scan of 32-bit integers. */
export const scan32 = defineStage({
  name: 'image/scan-32',
  params: parameters,
  inputs: ['u32'],
  outputs: ['u32'],
  tolerance: 0,
  gpu: (side, [source], { inclusive }) => [scanGpu(side, source!, inclusive)],
  wasm: (side, [source], { inclusive }) => [runScan(side, source!, inclusive, 'U32')],
});
