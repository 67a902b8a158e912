/** Parameters of exemplar-based inpainting. */
import { choice, number, odd, type Values } from '../runtime/parameters.ts';

/** Sides of a patch that are accepted. */
export const patchSizes = odd(3, 31);

export const inpaintParameters = {
  patch: number({
    default: 9,
    min: 3,
    max: 31,
    values: patchSizes,
    unit: 'px',
    effect: 'Side of the patches that are copied; a little larger than the largest detail that repeats.',
  }),
  searchWindow: number({
    default: 0,
    min: 0,
    max: 16384,
    integer: true,
    unit: 'px',
    effect: 'Matches come from a square of this side around the patch; 0: from the whole image, as published.',
  }),
  variant: choice({
    default: 'seamless',
    values: ['seamless', 'paper'],
    effect:
      'paper: as published, the least difference of colors wins and is copied as it is. seamless: of like matches the nearer one, and seams are taken out at the end.',
  }),
} as const;

export type FillValues = Values<typeof inpaintParameters>;
