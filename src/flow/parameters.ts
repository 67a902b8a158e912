/** The parameters that dense and sparse flow share, and those of their own. */
import { boolean, choice, number, odd, type Values } from '../runtime/parameters.ts';

/** Largest window side. */
export const largestWindow = 63;

export const pyramidParameters = {
  window: number({
    default: 21,
    min: 3,
    max: largestWindow,
    values: odd(3, largestWindow),
    unit: 'px',
    effect: 'Side of the square that moves as one; larger is steadier and blurs the borders of motion.',
  }),
  levels: number({
    default: 3,
    min: 0,
    max: 10,
    integer: true,
    effect: 'How often the frames are halved; each doubles the largest motion that is found.',
  }),
} as const;

export const sparseParameters = {
  ...pyramidParameters,
  iterations: number({ default: 30, min: 1, max: 100, integer: true, effect: 'Most iterations a level.' }),
  epsilon: number({
    default: 0.01,
    min: 0,
    max: 10,
    unit: 'px',
    effect: 'A point whose step is no longer than this is done.',
  }),
  minEigenvalue: number({
    default: 1e-4,
    min: 0,
    max: 1000,
    effect:
      "Least smaller eigenvalue of the window's structure tensor, a sample, in OpenCV's unit (derivatives in 1024ths); below it a point is lost.",
  }),
  forwardBackward: boolean({
    default: false,
    effect: 'Tracks the found points back and returns how far from their start they end.',
  }),
} as const;

/** Of a flow field, in whatever manner it is found. */
export const fieldParameters = {
  ...pyramidParameters,
  iterations: number({
    default: 10,
    min: 1,
    max: 100,
    integer: true,
    effect:
      "Iterations on the coarsest and on the finest level; those between take three tenths of them, and in the variant 'paper' all.",
  }),
  minEigenvalue: sparseParameters.minEigenvalue,
  maxForwardBackward: number({
    default: 0,
    min: 0,
    max: 1000,
    unit: 'px',
    effect:
      'Above 0: the flow is computed both ways, and a pixel that ends further than this from its start is not valid. Twice the time.',
  }),
} as const;

export type FieldValues = Values<typeof fieldParameters>;

/**
 * Share of the iterations on a level between. The coarsest one has to find the motion and the finest one its fractions; on the
 * Middlebury pairs, also with up to 30 px of motion more, 10 iterations between them led no nearer than 3 (mean endpoint error 0.3536
 * and 0.3535 px; with 3 on the coarsest as well large motions were lost).
 */
const BETWEEN = 0.3;

/** Iterations on level `n` of so many, 0 the finest, of windows that share their sums. */
export const iterationsOn = (n: number, levels: number, { iterations }: Pick<FieldValues, 'iterations'>): number =>
  n === 0 || n === levels - 1 ? iterations : Math.ceil(BETWEEN * iterations);

export const denseParameters = {
  variant: choice({
    default: 'default',
    values: ['default', 'paper'],
    effect:
      "'paper' moves a window of its own for every pixel (Bouguet); some 50 times slower. The default shares the windows' sums.",
  }),
  ...pyramidParameters,
  iterations: fieldParameters.iterations,
  minEigenvalue: fieldParameters.minEigenvalue,
  refine: boolean({
    default: false,
    effect:
      'Smooths the flow within regions and keeps its steps at edges of the image: flow everywhere, sharper borders. In WASM 3 to 4 times the time.',
  }),
  maxForwardBackward: fieldParameters.maxForwardBackward,
} as const;
