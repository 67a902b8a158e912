/** The GPU half (to be completed by gpu-context, pass, texture-pool, read-back). */
import type { Plane, PlaneGpu } from './plane.ts';

export interface GpuSide extends PlaneGpu {
  usable(): void;
  plane(width: number, height: number, format: Plane['format']): Plane;
  dispose(): void;
}
