/**
 * Stage: one named operation with its parameter table, its two implementations and the tolerance within which they
 * agree (design, idea 2). `run` picks a side: what the caller forced, where the data already lives, what the device
 * is good at.
 */
import { FoveolaError } from './error.ts';
import { resolveParameters, type ParameterTable, type Values } from './parameters.ts';
import type { Plane, PlaneFormat } from './plane.ts';
import type { Runtime } from './runtime.ts';
import type { GpuSide } from './gpu-side.ts';
import type { WasmSide } from './wasm-side.ts';

export type Side = 'wasm' | 'gpu';

export interface Stage<T extends ParameterTable = ParameterTable> {
  /** capability/name, for example 'image/gaussian'. */
  readonly name: string;
  readonly params: T;
  readonly inputs: readonly PlaneFormat[];
  readonly outputs: readonly PlaneFormat[];
  /** Inputs are on the arena; returns new planes on the arena. Synchronous. */
  readonly wasm: (side: WasmSide, inputs: readonly Plane[], params: Values<T>) => Plane[];
  /**
   * Enqueues passes and returns new planes on the GPU at once; or, where it must read what comes next, a promise of
   * planes on either side. The runtime is for those that leave a part to the other side.
   */
  readonly gpu?: (
    side: GpuSide,
    inputs: readonly Plane[],
    params: Values<T>,
    runtime: Runtime,
  ) => Plane[] | Promise<Plane[]>;
  /** Why there is no GPU side; shown in capabilities. Exactly one of gpu and wasmOnly is given. */
  readonly wasmOnly?: string;
  /** Largest difference of a sample between the sides; 0 means equal bytes. */
  readonly tolerance: number;
}

const registry = new Map<string, Stage>();

export function defineStage<const T extends ParameterTable>(stage: Stage<T>): Stage<T> {
  if (registry.has(stage.name)) throw new FoveolaError('internal', `Stage '${stage.name}' is defined twice.`);
  const guarded: Stage<T> = {
    ...stage,
    wasm: (side, inputs, params) => side.guarded(() => stage.wasm(side, inputs, params)),
  };
  registry.set(stage.name, guarded as unknown as Stage);
  return guarded;
}

/** Every stage that has been imported, by name. The parity test walks it. */
export const stages: ReadonlyMap<string, Stage> = registry;

/**
 * Which side `run` would take: what the caller forced, else what the runtime prefers, as long as this device's textures
 * can hold it (no float targets, or an image at the size limit: results are up to one pixel larger than the source).
 */
export function sideOf(
  runtime: Runtime,
  stage: { gpu?: unknown; inputs: readonly PlaneFormat[]; outputs: readonly PlaneFormat[] },
  planes: readonly Plane[],
  forced?: Side,
): Side {
  const { gpu } = runtime;
  if (!gpu || !stage.gpu) return 'wasm';
  if (forced) return forced;
  if (!gpu.capabilities.floatTargets && (stage.inputs.includes('f32') || stage.outputs.includes('f32'))) return 'wasm';
  if (planes.some(({ width, height }) => !gpu.fits(width + 1, height + 1))) return 'wasm';
  return runtime.preferred;
}

/**
 * Runs a stage and resolves with new planes that the caller disposes of. GPU work is only enqueued: reading a result
 * is what waits. Errors: 'invalid-argument' for parameters out of range or planes of another format.
 */
export async function run<T extends ParameterTable>(
  runtime: Runtime,
  stage: Stage<T>,
  planes: readonly Plane[],
  params?: Partial<Values<T>>,
  options: { side?: Side } = {},
): Promise<Plane[]> {
  const values = resolveParameters(stage.params, params, stage.name);
  if (planes.length !== stage.inputs.length || planes.some((p, i) => p.format !== stage.inputs[i]))
    throw new FoveolaError('invalid-argument', `${stage.name} takes planes (${stage.inputs.join(', ')}).`);
  if (sideOf(runtime, stage, planes, options.side) === 'gpu') {
    runtime.gpu!.usable();
    return stage.gpu!(runtime.gpu!, planes, values, runtime);
  }
  for (const plane of planes) await plane.arena();
  return stage.wasm(runtime.wasm, planes, values);
}
