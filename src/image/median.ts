/**
 * Median over a square, border replicated. It removes speckle and keeps edges. Sizes 3, 5, 7 and 11 use networks of
 * minima and maxima, 16 pixels at a time. Other sizes use a sliding histogram. Byte for byte OpenCV's medianBlur.
 */
import type { KernelCalls } from '../runtime/wasm/kernel-calls.ts';
import type { Call, Rows } from '../runtime/wasm/kernel-step.ts';
import { number } from '../runtime/parameters.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { medianGpu } from './filters.gpu.ts';

export const median = defineStage({
  name: 'image/median',
  params: {
    size: number({
      default: 7,
      min: 3,
      max: 15,
      values: [3, 5, 7, 9, 11, 13, 15],
      unit: 'px',
      effect: 'Size of the kernel. Spots smaller than half its area disappear.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { size }) {
    return [medianGpu(scope, source, size)];
  },
  *wasm(scope, [source], { size }) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* medianRows(scope, { source, target, width, height }, size, { rows: height, minimumBand: 4 * size });
    return [target];
  },
});

/** Runs the kernel for a size: networks for 3, 5, 7 and 11. Small scripts use the histogram for 5 and 11 (rollup.config.js). */
export function medianRows(
  scope: Scope,
  given: Parameters<KernelCalls['median3']>[0],
  size: number,
  over: Rows,
): Call<void> {
  if (size === 3) return scope.kernels.median3(given, over);
  if (size === 5 && 'median5' in scope.kernels) return scope.kernels.median5(given, over);
  if (size === 7) return scope.kernels.median7(given, over);
  if (size === 11 && 'median11' in scope.kernels) return scope.kernels.median11(given, over);
  return scope.kernels.medianHistogram({ ...given, size }, over);
}
