/**
 * Skeleton of the non-zero samples: thinned from the border inwards until lines one sample wide are left, 8-connected.
 * Source: Zhang and Suen, CACM 27(3), 1984.
 */
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

/** One iteration from `from` by way of `over` back to `from`; whether anything was cleared. */
export function thin(side: WasmSide, from: Plane, over: Plane): boolean {
  return side.temporary(4, (changed) => {
    side.arena.i32[changed >> 2] = 0;
    for (const [phase, a, b] of [
      [0, from, over],
      [1, over, from],
    ] as const)
      side.bands('skeletonStep', a.height, [
        ...[a.address, a.stride, b.address, b.stride, a.width, a.height, phase, changed],
      ]);
    return side.arena.i32[changed >> 2] !== 0;
  });
}

export const skeleton = defineStage({
  name: 'image/skeleton',
  params: {},
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly:
    'As many passes as the widest region has samples to its middle, each of little work: latency rules on a GPU.',
  wasm(side, [source]) {
    const { width, height, address, stride } = source!;
    const out = side.plane(width, height, 'u8');
    const over = side.plane(width, height, 'u8');
    side.arena.u8.copyWithin(out.address, address, address + stride * height);
    try {
      while (thin(side, out, over));
    } finally {
      over.dispose();
    }
    return [out];
  },
});
