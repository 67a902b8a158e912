/**
 * Connected components of the non-zero samples, 8-connected. Labels count from 1 in raster order of each component's
 * first pixel, and 0 is background. Outputs: the labels, and their number as a 1x1 plane.
 */
import { FoveolaError } from '../runtime/error.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import { ComponentRecord } from '../runtime/wasm/records.ts';
import type { Block, Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import type { Component } from './component-statistics.ts';
import { componentsGpu } from './components.gpu.ts';

export type { Component };

export interface Components {
  /** Format u32. */
  readonly labels: Plane;
  readonly count: number;
  /** Index is the component's label - 1. Empty unless requested. */
  readonly statistics: readonly Component[];
}

function readStatistics(scope: Scope, table: Block, count: number): Component[] {
  // There may be thousands of components, so the field offsets are looked up once.
  const { bytes, fields } = ComponentRecord;
  const at = (name: 'area' | 'left' | 'top' | 'right' | 'bottom') => fields.get(name)!.offset >> 2;
  const mean = (name: 'sumX' | 'sumY') => fields.get(name)!.offset >> 3;
  const [area, left, top, right, bottom] = [at('area'), at('left'), at('top'), at('right'), at('bottom')];
  const [sumX, sumY] = [mean('sumX'), mean('sumY')];
  const whole = scope.u32(table, (count * bytes) >> 2);
  const sums = scope.f64(table, (count * bytes) >> 3);
  return Array.from({ length: count }, (_, n) => {
    const i = (n * bytes) >> 2;
    const j = (n * bytes) >> 3;
    const pixels = whole[i + area]!;
    const x = whole[i + left]!;
    const y = whole[i + top]!;
    return {
      area: pixels,
      x,
      y,
      width: whole[i + right]! - x + 1,
      height: whole[i + bottom]! - y + 1,
      centerX: sums[j + sumX]! / pixels,
      centerY: sums[j + sumY]! / pixels,
    };
  });
}

/** Labels and, if requested, area, box and centroid of every component. The labels belong to the scope. */
export function* labelComponents(scope: Scope, source: Plane, { statistics = false } = {}): Plan<Components> {
  const { width, height } = source;
  if (width > 65535)
    throw new FoveolaError('image-too-large', `components: the image is ${width} pixels wide. The maximum is 65535.`);
  const labels = scope.plane(width, height, 'u32');
  const counts = scope.block(4 * height);
  const parents = scope.block(4 * (((width + 1) >> 1) * ((height + 1) >> 1) + 1));
  const count = yield* scope.kernels.componentsScan({ source, labels, width, height, counts, parents });
  let list: Component[] = [];
  if (statistics && count > 0) {
    const stats = scope.zeros(count * ComponentRecord.bytes);
    yield* scope.kernels.componentsStats({ labels, height, counts, parents, stats });
    list = readStatistics(scope, stats, count);
    scope.free(stats);
  }
  // Runs last, because the labels overwrite the memory of the runs that the other two kernels read.
  yield* scope.kernels.componentsLabels({ labels, width, counts, parents }, { rows: height, minimumBand: 32 });
  scope.free(counts);
  scope.free(parents);
  return { labels, count, statistics: list };
}

/** Index of the component with the most pixels, the first of equal components, or -1 without components. */
export function largestComponent(statistics: readonly Component[]): number {
  let best = -1;
  statistics.forEach((c, i) => {
    if (best < 0 || c.area > statistics[best]!.area) best = i;
  });
  return best;
}

export const components = defineStage({
  name: 'image/components',
  params: {},
  inputs: ['u8'],
  outputs: ['u32', 'u32'],
  tolerance: 0,
  fits: (gpu, [{ width, height }]) => gpu.fits(width, height),
  // In WASM, one scan joins the runs. The GPU needs a few dozen passes, some of them over points.
  pays: () => false,
  *gpu(scope, [source]) {
    return yield* componentsGpu(scope, source);
  },
  *wasm(scope, [source]) {
    const { labels, count } = yield* labelComponents(scope, source);
    const number = scope.plane(1, 1, 'u32');
    scope.u32(number, 1)[0] = count;
    return [labels, number];
  },
});
