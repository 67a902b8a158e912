/**
 * The only place that chooses the backend of a stage. The caller's choice has priority. After that, the decision
 * depends on whether the context is available, what fits into this device's textures and what is faster. Otherwise the
 * runtime's preference is used.
 */
import type { ResultBackend } from '../results/types.ts';
import type { GpuBackend } from './gpu/gpu-backend.ts';
import type { Plane } from './plane.ts';
import type { Runtime } from './runtime.ts';

export type Backend = 'wasm' | 'gpu';
/** Backends as results name them. Work without a choice of backend counts as WASM. */
export const resultBackend = (backends: ReadonlySet<Backend>): ResultBackend =>
  backends.size > 1 ? 'both' : backends.has('gpu') ? 'gpu' : 'wasm';

/** The inputs of the choice, see Stage. */
export interface BackendNeeds {
  readonly gpu?: unknown;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  fits?(gpu: GpuBackend, inputs: readonly unknown[], params: unknown): boolean;
  pays?(inputs: readonly unknown[], params: unknown): boolean;
}

const isPlane = (value: unknown): value is Plane => typeof value === 'object' && value !== null && 'dispose' in value;

/** The GPU, if images of this size should be uploaded as textures immediately because stages will need them there. */
export function gpuForPictures(runtime: Runtime, width: number, height: number): GpuBackend | null {
  const { gpu, preferred } = runtime;
  return gpu && preferred === 'gpu' && !gpu.lost && gpu.fits(width, height) ? gpu : null;
}

export function backendOf(
  runtime: Runtime,
  stage: BackendNeeds,
  inputs: readonly unknown[],
  forced?: Backend,
  params: unknown = {},
): Backend {
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
