/** engine.thresholdMap: makes a mask from a map that stays in the engine, for calls that accept images. */
import fragment from '../../glsl/image/above.frag';
import type { EngineImage } from '../results/types.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import { number } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { imageOf } from './image-of.ts';

const abovePass = definePass({
  name: 'image/above',
  fragment,
  textures: ['source'],
  uniforms: { mapLevel: 'float' },
  outputs: ['mask'],
});

export const above = defineStage({
  name: 'image/above',
  params: {
    mapLevel: number({
      default: 0,
      min: -1e6,
      max: 1e6,
      unit: 'that of the map',
      effect: 'Samples above this are set. Higher keeps fewer samples.',
    }),
  },
  inputs: ['f32'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { mapLevel }) {
    const mask = scope.gpuPlane(source.width, source.height, 'u8');
    scope.draw(abovePass, { targets: [mask], textures: { source }, uniforms: { mapLevel } });
    return [mask];
  },
  *wasm(scope, [source], { mapLevel }) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.above({ source, target, width, level: mapLevel }, { rows: height, minimumBand: 64 });
    return [target];
  },
});

const aboveOperation = operationOn<[map: EngineImage]>()({
  params: above.params,
  sources: ['any'],
  keeps: 'asked',
  *plan(scope, [map], params) {
    if (map.format !== 'f32')
      throw new FoveolaError(
        'invalid-argument',
        "thresholdMap needs a map of format 'f32', for example from vesselness with keep: true. For images, use threshold().",
      );
    return yield* imageOf(scope, above, [map], params);
  },
});

export const mapOperations = defineOperations({
  /**
   * Makes a mask from a map that stays in the engine: 255 where a sample is above `mapLevel`, in the unit of the map.
   * This turns a vessel response, a flow confidence or an eigenvalue into an input for `houghLines`, `components`,
   * `inpaint` and other calls. No sample leaves the engine.
   * @throws {FoveolaError} (rejects) 'invalid-argument' if the source is not a map of floats, and as every call, see
   * {@link Engine}
   */
  thresholdMap: aboveOperation,
});
