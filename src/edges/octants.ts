/**
 * Edges with their directions of increasing brightness. Bit i of an edge pixel's sample is set if the brightness
 * increases in a direction within 45 degrees of i * 45 degrees. Every edge has two bits, or none on a flat area.
 */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { octantsGpu } from './circles.gpu.ts';

/** Computes them from the image and its edges, both in the arena, into a new plane there. */
export function* edgeOctants(scope: Scope, image: Plane, edges: Plane): Plan<Plane> {
  const { width, height } = edges;
  const target = scope.plane(width, height, 'u8');
  yield* scope.kernels.edgeOctants({ source: image, edges, target, width, height }, { rows: height, minimumBand: 64 });
  return target;
}

export const octants = defineStage({
  name: 'edges/octants',
  params: {},
  inputs: ['u8', 'u8'],
  outputs: ['u8'],
  tolerance: 0,
  fits: (gpu, [{ width, height }]) => gpu.fits(width, height),
  // Edges are few, and WASM reads only them.
  pays: () => false,
  *gpu(scope, [image, edges]) {
    return [octantsGpu(scope, image, edges)];
  },
  *wasm(scope, [image, edges]) {
    return [yield* edgeOctants(scope, image, edges)];
  },
});
