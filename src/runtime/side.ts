/**
 * The one place that chooses the side on which a stage runs: what the caller forced, else whether the context lives, what
 * this device's textures can hold and what pays, else what the runtime prefers.
 */
import type { Sides } from '../results/types.ts';
import type { GpuSide } from './gpu/gpu-side.ts';
import type { Plane } from './plane.ts';
import type { Runtime } from './runtime.ts';

export type Side = 'wasm' | 'gpu';
/** As results name them: work that no side was chosen for is that of the WASM side. */
export const sidesOf = (sides: ReadonlySet<Side>): Sides =>
  sides.size > 1 ? 'both' : sides.has('gpu') ? 'gpu' : 'wasm';

/** What the choice looks at; see Stage. */
export interface SideNeeds {
  readonly gpu?: unknown;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  fits?(gpu: GpuSide, inputs: readonly unknown[], params: unknown): boolean;
  pays?(inputs: readonly unknown[], params: unknown): boolean;
}

const isPlane = (value: unknown): value is Plane => typeof value === 'object' && value !== null && 'dispose' in value;

/** The GPU, where pictures of this size are best made textures at once: stages will want them there. */
export function gpuForPictures(runtime: Runtime, width: number, height: number): GpuSide | null {
  const { gpu, preferred } = runtime;
  return gpu && preferred === 'gpu' && !gpu.lost && gpu.fits(width, height) ? gpu : null;
}

export function sideOf(
  runtime: Runtime,
  stage: SideNeeds,
  inputs: readonly unknown[],
  forced?: Side,
  params: unknown = {},
): Side {
  const { gpu, gpuForced, preferred } = runtime;
  if (!gpu || !stage.gpu || forced === 'wasm' || stage.fits?.(gpu, inputs, params) === false) return 'wasm';
  if (forced) return forced;
  if (gpu.lost) return 'wasm';
  const { floatTargets } = gpu.capabilities;
  if (!floatTargets && (stage.inputs.includes('f32') || stage.outputs.includes('f32'))) return 'wasm';
  // Results are up to one pixel larger than the source.
  if (inputs.some((input) => isPlane(input) && !gpu.fits(input.width + 1, input.height + 1))) return 'wasm';
  return !gpuForced && stage.pays?.(inputs, params) === false ? 'wasm' : preferred;
}
