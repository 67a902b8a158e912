/**
 * The one place that chooses the side on which a stage runs: what the caller forced, else what this device's textures can
 * hold, else what the runtime prefers.
 */
import type { Plane, PlaneFormat } from './plane.ts';
import type { Runtime } from './runtime.ts';

export type Side = 'wasm' | 'gpu';

/** What the choice looks at. */
export interface SideNeeds {
  readonly gpu?: unknown;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

const floats: readonly (PlaneFormat | string)[] = ['f32'];

export function sideOf(runtime: Runtime, stage: SideNeeds, planes: readonly Plane[], forced?: Side): Side {
  const { gpu } = runtime;
  if (!gpu || !stage.gpu) return 'wasm';
  if (forced) return forced;
  const { floatTargets } = gpu.capabilities;
  if (!floatTargets && [...stage.inputs, ...stage.outputs].some((format) => floats.includes(format))) return 'wasm';
  // Results are up to one pixel larger than the source.
  if (planes.some(({ width, height }) => !gpu.fits(width + 1, height + 1))) return 'wasm';
  return runtime.preferred;
}
