/** engine.load: an image that stays in the engine, so that further calls on it move no pixels. */
import type { EngineImage, GrayImage, SampleMap, Sides, Source } from '../results/types.ts';
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
  ): Promise<(GrayImage | ImageData | SampleMap) & { side: Sides }>;
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
  // Without parameters it is an image of the engine that is read, which may be a map.
  formats: ({ format }: { format?: string }) => [format === 'gray' ? 'gray' : format ? 'pixels' : 'any'],
  keeps: 'always',
  plan: (scope, [source]): Plan<GrayImage | ImageData> =>
    source.format === 'rgba8' ? toImageData(scope, source) : toImage(scope, source),
});

export const loadOperations = defineOperations({
  /**
   * An image that stays in the engine: a source for every call of this engine, which then moves no pixels. Gray where the
   * source is gray, else RGBA with its gray form made when a call needs it. With `keep: false` its samples.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  load: loadOperation,
});
