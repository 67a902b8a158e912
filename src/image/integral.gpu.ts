/** The GPU sides of image/integral and image/integral-squares: exclusive scans of the rows, then of the columns. */
import type { GpuSide, Surface } from '../runtime/gpu-side.ts';
import type { Plane } from '../runtime/plane.ts';
import { scanLevels, scanSpread } from './scan.gpu.ts';

export function integralGpu(side: GpuSide, source: Surface, value: 'sample' | 'square'): Plane {
  const width = source.width + 1;
  const height = source.height + 1;
  return side.scope((lend, plane) => {
    const out = plane(width, height, 'u32');
    const rows = lend(width, source.height, 'u32');
    const exclusive = { inclusive: false };
    scanSpread(side, lend, scanLevels(side, lend, source, 'x', value, width), 'x', value, rows, exclusive);
    scanSpread(side, lend, scanLevels(side, lend, rows, 'y', 'sample', height), 'y', 'sample', out, exclusive);
    return out;
  });
}
