/** Parameters of exemplar-based inpainting. */
import { choice, number, odd, type Values } from '../runtime/parameters.ts';

/** Accepted patch sizes. */
export const patchSizes = odd(3, 31);

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
