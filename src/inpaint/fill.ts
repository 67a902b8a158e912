/**
 * Exemplar-based filling: choose the patch of the front with the highest priority, find its best match among all
 * patches of the source region, copy it, and update the confidence and the priorities around it. Repeat until nothing
 * is left. Then remove the seams, if requested. Source: Criminisi, Perez, Toyama, IEEE TIP 13(9), 2004.
 */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { blend, begin, copyPlane, pictureOf, possible, Search, type Filling } from './picture.ts';
import { fillGpu } from './fill.gpu.ts';
import { checkSizes, impossible, interrupted, FillProgress, inpaintParameters, type FillValues } from './parameters.ts';
import type { Source } from '../results/types.ts';
import { imageData, toImageData } from '../image/image-of.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';

/** Bytes of a row's entry in addition to the keys. */
const ROW_BYTES = 16;

/** Runs all steps before the first patch. */
function* prepare(scope: Scope, filling: Filling, source: Plane, image: Plane, patch: number): Plan<Search> {
  const search = yield* Search.of(scope, filling, patch);
  const { width, height } = source;
  const gray = scope.plane(width, height, 'u8');
  const [boxY, boxWidth, boxHeight] = [filling.get('boxY'), filling.get('boxWidth'), filling.get('boxHeight')];
  const origin = scope.block(4 * boxWidth * boxHeight);
  scope.u32(origin, boxWidth * boxHeight).fill(0xffffffff);
  filling.set({
    image: image.address,
    gray: gray.address,
    keys: scope.zeros(8 * boxWidth * boxHeight).address,
    largest: scope.zeros(ROW_BYTES * boxHeight).address,
    origin: origin.address,
  });
  yield* begin(scope, filling);
  yield* scope.kernels.grayFromRgba({ source, target: gray, width }, { rows: height });
  // A pixel of the front costs as much as a patch.
  const over = { rows: [boxY, boxY + boxHeight], minimumBand: 4, cost: 5 * boxWidth } as const;
  yield* scope.kernels.inpaintKeys({ filling }, over);
  yield* scope.kernels.inpaintChoose({ filling });
  return search;
}

/** Fills one patch. Returns the number of pixels that it filled. */
function* fillPatch(scope: Scope, filling: Filling, search: Search): Plan<number> {
  yield* search.target();
  yield* scope.kernels.inpaintBound({ filling });
  yield* search.run();
  const filled = yield* scope.kernels.inpaintFill({ filling });
  if (filled) return filled;
  // The search window is inside the hole, so search everywhere.
  yield* scope.kernels.inpaintAnywhere({ filling });
  yield* search.run();
  return yield* scope.kernels.inpaintFill({ filling });
}

function* fillOnWasm(scope: Scope, source: Plane, mask: Plane, params: FillValues): Plan<Plane> {
  const { patch, searchWindow, variant } = params;
  const near = variant === 'seamless';
  let soFar = source;
  try {
    const filling = yield* pictureOf(scope, source, mask, patch);
    const total = filling.get('unknown');
    if (total && !(yield* possible(scope, filling, patch))) throw impossible(source, patch, total);
    const image = scope.plane(source.width, source.height, 'rgba8');
    if (!total) {
      yield* copyPlane(scope, source, image);
      return image;
    }
    filling.set({ near, searchWindow });
    const search = yield* prepare(scope, filling, source, image, patch);
    soFar = image;
    const progress = new FillProgress(scope, total);
    while (progress.remaining > 0) progress.patch(yield* fillPatch(scope, filling, search));
    if (near) yield* blend(scope, filling);
    return image;
  } catch (error) {
    throw interrupted(error, soFar);
  }
}

export const fill = defineStage({
  name: 'inpaint/fill',
  params: inpaintParameters,
  inputs: ['rgba8', 'u8'],
  outputs: ['rgba8'],
  tolerance: 0,
  // The rows of the windows above and below the hole have separate texels.
  fits: (gpu, [{ width, height }], { patch }) => gpu.fits(width, height + patch - 1),
  *gpu(scope, [source, mask], params) {
    checkSizes(source, mask);
    return [yield* fillGpu(scope, yield* scope.onArena(source), yield* scope.onArena(mask), params)];
  },
  *wasm(scope, [source, mask], params) {
    checkSizes(source, mask);
    return [yield* fillOnWasm(scope, source, mask, params)];
  },
});

// engine.inpaint: Criminisi, Perez, Toyama, "Region Filling and Object Removal by Exemplar-Based Image Inpainting", IEEE
// Transactions on Image Processing 13(9), 2004.

const inpaintOperation = operationOn<[source: Source, mask: Source]>()({
  params: inpaintParameters,
  sources: ['rgba', 'gray'],
  keeps: 'asked',
  *plan(scope, [source, mask], params): Plan<ImageData> {
    const { width, height } = source;
    try {
      const [filled] = yield* scope.run(fill, [source, mask], params);
      return yield* toImageData(scope, filled);
    } catch (error) {
      if (!(error instanceof FoveolaError) || !(error.partial instanceof Uint8Array)) throw error;
      const partial = imageData(error.partial as Uint8Array<ArrayBuffer>, width, height);
      throw new FoveolaError(error.code, error.message, { cause: error.cause, partial });
    }
  },
});

export const inpaintOperations = defineOperations({
  /**
   * Fills the pixels of the mask (those that are not 0) from the rest of the image. Other pixels are unchanged. Mask
   * and image must have the same size. With an empty mask, returns the image unchanged. `patch` and `searchWindow` are
   * in pixels. `onProgress` is called after every patch with the share of filled pixels and an InpaintProgress. Source:
   * Criminisi, Perez and Toyama, IEEE TIP 13(9), 2004. `variant: 'paper'` follows it exactly.
   * @throws {FoveolaError} (rejects) 'aborted' with the image so far as `partial`, where pixels that are not filled yet
   * have their original values. 'invalid-argument' if mask and image differ in size or nothing can be copied. And as
   * every call, see {@link Engine}
   */
  inpaint: inpaintOperation,
});
