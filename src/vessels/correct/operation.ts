/** engine.vesselMeasures: measures of a mask that was created or corrected manually. */
import type { GrayImage, ImageScale, Source, VesselMeasures } from '../../results/types.ts';
import { keptImage } from '../../image/image-of.ts';
import { defineOperations, operationOfParts } from '../../runtime/capability.ts';
import { loadEnginePart, VESSELS_PART } from '../../runtime/engine-parts.ts';
import { FoveolaError } from '../../runtime/error.ts';
import { resolveParameters, type Values } from '../../runtime/parameters.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { vesselParameters } from '../parameters.ts';
import { contrastChannel, scaleOf, findField, unitOf } from '../segment/working-plane.ts';
import { measure } from '../segment/measures.ts';

export const vesselMeasuresParameters = { micrometresPerPixel: vesselParameters.micrometresPerPixel } as const;

export interface VesselMeasuresOptions {
  /**
   * 255 where the mask was changed manually. Vessels added there remain, even if the photograph shows none. Vessels
   * that end there are not extended.
   */
  byHand?: GrayImage | null;
}

/** Measures of the input mask. */
export interface VesselMeasuresResult extends VesselMeasures {
  scale: ImageScale | null;
}

const sized = ({ width, height }: { readonly width: number; readonly height: number }) => `${width}x${height}`;
const bad = (text: string) => new FoveolaError('invalid-argument', `vesselMeasures: ${text}`);

type Resolved = Values<typeof vesselMeasuresParameters> & VesselMeasuresOptions;

function resolve(given: Record<string, unknown>): Resolved {
  const { byHand, ...rest } = given as VesselMeasuresOptions;
  const image = byHand as Partial<GrayImage> | null | undefined;
  if (image && !(image.data instanceof Uint8Array && image.data.length === image.width! * image.height!))
    throw bad('byHand must be a GrayImage of the size of the mask, or be omitted.');
  return { ...resolveParameters(vesselMeasuresParameters, rest, 'vesselMeasures'), byHand };
}

const vesselMeasuresOperation = operationOfParts<
  [source: Source, mask: Source],
  VesselMeasuresResult,
  'skeleton',
  VesselMeasuresOptions
>()({
  params: vesselMeasuresParameters,
  sources: ['pixels', 'gray'],
  resolve,
  *plan(scope, [source, mask], { byHand, micrometresPerPixel }: Resolved): Plan<VesselMeasuresResult> {
    const { width, height } = source;
    for (const [name, image] of Object.entries({ mask, byHand }))
      if (image && (image.width !== width || image.height !== height))
        throw bad(`${name} is ${sized(image)}, but the photograph is ${sized(source)}. Both must have the same size.`);
    const loading = loadEnginePart(scope.runtime, VESSELS_PART);
    if (loading) yield* scope.wait(loading);
    yield* scope.onArena(source);
    const data = ((yield* scope.read(mask)) as Uint8Array).map((v) => (v ? 255 : 0));
    scope.free(mask);
    const { scale } = scaleOf(micrometresPerPixel, source.file);
    const { field, fieldSize } = yield* findField(scope, source);
    const gray = yield* contrastChannel(scope, source);
    const inner = scope.own(scope.runtime.plane(fieldSize.width, fieldSize.height, 'f32', field.inner));
    const photograph = { gray, field: inner, block: fieldSize.block };
    const unit = unitOf(source, field);
    if (gray !== source) scope.free(source);
    const measures = yield* measure(
      scope,
      { width, height, data },
      { photograph, unit, micrometresPerPixel: scale?.micrometresPerPixel ?? 0, byHand },
    );
    return { ...measures, skeleton: yield* keptImage(scope, measures.skeleton), scale };
  },
});

export const vesselMeasuresOperations = defineOperations({
  /**
   * Computes the measures of `engine.vessels` with `measures: true` for an input mask (vessel if not 0): skeleton,
   * branch points, and segments with their widths from the photograph. For the mask of `engine.vessels` the results are
   * identical.
   * @throws {FoveolaError} (rejects) 'invalid-argument' if photograph, mask and `byHand` differ in size, and as every
   * call, see {@link Engine}
   */
  vesselMeasures: vesselMeasuresOperation,
});
