import { choice, type Values } from '../../runtime/parameters.ts';
import { sigmaParameter } from './gaussian-taps.ts';

export const eigenvalueParameters = {
  sigma: sigmaParameter,
  derivative: choice({
    default: 'gaussian',
    values: ['gaussian', 'sobel', 'gradients'],
    effect:
      "Second differences of the Gaussian; Sobel derivatives of Sobel derivatives over 5x5 pixels, without sigma; or gradients of the Gaussian's gradients, over five pixels instead of three, blunter.",
  }),
} as const;

export type EigenvalueValues = Values<typeof eigenvalueParameters>;

/** 'magnitude': |first| <= |second|; 'value': first <= second. */
export type EigenvalueOrder = 'magnitude' | 'value';

/** What two Sobel filters multiply a second derivative by, and 255 gray levels. */
export const sobelUnit = 1 / (64 * 255);
