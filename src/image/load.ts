/** engine.load: loads an image that stays in the engine, so that further calls on it move no pixels. */
import type { EngineImage, GrayImage, SampleMap, ResultBackend, Source } from '../results/types.ts';
import { defineOperations, operationCalled } from '../runtime/capability.ts';
import type { CallOptions } from '../runtime/engine/options.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { choice } from '../runtime/parameters.ts';
import { toImage, toImageData } from './image-of.ts';

interface LoadOptions extends CallOptions {
  format?: 'source' | 'gray';
}
type Load = {
  (
    source: Source,
    options: LoadOptions & { keep: false },
  ): Promise<(GrayImage | ImageData | SampleMap) & { backend: ResultBackend }>;
  (source: Source, options?: LoadOptions & { keep?: true }): Promise<EngineImage>;
};

const loadOperation = operationCalled<Load>()({
  params: {
    format: choice({
      default: 'source',
      values: ['source', 'gray'],
      effect: "'gray' keeps only the gray image. It needs a quarter of the memory, if no call needs color.",
    }),
  },
  sources: ['pixels'],
  // A call without parameters reads an image of the engine, which may be a map.
  formats: ({ format }: { format?: string }) => [format === 'gray' ? 'gray' : format ? 'pixels' : 'any'],
  keeps: 'always',
  plan: (scope, [source]): Plan<GrayImage | ImageData> =>
    source.format === 'rgba8' ? toImageData(scope, source) : toImage(scope, source),
});

export const loadOperations = defineOperations({
  /**
   * Loads an image that stays in the engine: a source for every call of this engine, which then moves no pixels. The
   * image is gray if the source is gray. Otherwise it is RGBA, and its gray form is made when a call needs it. With
   * `keep: false`, returns its samples.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  load: loadOperation,
});
