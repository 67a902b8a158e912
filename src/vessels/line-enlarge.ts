/**
 * One scale's response, from a plane halved `halvings` times, at the size of the working plane, times its weight: linear
 * interpolation between the centres of the blocks. The stage makes its first pixels, as many as the reduced plane has.
 */
import enlargeFragment from '../../glsl/vessels/line-enlarge.frag';
import { definePass } from '../runtime/pass.ts';
import { number } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { defineOldStage } from '../runtime/old-stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { packedOf } from './packed.gpu.ts';

/** Times that a plane may be halved. */
export const HALVINGS = 3;

export const lineEnlargeParameters = {
  halvings: number({ default: 0, min: 0, max: HALVINGS, integer: true, effect: 'Halvings of the plane.' }),
  weight: number({ default: 1 / 256, min: 0, max: 1 / 64, effect: 'Factor of the values.' }),
} as const;

export const lineEnlargePass = definePass({
  name: 'vessels/line-enlarge',
  fragment: enlargeFragment,
  textures: ['source'],
  uniforms: { width: 'int', halvings: 'int', weight: 'float' },
  outputs: ['response'],
});

/** Adds the response to `total` under the mask, or writes it there. */
export function accumulateWasm(
  side: WasmSide,
  { address, stride, width, height }: Plane,
  { halvings, weight }: { halvings: number; weight: number },
  mask: Plane,
  total: Plane,
  fresh: boolean,
): void {
  const source = [address, stride, width, height, 2 ** halvings, mask.address, mask.stride];
  side.bands(
    'accumulateLines',
    total.height,
    [...source, total.address, total.stride, total.width, weight, fresh ? 1 : 0],
    { scratch: 4 * width + 128 },
  );
}

export const lineEnlarge = defineOldStage({
  name: 'vessels/line-enlarge',
  params: lineEnlargeParameters,
  inputs: ['i16'],
  outputs: ['f32'],
  // Of values up to 512.
  tolerance: 1e-3,
  gpu: (side, [source], { halvings, weight }, runtime) => {
    const { width, height } = source!;
    return side.scope((_, plane) => {
      const target = plane(width, height, 'f32');
      const packed = packedOf(side, runtime.arena, source!, 'rgba16i');
      try {
        side.draw(lineEnlargePass, {
          targets: [target],
          textures: { source: packed },
          uniforms: { width, halvings, weight },
        });
      } finally {
        side.release(packed);
      }
      return [target];
    });
  },
  wasm: (side, [source], params) => {
    const total = side.plane(source!.width, source!.height, 'f32');
    const mask = side.plane(total.width, total.height, 'u8');
    side.arena.u8.fill(255, mask.address, mask.address + mask.stride * mask.height);
    accumulateWasm(side, source!, params, mask, total, true);
    mask.dispose();
    return [total];
  },
});
