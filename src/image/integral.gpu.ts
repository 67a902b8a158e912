/** The GPU backends of image/integral and image/integral-squares: exclusive scans of the rows, then of the columns. */
import type { Surface } from '../runtime/gpu/gpu-backend.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plane } from '../runtime/plane.ts';
import { scanLevels, scanSpread } from './scan.gpu.ts';

export function integralGpu(scope: Scope, source: Surface, value: 'sample' | 'square'): Plane {
  const width = source.width + 1;
  const height = source.height + 1;
  return scope.within((inner) => {
    const out = scope.gpuPlane(width, height, 'u32');
    const rows = inner.texture(width, source.height, 'u32');
    const exclusive = { inclusive: false };
    scanSpread(inner, scanLevels(inner, source, 'x', value, width), 'x', value, rows, exclusive);
    scanSpread(inner, scanLevels(inner, rows, 'y', 'sample', height), 'y', 'sample', out, exclusive);
    return out;
  });
}
