/** Components of the response above a level that are no vessels go: without a strong point, small, or not elongated. */
import { labelComponents, type Component } from '../image/components.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

export interface CleanRules {
  /** Components that nowhere reach it are noise. */
  readonly strong: number;
  /** Least area in pixels. */
  readonly area: number;
  /** Share of the square over the box's longer side that a component may fill: a line fills little of it. */
  readonly fill: number;
}

const elongated = ({ area, width, height }: Component, fill: number) => area <= fill * Math.max(width, height) ** 2;

/** Sets the response of refused components to 0. Returns those that stay. */
export function clean(side: WasmSide, response: Plane, level: number, rules: CleanRules): Component[] {
  const { width, height } = response;
  const mask = side.plane(width, height, 'u8');
  let labels: Plane | null = null;
  try {
    side.bands('above', height, [response.address, response.stride, mask.address, mask.stride, width, level]);
    const found = side.now((scope) => labelComponents(scope, mask, { statistics: true }));
    labels = found.labels;
    const { count, statistics } = found;
    return side.temporary(5 * (count + 1), (table) => {
      const maxima = table;
      const keep = table + 4 * (count + 1);
      side.arena.u8.fill(0, table, table + 5 * (count + 1));
      const image = [labels!.address, labels!.stride];
      side.kernels.call('componentMaxima', ...image, response.address, response.stride, width, height, maxima);
      const { u8, f32 } = side.arena;
      const kept = statistics.filter((component, i) => {
        const stays =
          f32[(maxima >> 2) + i + 1]! > rules.strong &&
          component.area >= rules.area &&
          elongated(component, rules.fill);
        u8[keep + i + 1] = stays ? 1 : 0;
        return stays;
      });
      side.bands('keepComponents', height, [...image, keep, response.address, response.stride, width]);
      return kept;
    });
  } finally {
    labels?.dispose();
    mask.dispose();
  }
}
