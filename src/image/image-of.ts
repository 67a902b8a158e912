/**
 * Converts results of stages to images of the API. Separate from the operations, because importing those registers them
 * all.
 */
import type { GrayImage } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { ParameterTable, Values } from '../runtime/parameters.ts';
import type { Plane, PlaneArray } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { InputsOf, Kind, Stage } from '../runtime/stage.ts';

export function toImage(scope: Scope, plane: Plane): Plan<GrayImage> {
  const { width, height } = plane;
  return scope.give(plane, (data) => ({ width, height, data: data as Uint8Array }));
}

/** Returns the samples of a map, or a handle to the map if it stays in the engine. */
export function toSamples<A extends PlaneArray>(scope: Scope, plane: Plane): Plan<A> {
  return scope.give(plane, (samples) => samples as A);
}

/** Returns samples that were made as a list. If images stay in the engine, returns a handle to their plane instead. */
export function* keptSamples<A extends Uint8Array | Uint32Array | Float32Array>(
  scope: Scope,
  { width, height }: { readonly width: number; readonly height: number },
  samples: A,
): Plan<A> {
  if (!scope.options.keep) return samples;
  const format = samples instanceof Uint8Array ? 'u8' : samples instanceof Float32Array ? 'f32' : 'u32';
  return yield* toSamples<A>(scope, scope.own(scope.runtime.plane(width, height, format, samples)));
}

/** Like keptSamples, for an image. */
export function* keptImage(scope: Scope, image: GrayImage): Plan<GrayImage> {
  if (!scope.options.keep) return image;
  return (yield* keptSamples(scope, image, image.data)) as unknown as GrayImage;
}

/** Returns the pixels with their size. Without ImageData (Node), this is a plain object of the same shape. */
export function toImageData(scope: Scope, plane: Plane): Plan<ImageData> {
  return scope.give(plane, (pixels) => imageData(pixels as Uint8Array<ArrayBuffer>, plane.width, plane.height));
}

export function imageData(pixels: Uint8Array<ArrayBuffer>, width: number, height: number): ImageData {
  const data = new Uint8ClampedArray(pixels.buffer);
  if (typeof ImageData === 'undefined') return { data, width, height, colorSpace: 'srgb' } as ImageData;
  return new ImageData(data, width, height);
}

/** Runs a stage with one output and reads it. */
export function* imageOf<I extends readonly Kind[], T extends ParameterTable>(
  scope: Scope,
  stage: Stage<I, readonly ['u8'], T>,
  inputs: InputsOf<I>,
  params?: Partial<Values<T>>,
): Plan<GrayImage> {
  const [target] = yield* scope.run(stage, inputs, params);
  return yield* toImage(scope, target);
}
