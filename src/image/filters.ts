/** The image stages that make one picture of another, as calls of the engine: each is a filter of `<foveola-filter>` too. */
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
   * Gaussian smoothing: a gray image of the source's size, the border replicated. `size` and `sigma` are in pixels. Byte
   * for byte OpenCV's GaussianBlur.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  gaussian: gaussianOperation,
  /**
   * The median over a square of `size` pixels: a gray image of the source's size, the border replicated. Byte for byte
   * OpenCV's medianBlur.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  median: medianOperation,
  /**
   * The least ('erode') or greatest ('dilate') sample of a square of `size` pixels, or the source without its opening
   * ('topHat': bright spots smaller than the square): a gray image of the source's size. What lies outside of the image
   * does not count, as in OpenCV's erode, dilate and morphologyEx.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  morphology: morphologyOperation,
  /**
   * `value` where a sample is greater than `level`, else 0: a gray image of the source's size, as OpenCV's THRESH_BINARY.
   * `level: 'auto'` takes the level that parts the histogram best (Otsu 1979).
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  threshold: thresholdOperation,
});
