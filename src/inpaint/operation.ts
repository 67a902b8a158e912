/**
 * engine.inpaint: Criminisi, Perez, Toyama, "Region Filling and Object Removal by Exemplar-Based Image Inpainting", IEEE
 * Transactions on Image Processing 13(9), 2004.
 */
import type { Source } from '../results/types.ts';
import { imageData, toImageData } from '../image/image-of.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { fill } from './fill.ts';
import { inpaintParameters } from './parameters.ts';

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
   * The image with the mask's pixels (those that are not 0) filled from the rest of it; the others are untouched. Mask
   * and image have one size; an empty mask gives the image back. `patch` and `searchWindow` are in pixels. `onProgress` is
   * called after every patch with the share of the pixels that are filled and an InpaintProgress. Source: Criminisi, Perez
   * and Toyama, IEEE TIP 13(9), 2004, which `variant: 'paper'` follows to the letter.
   * @throws {FoveolaError} (rejects) 'aborted' with the picture so far as `partial`, in which pixels that are not filled yet
   * are those of the image; 'invalid-argument' where mask and image differ in size or nothing can be copied; and as every
   * call, see {@link Engine}
   */
  inpaint: inpaintOperation,
});
