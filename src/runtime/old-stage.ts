/** Stages that are not yet plans. */
import type { ParameterTable, Values } from './parameters.ts';
import type { Plane, PlaneFormat } from './plane.ts';
import type { GpuSide } from './gpu-side.ts';
import type { Runtime } from './runtime.ts';
import { defineStage, type Stage } from './stage.ts';
import type { WasmSide } from './wasm-side.ts';

interface OldStage<T extends ParameterTable> {
  readonly name: string;
  readonly params: T;
  readonly inputs: readonly PlaneFormat[];
  readonly outputs: readonly PlaneFormat[];
  readonly wasm: (side: WasmSide, inputs: readonly Plane[], params: Values<T>) => Plane[];
  readonly gpu?: (
    side: GpuSide,
    inputs: readonly Plane[],
    params: Values<T>,
    runtime: Runtime,
  ) => Plane[] | Promise<Plane[]>;
  readonly wasmOnly?: string;
  readonly tolerance: number;
}

export function defineOldStage<const T extends ParameterTable>(
  old: OldStage<T>,
): Stage<readonly PlaneFormat[], readonly PlaneFormat[], T> {
  const { gpu } = old;
  return defineStage<readonly PlaneFormat[], readonly PlaneFormat[], T>({
    ...old,
    *wasm(scope, inputs, params) {
      const { wasm } = scope.runtime;
      return wasm.guarded(() => old.wasm(wasm, inputs, params)).map((plane) => scope.own(plane));
    },
    gpu:
      gpu &&
      function* (scope, inputs, params) {
        const planes = yield* scope.wait(gpu(scope.gpu, inputs, params, scope.runtime));
        return planes.map((plane) => scope.own(plane));
      },
  });
}
