/**
 * Removes components of the response above a threshold that are not vessels: without a strong point, small, or not
 * elongated.
 */
import { labelComponents, type Component } from '../../image/components.ts';
import { defineStage } from '../../runtime/stage.ts';

/** Size of a remaining component: number of pixels, and width and height of its box. */
export type Extent = Pick<Component, 'area' | 'width' | 'height'>;

const elongated = ({ area, width, height }: Extent, fill: number) => area <= fill * Math.max(width, height) ** 2;

/** Reads area, width and height of each from a list. */
export const extentsOf = (list: Uint32Array): Extent[] =>
  Array.from({ length: list.length / 3 }, (_, i) => ({
    area: list[3 * i]!,
    width: list[3 * i + 1]!,
    height: list[3 * i + 2]!,
  }));

/**
 * Inputs:
 * - The response.
 * - The threshold for components, and the maximum that each must exceed so that it is not noise.
 * - The minimum area.
 * - The maximum share of the square over its longer side. A line fills little of it.
 *
 * Outputs:
 * - The response, 0 in rejected components.
 * - Area, width and height of each remaining component.
 */
export const clean = defineStage({
  name: 'vessels/clean',
  params: {},
  inputs: ['f32', 'f64[]'],
  outputs: ['f32', 'u32[]'],
  tolerance: 0,
  wasmOnly: 'Components are joined on this side, by runs.',
  *wasm(scope, [source, rules]) {
    const [level, strong, area, fill] = rules as unknown as [number, number, number, number];
    const { width, height } = source;
    const target = scope.plane(width, height, 'f32');
    const mask = scope.plane(width, height, 'u8');
    yield* scope.kernels.above({ source, target: mask, width, level }, { rows: height });
    const { labels, count, statistics } = yield* labelComponents(scope, mask, { statistics: true });
    scope.free(mask);
    const maxima = scope.zeros(4 * (count + 1));
    yield* scope.kernels.componentMaxima({ labels, source, width, height, maxima });
    const strongest = scope.f32(maxima, count + 1);
    const stays = statistics.map(
      (component, i) => strongest[i + 1]! > strong && component.area >= area && elongated(component, fill),
    );
    const keep = scope.table(Uint8Array.of(0, ...stays.map(Number)));
    yield* scope.kernels.keepComponents({ source, labels, keep, target, width }, { rows: height });
    const kept = statistics.filter((_, i) => stays[i]);
    return [target, Uint32Array.from(kept.flatMap(({ area, width, height }) => [area, width, height]))];
  },
});
