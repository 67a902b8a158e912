/** Parameters of exemplar-based inpainting, and the messages of a fill. */
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { choice, number, odd, type Values } from '../runtime/parameters.ts';

/** Messages of a fill: its progress, the reason it is impossible, and the partial image after a cancel. */

/** Argument of `onProgress`, in addition to the share of filled pixels. */
export interface InpaintProgress {
  /** Patches copied so far. */
  patches: number;
  /** Pixels that are still to be filled. */
  remaining: number;
}

const bad = (text: string) => new FoveolaError('invalid-argument', `inpaint: ${text}`);

export function checkSizes(source: Plane, mask: Plane): void {
  if (source.width !== mask.width || source.height !== mask.height)
    throw bad(
      `the mask is ${mask.width}x${mask.height}, the image ${source.width}x${source.height}. Scale the mask to the image's size.`,
    );
}

/** Error with the reason why nothing can be copied from the image. */
export function impossible({ width, height }: Plane, patch: number, unknown: number): FoveolaError {
  const least = Math.min(width, height);
  const largest = least - 1 + (least % 2);
  if (unknown === width * height)
    return bad('the mask covers the whole image. Leave some of it unmasked to copy from (0 = keep, 255 = fill).');
  if (least < patch)
    return bad(
      least < 3
        ? `the image is ${width}x${height}. Width and height must be 3 pixels or more.`
        : `the image is ${width}x${height}, smaller than the patch of ${patch}. Set patch to at most ${largest}.`,
    );
  return bad(
    `no ${patch}x${patch} patch of the image is free of the mask. Use a smaller patch, or leave more of the image unmasked.`,
  );
}

/** Adds the RGBA image so far to a cancel error. Returns other errors unchanged. */
export function interrupted(error: unknown, picture: Plane): unknown {
  if (!(error instanceof FoveolaError) || error.code !== 'aborted') return error;
  return new FoveolaError('aborted', error.message, { cause: error.cause, partial: picture.copy() });
}

/** Reports every patch. */
export class FillProgress {
  readonly #scope: Scope;
  readonly #total: number;
  #patches = 0;
  remaining: number;

  constructor(scope: Scope, total: number) {
    this.#scope = scope;
    this.#total = total;
    this.remaining = total;
  }

  patch(filled: number): void {
    if (!filled)
      throw new FoveolaError('internal', 'inpaint: a patch filled nothing. Please report this with the input.');
    this.remaining -= filled;
    const detail: InpaintProgress = { patches: ++this.#patches, remaining: this.remaining };
    this.#scope.progress(1 - this.remaining / this.#total, detail);
  }
}

/** Accepted patch sizes. */
const patchSizes = odd(3, 31);

export const inpaintParameters = {
  patch: number({
    default: 9,
    min: 3,
    max: 31,
    values: patchSizes,
    unit: 'px',
    effect: 'Side of the copied patches. Choose it slightly larger than the largest repeated detail.',
  }),
  searchWindow: number({
    default: 0,
    min: 0,
    max: 16384,
    integer: true,
    unit: 'px',
    effect:
      'Matches are found in a square of this side around the patch. 0 searches the whole image, like the published method.',
  }),
  variant: choice({
    default: 'seamless',
    values: ['seamless', 'paper'],
    effect:
      "'paper' copies the patch with the smallest color difference unchanged. 'seamless' prefers the nearer of similar patches and removes seams at the end.",
  }),
} as const;

export type FillValues = Values<typeof inpaintParameters>;
