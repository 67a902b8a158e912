/** The border of one component, by a kernel that only tests call. */
import type { Components } from '../../src/image/components.ts';
import type { Address, Call, Image, Plan, Scalar } from '../../src/runtime/wasm/kernel-step.ts';
import type { Scope } from '../../src/runtime/scope.ts';

type Numbers = 'width' | 'height' | 'label' | 'left' | 'top' | 'right' | 'bottom' | 'inner';
interface TestKernels {
  componentsBorder(given: { labels: Image; list: Address } & Record<Numbers, Scalar>): Call<number>;
}
const testing = ({ kernels }: Scope) => ({ kernels: kernels as unknown as TestKernels });

/**
 * Linear indices, ascending, of the border of component `index` (its label less 1). Inner: its pixels with a
 * 4-neighbor outside of it, the image's edge counts as outside. Outer: other pixels inside the image with one of
 * their 8 neighbors in it.
 */
export function* componentBorder(
  scope: Scope,
  { labels, statistics }: Components,
  index: number,
  which: 'inner' | 'outer',
): Plan<Uint32Array> {
  const c = statistics[index]!;
  const most = which === 'inner' ? c.area : (c.width + 2) * (c.height + 2);
  const list = scope.block(4 * most);
  const { width, height } = labels;
  const box = { left: c.x, top: c.y, right: c.x + c.width - 1, bottom: c.y + c.height - 1 };
  const inner = which === 'inner';
  const given = { labels, width, height, label: index + 1, ...box, inner, list };
  const count = yield* testing(scope).kernels.componentsBorder(given);
  return scope.u32(list, count).slice();
}
