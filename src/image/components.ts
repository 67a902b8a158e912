/**
 * Connected components of the non-zero samples, 8-connected. Labels count from 1 in raster order of each component's
 * first pixel; 0 is background. Outputs: labels, and their number as a plane of 1x1.
 */
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

/** One component: pixels, box (left, top, width, height) and centroid. */
export interface Component {
  readonly area: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly centreX: number;
  readonly centreY: number;
}

export interface Components {
  /** u32; the caller disposes of it. */
  readonly labels: Plane;
  readonly count: number;
  /** Component label - 1; empty unless asked for. */
  readonly statistics: readonly Component[];
}

/** Bytes of one record of the kernel's statistics. */
const RECORD = 40;

function readStatistics(side: WasmSide, address: number, count: number): Component[] {
  const { i32, f64 } = side.arena;
  return Array.from({ length: count }, (_, n) => {
    const i = (address + n * RECORD) >> 2;
    const area = i32[i]!;
    const [x, y, right, bottom] = [i32[i + 1]!, i32[i + 2]!, i32[i + 3]!, i32[i + 4]!];
    const sums = (address + n * RECORD + 24) >> 3;
    return {
      area,
      x,
      y,
      width: right - x + 1,
      height: bottom - y + 1,
      centreX: f64[sums]! / area,
      centreY: f64[sums + 1]! / area,
    };
  });
}

/** Labels and, if asked for, area, box and centroid of every component. */
export function labelComponents(side: WasmSide, source: Plane, { statistics = false } = {}): Components {
  const { width, height, stride, address } = source;
  if (width > 65535)
    throw new FoveolaError('image-too-large', `Components of images up to 65535 pixels wide, not ${width}.`);
  const labels = side.plane(width, height, 'u32');
  const parentBytes = 4 * (((width + 1) >> 1) * ((height + 1) >> 1) + 1);
  return side.temporary(4 * height + parentBytes, (counts) => {
    const parents = counts + 4 * height;
    const count = side.kernels.evaluate(
      'componentsScan',
      ...[address, stride, labels.address, labels.stride, width, height, counts, parents],
    );
    let list: Component[] = [];
    if (statistics && count > 0)
      list = side.temporary(count * RECORD, (table) => {
        side.arena.u8.fill(0, table, table + count * RECORD);
        side.kernels.call('componentsStats', labels.address, labels.stride, height, counts, parents, table);
        return readStatistics(side, table, count);
      });
    // Last, since the runs that the other two read lie where the labels go.
    side.bands('componentsLabels', height, [labels.address, labels.stride, width, counts, parents], {
      scratch: 4 * width + 64,
      minimumBand: 32,
    });
    return { labels, count, statistics: list };
  });
}

/** Index of the component with most pixels, the first of equals; -1 where there is none. */
export function largestComponent(statistics: readonly Component[]): number {
  let best = -1;
  statistics.forEach((c, i) => {
    if (best < 0 || c.area > statistics[best]!.area) best = i;
  });
  return best;
}

/**
 * Linear indices, ascending, of the border of component `index` (its label less 1). Inner: its pixels with a
 * 4-neighbour outside of it, the image's edge counts as outside. Outer: other pixels inside the image with one of
 * their 8 neighbours in it.
 */
export function componentBorder(
  side: WasmSide,
  { labels, statistics }: Components,
  index: number,
  which: 'inner' | 'outer',
): Uint32Array {
  const c = statistics[index];
  if (!c) throw new FoveolaError('invalid-argument', `There is no component ${index} with statistics.`);
  const most = which === 'inner' ? c.area : (c.width + 2) * (c.height + 2);
  return side.temporary(4 * most, (list) => {
    const { width, height, stride, address } = labels;
    const box = [c.x, c.y, c.x + c.width - 1, c.y + c.height - 1, which === 'inner' ? 1 : 0];
    const count = side.kernels.evaluate('componentsBorder', address, stride, width, height, index + 1, ...box, list);
    return new Uint32Array(side.arena.memory.buffer, list, count).slice();
  });
}

export const components = defineStage({
  name: 'image/components',
  params: {},
  inputs: ['u8'],
  outputs: ['u32', 'u32'],
  tolerance: 0,
  wasmOnly: 'Joining runs is serial; labels that spread over textures need as many passes as the longest path.',
  wasm(side, [source]) {
    const { labels, count } = labelComponents(side, source!);
    const number = side.plane(1, 1, 'u32');
    side.arena.i32[number.address >> 2] = count;
    return [labels, number];
  },
});
