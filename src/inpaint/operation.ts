/**
 * engine.inpaint: Criminisi, Perez, Toyama, "Region Filling and Object Removal by Exemplar-Based Image Inpainting", IEEE
 * Transactions on Image Processing 13(9), 2004.
 */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn, type CallContext } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import { sideOf } from '../runtime/side.ts';
import type { Fill, FillOptions } from './fill.ts';
import { GpuFill } from './gpu-fill.ts';
import { match } from './match.ts';
import { inpaintParameters } from './parameters.ts';
import { WasmFill } from './wasm-fill.ts';

/** What `onProgress` is told beside the share of the pixels that are filled. */
export interface InpaintProgress {
  /** Patches copied so far. */
  patches: number;
  /** Pixels that are still to be filled. */
  remaining: number;
}

const bad = (text: string) => new FoveolaError('invalid-argument', `inpaint: ${text}`);

/** The pixels with their size; a plain object of the same shape where there is no ImageData (Node). */
function toImageData(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): ImageData {
  if (typeof ImageData === 'undefined') return { data, width, height, colorSpace: 'srgb' } as ImageData;
  return new ImageData(data, width, height);
}

function checkSizes(source: Plane, mask: Plane): void {
  if (source.width !== mask.width || source.height !== mask.height)
    throw bad(
      `the mask is ${mask.width}x${mask.height}, the image ${source.width}x${source.height}; scale the mask to the image's size.`,
    );
}

/** Why nothing can be copied from the image. */
function impossible(source: Plane, { patch }: FillOptions, unknown: number): FoveolaError {
  const { width, height } = source;
  const least = Math.min(width, height);
  const largest = least - 1 + (least % 2);
  if (unknown === width * height)
    return bad('the mask covers the whole image; leave some of it unmasked to copy from (0 = keep, 255 = fill).');
  if (least < patch)
    return bad(
      least < 3
        ? `the image is ${width}x${height}; both sides must be at least 3 pixels.`
        : `the image is ${width}x${height}, smaller than the patch of ${patch}; set patch to at most ${largest}.`,
    );
  return bad(
    `no ${patch}x${patch} patch of the image is free of the mask; use a smaller patch, or leave more of the image unmasked.`,
  );
}

async function fillAll(context: CallContext, fill: Fill): Promise<void> {
  let patches = 0;
  let remaining = fill.total;
  while (fill.remaining > 0)
    for (const filled of await fill.next(() => context.slice())) {
      patches++;
      remaining -= filled;
      const detail: InpaintProgress = { patches, remaining };
      context.progress(1 - remaining / fill.total, detail);
      await context.slice();
    }
}

function fillOn({ runtime }: CallContext, source: Plane, mask: Plane, options: FillOptions): Fill {
  if (sideOf(runtime, match, [source, mask]) === 'gpu')
    return new GpuFill(runtime.gpu!, runtime.wasm, source, mask, options);
  return new WasmFill(runtime.wasm, source, mask, options);
}

const inpaintOperation = operationOn<[source: Source, mask: Source]>()({
  params: inpaintParameters,
  sources: ['rgba', 'gray'],
  async run(context, [source, mask], options): Promise<ImageData> {
    checkSizes(source!, mask!);
    await source!.arena();
    await mask!.arena();
    const { width, height } = source!;
    const fill = fillOn(context, source!, mask!, options);
    try {
      if (!(await fill.start(() => context.slice()))) throw impossible(source!, options, fill.total);
      await fillAll(context, fill);
      if (fill.total && options.variant === 'seamless') await fill.blend(() => context.slice());
      return toImageData(await fill.read(), width, height);
    } catch (error) {
      if (!(error instanceof FoveolaError) || error.code !== 'aborted') throw error;
      const partial = toImageData(await fill.read(), width, height);
      throw new FoveolaError('aborted', error.message, { cause: error.cause, partial });
    } finally {
      fill.dispose();
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
