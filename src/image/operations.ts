/** The image stages as calls of the engine, for those who want one filter and no more. */
import type { GrayImage } from '../results/types.ts';
import { defineOperation } from '../runtime/capability.ts';
import { choice, number } from '../runtime/parameters.ts';
import { run } from '../runtime/stage.ts';
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
  run: ({ runtime }, planes, params) => imageOf(runtime, gaussian, planes, params),
});

export const medianOperation = defineOperation({
  name: 'median',
  params: median.params,
  sources: ['gray'],
  run: ({ runtime }, planes, params) => imageOf(runtime, median, planes, params),
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
  run: ({ runtime }, planes, { operation, size }) => imageOf(runtime, squares[operation], planes, { size }),
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
  async run({ runtime }, [plane], params) {
    if (params.level < 0) {
      await plane!.arena();
      params.level = otsu(histogramOf(runtime.wasm, plane!));
    }
    return imageOf(runtime, threshold, [plane!], params);
  },
});

export const componentsOperation = defineOperation({
  name: 'components',
  params: {},
  sources: ['gray'],
  async run({ runtime }, [plane]): Promise<ComponentsResult> {
    await plane!.arena();
    const { labels, count, statistics } = labelComponents(runtime.wasm, plane!, { statistics: true });
    try {
      const { width, height } = labels;
      return { width, height, count, labels: labels.copy() as Uint32Array, components: [...statistics] };
    } finally {
      labels.dispose();
    }
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
  async run({ runtime, slice }, [plane], { levels, ...params }): Promise<GrayImage[]> {
    const images = [await toImage(plane!)];
    let from = plane!;
    try {
      while (images.length <= levels && (from.width > 1 || from.height > 1)) {
        const [half] = await run(runtime, pyramidDown, [from], params);
        if (from !== plane) from.dispose();
        from = half!;
        images.push(await toImage(from));
        await slice();
      }
    } finally {
      if (from !== plane) from.dispose();
    }
    return images;
  },
});

export const integralOperation = defineOperation({
  name: 'integral',
  params: {},
  sources: ['gray'],
  async run({ runtime }, planes): Promise<IntegralResult> {
    const [out] = await run(runtime, integral, planes);
    try {
      const { width, height } = out!;
      return { width, height, sum: unwrapIntegral((await out!.read()) as Uint32Array, width - 1) };
    } finally {
      out!.dispose();
    }
  },
});
