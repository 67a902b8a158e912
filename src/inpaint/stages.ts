/**
 * Finds the best match of one patch. Returns its first pixel and SSD (x, y, SSD as a plane of 3x1), or -1 if no patch
 * of this size is free of the mask. The patch is centered on (x, y) and clipped to the image.
 */
import { gray } from '../image/gray.ts';
import { defineStage } from '../runtime/stage.ts';
import { inpaintParameters } from './parameters.ts';
import { begin, pictureOf, Search } from './picture.ts';
import { termsGpu, matchGpu } from './passes.gpu.ts';
import { boolean, number } from '../runtime/parameters.ts';

// The two terms of the priority (Criminisi et al., equations 1 and 2) for every pixel of the front, 0 elsewhere.
// Confidence is in units of 2^-31, data in units of 1 / DATA_UNIT. One pass computes the front and the terms.

export const terms = defineStage({
  name: 'inpaint/terms',
  params: { patch: inpaintParameters.patch },
  inputs: ['rgba8', 'u8'],
  outputs: ['u32', 'u32'],
  tolerance: 0,
  // The rows of the windows above and below the image have separate texels.
  fits: (gpu, [{ width, height }], { patch }) => gpu.fits(width, height + patch - 1),
  *gpu(scope, [source, mask], { patch }) {
    return termsGpu(scope, source, mask, patch);
  },
  *wasm(scope, [source, mask], { patch }) {
    const { width, height } = source;
    const [image] = yield* gray.wasm(scope, [source], {});
    const filling = yield* pictureOf(scope, source, mask, patch);
    filling.set({ gray: image.address });
    yield* begin(scope, filling);
    const [confidenceTerm, dataTerm] = [scope.plane(width, height, 'u32'), scope.plane(width, height, 'u32')];
    const over = { rows: height, minimumBand: 4, cost: 5 * width };
    yield* scope.kernels.inpaintTerms({ filling, confidenceTerm, dataTerm }, over);
    return [confidenceTerm, dataTerm];
  },
});

const place = (effect: string) => number({ default: 0, min: 0, max: 66, integer: true, unit: 'px', effect });

export const match = defineStage({
  name: 'inpaint/match',
  params: {
    patch: inpaintParameters.patch,
    x: place('Center of the patch, or the last column if fewer exist.'),
    y: place('Center of the patch, or the last row if fewer exist.'),
    near: boolean({ default: false, effect: 'Adds a penalty for the distance in the image to the SSD.' }),
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
