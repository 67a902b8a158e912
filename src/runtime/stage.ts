/**
 * Stages: named operations with a parameter table, two implementations and the tolerance within which they agree
 * (design, idea 2). An implementation is a plan: steps over buffers that its scope creates and frees. The driver slices
 * it, spreads it over threads and cancels it. This module registers stages and runs them from outside a plan.
 */
import { FoveolaError } from './error.ts';
import type { Plan } from './wasm/kernel-step.ts';
import type { Pauses } from './driver.ts';
import type { InputsOf, Kind, Kinds, OutputsOf } from './kinds.ts';
import type { ParameterTable, Values } from './parameters.ts';
import type { Runtime, Backend } from './runtime.ts';
import { Scope, type Progress, type Stage } from './scope.ts';

export type { InputsOf, Kind, Kinds, OutputsOf, Backend, Stage };

const registry = new Map<string, Stage>();

export function defineStage<
  const I extends readonly Kind[],
  const O extends readonly Kind[],
  const T extends ParameterTable,
>(stage: Stage<I, O, T>): Stage<I, O, T> {
  if (registry.has(stage.name)) throw new FoveolaError('internal', `Stage '${stage.name}' is defined twice.`);
  registry.set(stage.name, stage);
  return stage;
}

/** Every imported stage, by name. The parity test checks all of them. */
export const stages: ReadonlyMap<string, Stage> = registry;

export interface RunOptions {
  readonly backend?: Backend;
  readonly pauses?: Pauses;
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
  readonly took?: (backend: Backend) => void;
}

/** Runs a plan with a separate scope that is freed at the end. Planes among the results belong to the caller. */
export async function drive<T>(
  runtime: Runtime,
  body: (scope: Scope) => Plan<T>,
  { pauses, ...options }: RunOptions = {},
): Promise<T> {
  const scope = new Scope(runtime, options);
  try {
    return await runtime.driver.run(body(scope), pauses);
  } finally {
    scope.dispose();
  }
}

/** Like `drive`, but synchronous, for plans that wait for nothing: tests and benchmarks. */
export function driveNow<T>(runtime: Runtime, body: (scope: Scope) => Plan<T>): T {
  const scope = new Scope(runtime, { backend: 'wasm' });
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
 * Runs a stage and resolves with its results, which the caller must dispose of. GPU work is only enqueued. Only reading
 * a result waits. Errors: 'invalid-argument' for parameters out of range or planes of another format.
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
