/** The channel that vessels are found in, at the photograph's size: a gray picture itself, else its green. */
import { defineStage } from '../../runtime/stage.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';

export const green = defineStage({
  name: 'vessels/green',
  params: {},
  inputs: ['rgba8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'One read of each byte: bringing the photograph to a GPU takes longer than this.',
  *wasm(scope, [source]) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.greenRows({ source, target, width }, { rows: height });
    return [target];
  },
});

export function* contrastChannel(scope: Scope, source: Plane): Plan<Plane> {
  if (source.format !== 'rgba8') return source;
  const [plane] = yield* scope.run(green, [source]);
  return plane;
}
