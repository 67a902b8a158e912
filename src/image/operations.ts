/** The image stages as calls of the engine, for those who want one filter and no more. */
import type { GrayImage } from '../results/types.ts';
import { defineOperation } from '../runtime/capability.ts';
import type { Plan } from '../runtime/kernel-step.ts';
import { choice, number } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { labelComponents, type Component } from './components.ts';
import { dilate } from './dilate.ts';
import { erode } from './erode.ts';
import { gaussian } from './gaussian.ts';
import { histogramOf, otsu } from './histogram.ts';
import { imageOf, toImage } from './image-of.ts';
import { integral, unwrapIntegral } from './integral.ts';
import { median } from './median.ts';
import { morphologyParameters } from './morphology.ts';
import { pyramidDown } from './pyramid-down.ts';
import { threshold } from './threshold.ts';
import { topHat } from './top-hat.ts';

/** Labels of 8-connected regions: 0 is background, component n has label n + 1. */
export interface ComponentsResult {
  width: number;
  height: number;
  count: number;
  labels: Uint32Array;
  /** In raster order of each component's first pixel. */
  components: Component[];
}

/** `sum` has one row and one column more than the image: width and height are those of `sum`. */
export interface IntegralResult {
  width: number;
  height: number;
  sum: Float64Array;
}

export const gaussianOperation = defineOperation({
  name: 'gaussian',
  params: gaussian.params,
  sources: ['gray'],
  plan: (scope, [source], params) => imageOf(scope, gaussian, [source], params),
});

export const medianOperation = defineOperation({
  name: 'median',
  params: median.params,
  sources: ['gray'],
  plan: (scope, [source], params) => imageOf(scope, median, [source], params),
});

const squares = { erode, dilate, topHat } as const;

export const morphologyOperation = defineOperation({
  name: 'morphology',
  params: {
    operation: choice({
      default: 'erode',
      values: ['erode', 'dilate', 'topHat'],
      effect: 'Least or largest sample of the square, or what an opening removes.',
    }),
    ...morphologyParameters,
  },
  sources: ['gray'],
  plan: (scope, [source], { operation, size }) => imageOf(scope, squares[operation], [source], { size }),
});

export const thresholdOperation = defineOperation({
  name: 'threshold',
  params: {
    ...threshold.params,
    level: number({
      ...threshold.params.level,
      auto: -1,
      effect: "Samples above it are set; higher keeps only brighter ones. 'auto': Otsu's level.",
    }),
  },
  sources: ['gray'],
  *plan(scope, [source], params) {
    if (params.level < 0) params.level = otsu(yield* histogramOf(scope, yield* scope.onArena(source)));
    return yield* imageOf(scope, threshold, [source], params);
  },
});

export const componentsOperation = defineOperation({
  name: 'components',
  params: {},
  sources: ['gray'],
  *plan(scope, [source]): Plan<ComponentsResult> {
    yield* scope.onArena(source);
    const { labels, count, statistics } = yield* labelComponents(scope, source, { statistics: true });
    const { width, height } = labels;
    return { width, height, count, labels: labels.copy() as Uint32Array, components: [...statistics] };
  },
});

export const pyramidOperation = defineOperation({
  name: 'pyramid',
  params: {
    levels: number({ default: 3, min: 1, max: 12, integer: true, effect: 'How often the image is halved.' }),
    ...pyramidDown.params,
  },
  sources: ['gray'],
  /** The image itself and its halvings; ends early at 1x1. */
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

export const integralOperation = defineOperation({
  name: 'integral',
  params: {},
  sources: ['gray'],
  *plan(scope, [source]): Plan<IntegralResult> {
    const [sums] = yield* scope.run(integral, [source]);
    const { width, height } = sums;
    return { width, height, sum: unwrapIntegral((yield* scope.read(sums)) as Uint32Array, width - 1) };
  },
});
