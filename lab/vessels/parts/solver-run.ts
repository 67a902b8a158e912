/** Parts of `solvers vessels` that run in Node: the scalar program, and the eigenvalues of the kernels. */
import { eigenvalueMaps } from '../../../src/vessels/hessian/maps.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { driveNow } from '../../../src/runtime/stage.ts';

export { directions, hessian } from './baseline.ts';
export { Runtime };

/** Milliseconds of the eigenvalues from gray values: Gaussian, second differences and solution. */
export function wholeEigenvalues(
  runtime: Runtime,
  { width, height, data }: { width: number; height: number; data: Uint8Array },
  sigma: number,
): number {
  const source = runtime.plane(width, height, 'u8', data);
  const params = { sigma, derivative: 'gaussian', order: 'magnitude' } as const;
  const start = performance.now();
  const maps = driveNow(runtime, (scope) => eigenvalueMaps.wasm(scope, [source], params));
  const ms = performance.now() - start;
  for (const plane of [source, ...maps]) plane.dispose();
  return ms;
}
