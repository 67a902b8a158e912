/** Results of stages as images of the API. Apart from the operations, whose import registers them all. */
import type { GrayImage } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { ParameterTable, Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { InputsOf, Kind, Stage } from '../runtime/stage.ts';

export function* toImage(scope: Scope, plane: Plane): Plan<GrayImage> {
  return { width: plane.width, height: plane.height, data: (yield* scope.read(plane)) as Uint8Array };
}

/** Runs a stage of one output and reads it. */
export function* imageOf<I extends readonly Kind[], T extends ParameterTable>(
  scope: Scope,
  stage: Stage<I, readonly ['u8'], T>,
  inputs: InputsOf<I>,
  params?: Partial<Values<T>>,
): Plan<GrayImage> {
  const [target] = yield* scope.run(stage, inputs, params);
  return yield* toImage(scope, target);
}
