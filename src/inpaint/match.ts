/**
 * The best match of one patch: first pixel and SSD (x, y, SSD as a plane of 3x1), -1 where no patch of its size is free
 * of the mask. The patch lies around (x, y), clipped to the image.
 */
import { boolean, number } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { matchGpu } from './match.gpu.ts';
import { inpaintParameters } from './parameters.ts';
import { pictureOf, Search } from './picture.ts';

const place = (effect: string) => number({ default: 0, min: 0, max: 66, integer: true, unit: 'px', effect });

export const match = defineStage({
  name: 'inpaint/match',
  params: {
    patch: inpaintParameters.patch,
    x: place('Center of the patch; the last column where there are fewer.'),
    y: place('Center of the patch; the last row where there are fewer.'),
    near: boolean({ default: false, effect: 'Adds a penalty for the distance in the picture to the SSD.' }),
  },
  inputs: ['rgba8', 'u8'],
  outputs: ['i32'],
  tolerance: 0,
  *gpu(scope, [source, mask], params) {
    return [matchGpu(scope, source, mask, params)];
  },
  *wasm(scope, [source, mask], { patch, x, y, near }) {
    const filling = yield* pictureOf(scope, source, mask, patch);
    const search = yield* Search.of(scope, filling, patch);
    filling.set({ near, x: Math.min(x, source.width - 1), y: Math.min(y, source.height - 1) });
    yield* search.target();
    yield* search.run();
    const found = yield* scope.kernels.inpaintMatch({ filling });
    const out = scope.plane(3, 1, 'i32');
    const match = [filling.get('matchX'), filling.get('matchY'), filling.get('matchSsd')];
    scope.arena.i32.set(found ? match : [-1, -1, -1], out.address >> 2);
    return [out];
  },
});
