/**
 * Stage: one named operation with its parameter table, its two implementations and the tolerance within which they
 * agree (design, idea 2). An implementation is a plan: steps over buffers that its scope makes and frees; the driver
 * slices it, spreads it over threads and cancels it.
 */
import { FoveolaError } from './error.ts';
import type { GpuSide } from './gpu-side.ts';
import type { Plan } from './kernel-step.ts';
import type { Turns } from './driver.ts';
import type { ParameterTable, Values } from './parameters.ts';
import type { Plane, PlaneFormat } from './plane.ts';
import type { Runtime } from './runtime.ts';
import { Scope, type Progress } from './scope.ts';
import type { Side } from './side.ts';

export type { Side };

/** What stages take and give: planes by their format, and lists. Capabilities may add kinds of their own. */
export interface Kinds extends Record<PlaneFormat, Plane> {
  'u8[]': Uint8Array;
  'u16[]': Uint16Array;
  'i32[]': Int32Array;
  'u32[]': Uint32Array;
  'f32[]': Float32Array;
  'f64[]': Float64Array;
  number: number;
}
export type Kind = keyof Kinds;
export type InputsOf<I extends readonly Kind[]> = { readonly [K in keyof I]: Kinds[I[K]] };
export type OutputsOf<O extends readonly Kind[]> = { readonly [K in keyof O]: Kinds[O[K]] };

export interface Stage<
  I extends readonly Kind[] = readonly Kind[],
  O extends readonly Kind[] = readonly Kind[],
  T extends ParameterTable = ParameterTable,
> {
  /** capability/name, for example 'image/gaussian'. */
  readonly name: string;
  readonly params: T;
  readonly inputs: I;
  readonly outputs: O;
  /** @internal Inputs are on the arena, outputs as well. */
  wasm(scope: Scope, inputs: InputsOf<I>, params: Values<T>): Plan<OutputsOf<O>>;
  /** @internal Enqueues passes; outputs may be on either side. */
  gpu?(scope: Scope, inputs: InputsOf<I>, params: Values<T>): Plan<OutputsOf<O>>;
  /**
   * Whether the GPU of this device can do it, where more than the size and the format of the planes decides. Where it
   * cannot, the WASM side does it, also for those who ask for the GPU.
   * @internal
   */
  fits?(gpu: GpuSide, inputs: InputsOf<I>, params: Values<T>): boolean;
  /** @internal Whether the GPU is likely to be faster; always, where this is left out. Not asked where the caller wants the GPU. */
  pays?(inputs: InputsOf<I>, params: Values<T>): boolean;
  /** Why there is no GPU side; shown in capabilities. Exactly one of gpu and wasmOnly is given. */
  readonly wasmOnly?: string;
  /** Largest difference of a sample between the sides; 0 means equal bytes. */
  readonly tolerance: number;
}

const registry = new Map<string, Stage>();

export function defineStage<
  const I extends readonly Kind[],
  const O extends readonly Kind[],
  const T extends ParameterTable,
>(stage: Stage<I, O, T>): Stage<I, O, T> {
  if (registry.has(stage.name)) throw new FoveolaError('internal', `Stage '${stage.name}' is defined twice.`);
  registry.set(stage.name, stage as unknown as Stage);
  return stage;
}

/** Every stage that has been imported, by name. The parity test walks it. */
export const stages: ReadonlyMap<string, Stage> = registry;

export interface RunOptions {
  readonly side?: Side;
  readonly turns?: Turns;
  readonly progress?: Progress;
  readonly took?: (side: Side) => void;
}

/** Drives a plan with a scope of its own, which is freed at the end; planes among the results belong to the caller. */
export async function drive<T>(
  runtime: Runtime,
  body: (scope: Scope) => Plan<T>,
  { turns, ...options }: RunOptions = {},
): Promise<T> {
  const scope = new Scope(runtime, options);
  try {
    return await runtime.driver.run(body(scope), turns);
  } finally {
    scope.dispose();
  }
}

/** The same at once, for plans that wait for nothing: tests and benches. */
export function driveNow<T>(runtime: Runtime, body: (scope: Scope) => Plan<T>): T {
  const scope = new Scope(runtime, { side: 'wasm' });
  try {
    const result = runtime.driver.now(body(scope));
    scope.giveAway(result);
    for (const value of Object.values(Object(result) as object)) scope.giveAway(value);
    return result;
  } finally {
    scope.dispose();
  }
}

/**
 * Runs a stage and resolves with its results, of which the caller disposes. GPU work is only enqueued: reading a result
 * is what waits. Errors: 'invalid-argument' for parameters out of range or planes of another format.
 */
export function run<I extends readonly Kind[], O extends readonly Kind[], T extends ParameterTable>(
  runtime: Runtime,
  stage: Stage<I, O, T>,
  inputs: InputsOf<I>,
  params?: Partial<Values<T>>,
  options: RunOptions = {},
): Promise<OutputsOf<O>> {
  return drive(
    runtime,
    function* (scope) {
      const outputs = yield* scope.run(stage, inputs, params);
      for (const output of outputs) scope.giveAway(output);
      return outputs;
    },
    options,
  );
}
