/**
 * The image stages that turn one image into another, as calls of the engine. Each is also a filter of
 * `<foveola-filter>`.
 */
import { defineOperations, operation } from '../runtime/capability.ts';
import { choice, number } from '../runtime/parameters.ts';
import { dilate, erode, morphologyParameters, topHat } from './morphology.ts';
import { gaussian } from './gaussian.ts';
import { histogramOf, otsu } from './histogram.ts';
import { imageOf } from './image-of.ts';
import { median } from './median.ts';
import { threshold } from './threshold.ts';

const gaussianOperation = operation({
  params: gaussian.params,
  sources: ['gray'],
  gives: 'image',
  plan: (scope, [source], params) => imageOf(scope, gaussian, [source], params),
});

const medianOperation = operation({
  params: median.params,
  sources: ['gray'],
  gives: 'image',
  plan: (scope, [source], params) => imageOf(scope, median, [source], params),
});

const squares = { erode, dilate, topHat } as const;

const morphologyOperation = operation({
  params: {
    operation: choice({
      default: 'erode',
      values: ['erode', 'dilate', 'topHat'],
      effect: 'Minimum or maximum within the kernel, or the difference from an opening.',
    }),
    ...morphologyParameters,
  },
  sources: ['gray'],
  gives: 'image',
  plan: (scope, [source], { operation, size }) => imageOf(scope, squares[operation], [source], { size }),
});

const thresholdOperation = operation({
  params: {
    ...threshold.params,
    level: number({
      ...threshold.params.level,
      auto: -1,
      effect: "Samples above this are set. Higher keeps only brighter samples. 'auto' uses Otsu's threshold.",
    }),
  },
  sources: ['gray'],
  gives: 'image',
  *plan(scope, [source], params) {
    if (params.level < 0) params.level = otsu(yield* histogramOf(scope, yield* scope.onArena(source)));
    return yield* imageOf(scope, threshold, [source], params);
  },
});

export const imageFilters = defineOperations({
  /**
   * Gaussian smoothing. Returns a gray image of the source's size. The border is replicated. `size` and `sigma` are in
   * pixels. Byte for byte OpenCV's GaussianBlur.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  gaussian: gaussianOperation,
  /**
   * Median over a square of `size` pixels. Returns a gray image of the source's size. The border is replicated. Byte
   * for byte OpenCV's medianBlur.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  median: medianOperation,
  /**
   * Minimum ('erode') or maximum ('dilate') of a square of `size` pixels, or the source minus its opening ('topHat':
   * bright spots smaller than the square). Returns a gray image of the source's size. Samples outside the image are
   * ignored, like in OpenCV's erode, dilate and morphologyEx.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  morphology: morphologyOperation,
  /**
   * Sets samples greater than `level` to `value` and all others to 0, like OpenCV's THRESH_BINARY. Returns a gray image
   * of the source's size. `level: 'auto'` uses the level that separates the histogram best (Otsu 1979).
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  threshold: thresholdOperation,
});
