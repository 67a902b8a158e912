/**
 * Image stages as calls of the engine that return more than an image: regions, pyramids, sums. For images see
 * filters.ts.
 */
import type { EngineImage, GrayImage, SampleMap, ResultBackend, Source } from '../results/types.ts';
import { defineOperations, operationCalled, operation, operationOfParts } from '../runtime/capability.ts';
import type { CallOptions } from '../runtime/engine/options.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { choice, number } from '../runtime/parameters.ts';
import { toImage, toImageData, toSamples } from './image-of.ts';
import type { Plane } from '../runtime/plane.ts';
import { componentStatistics } from './components.gpu.ts';
import { components, labelComponents, type Component } from './components.ts';
import { integral, unwrapIntegralPlane } from './integral.ts';
import { pyramidDown } from './pyramid-down.ts';

/** engine.load: loads an image that stays in the engine, so that further calls on it move no pixels. */

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

/** Labels of 8-connected regions: 0 is background, component n has label n + 1. */
export interface ComponentsResult {
  width: number;
  height: number;
  count: number;
  labels: Uint32Array;
  /** Sorted in raster order of each component's first pixel. */
  components: Component[];
}

/** `sum` has one row and one column more than the image. Width and height are those of `sum`. */
export interface IntegralResult {
  width: number;
  height: number;
  sum: Float64Array;
}

/** The sums modulo 2^32. */
export interface Uint32Integral {
  width: number;
  height: number;
  sum: Uint32Array;
}
type IntegralCall = {
  (
    source: Source,
    options: CallOptions & { sums?: 'float64' | 'uint32'; keep: true },
  ): Promise<{ width: number; height: number; sum: EngineImage; backend: ResultBackend }>;
  (
    source: Source,
    options: CallOptions & { sums: 'uint32'; keep?: false },
  ): Promise<Uint32Integral & { backend: ResultBackend }>;
  (
    source: Source,
    options?: CallOptions & { sums?: 'float64'; keep?: false },
  ): Promise<IntegralResult & { backend: ResultBackend }>;
};

const componentsOperation = operationOfParts<[source: Source], ComponentsResult, 'labels'>()({
  params: {},
  sources: ['gray'],
  *plan(scope, [source]): Plan<ComponentsResult> {
    const { width, height } = source;
    if (scope.backendOf(components, [source]) === 'gpu') {
      const [plane, number] = yield* scope.run(components, [source]);
      const [labels, [count]] = yield* scope.wait(
        Promise.all([plane.read(), number.read()] as [Promise<Uint32Array>, Promise<Uint32Array>]),
      );
      const statistics = yield* componentStatistics(scope, labels, plane, count!);
      const given = scope.options.keep ? yield* toSamples<Uint32Array>(scope, plane) : labels;
      return { width, height, count: count!, labels: given, components: statistics };
    }
    yield* scope.onArena(source);
    const { labels, count, statistics } = yield* labelComponents(scope, source, { statistics: true });
    const given = yield* toSamples<Uint32Array>(scope, labels);
    return { width, height, count, labels: given, components: [...statistics] };
  },
});

const pyramidOperation = operation({
  params: {
    levels: number({ default: 3, min: 1, max: 12, integer: true, effect: 'Number of times the image is halved.' }),
    ...pyramidDown.params,
  },
  sources: ['gray'],
  keeps: 'parts',
  /** Returns the image itself and its pyramid levels. Ends early at 1x1. */
  *plan(scope, [source], { levels, ...params }): Plan<GrayImage[]> {
    const images = [yield* toImage(scope, source)];
    let from: Plane = source;
    while (images.length <= levels && (from.width > 1 || from.height > 1)) {
      const [half] = yield* scope.run(pyramidDown, [from], params);
      scope.free(from);
      from = half;
      images.push(yield* toImage(scope, from));
    }
    return images;
  },
});

const integralOperation = operationCalled<IntegralCall>()({
  params: {
    sums: choice({
      default: 'float64',
      values: ['float64', 'uint32'],
      effect:
        "'uint32' sums modulo 2^32, which is exact up to 16,843,009 pixels, in a third of the time and half the memory.",
    }),
  },
  sources: ['gray'],
  keeps: 'parts',
  *plan(scope, [source], { sums: type }): Plan<IntegralResult | Uint32Integral> {
    const [sums] = yield* scope.run(integral, [source]);
    const { width, height } = sums;
    const wide = type === 'float64' && !scope.options.keep;
    if (wide) yield* scope.onArena(sums);
    const sum = wide ? unwrapIntegralPlane(scope, sums) : yield* scope.give(sums, (list) => list as Uint32Array);
    return { width, height, sum } as IntegralResult | Uint32Integral;
  },
});

export const imageOperations = defineOperations({
  /**
   * Finds the 8-connected regions of samples that are not 0. `labels` has the source's size, row by row: 0 for
   * background and n + 1 for `components[n]`. Their boxes and centroids are in source pixels. Components are in raster
   * order of their first pixel.
   * @throws {FoveolaError} (rejects) 'image-too-large' past 65535 pixels of width, and as every call, see {@link
   * Engine}
   */
  components: componentsOperation,
  /**
   * Returns the gray image itself and up to `levels` pyramid levels, each half the size of the previous one, rounded
   * up. Ends early at 1x1. Byte for byte OpenCV's pyrDown ([1 4 6 4 1] both ways) with the default border.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  pyramid: pyramidOperation,
  /**
   * Integral image: `sum[y * width + x]` is the sum of all gray samples above and to the left of (x, y). Like OpenCV's
   * integral, it has one row and one column more than the source, and the first row and column are 0.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  integral: integralOperation,
});
