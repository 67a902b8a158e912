/** Results of stages as images of the API. Apart from the operations, whose import registers them all. */
import type { GrayImage } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { ParameterTable, Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { InputsOf, Kind, Stage } from '../runtime/stage.ts';

export function toImage(scope: Scope, plane: Plane): Plan<GrayImage> {
  const { width, height } = plane;
  return scope.give(plane, (data) => ({ width, height, data: data as Uint8Array }));
}

/** The pixels with their size; a plain object of the same shape where there is no ImageData (Node). */
export function toImageData(scope: Scope, plane: Plane): Plan<ImageData> {
  return scope.give(plane, (pixels) => imageData(pixels as Uint8Array<ArrayBuffer>, plane.width, plane.height));
}

export function imageData(pixels: Uint8Array<ArrayBuffer>, width: number, height: number): ImageData {
  const data = new Uint8ClampedArray(pixels.buffer);
  if (typeof ImageData === 'undefined') return { data, width, height, colorSpace: 'srgb' } as ImageData;
  return new ImageData(data, width, height);
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
