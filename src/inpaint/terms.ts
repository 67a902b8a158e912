/**
 * The two terms of the priority (Criminisi et al., equations 1 and 2) for every pixel of the front, 0 elsewhere:
 * confidence in units of 2^-31, data in units of 1 / DATA_UNIT. Front and terms in one pass.
 */
import { gray } from '../image/gray.ts';
import { defineStage } from '../runtime/stage.ts';
import { inpaintParameters } from './parameters.ts';
import { begin, pictureOf } from './picture.ts';
import { termsGpu } from './terms.gpu.ts';

export const terms = defineStage({
  name: 'inpaint/terms',
  params: { patch: inpaintParameters.patch },
  inputs: ['rgba8', 'u8'],
  outputs: ['u32', 'u32'],
  tolerance: 0,
  // The rows of the windows above and below the picture have texels of their own.
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
