/** The common parameters of dense and sparse flow, and the parameters specific to each. */
import { boolean, choice, number, odd, type Values } from '../runtime/parameters.ts';

/** Maximum window size. */
export const largestWindow = 63;

export const pyramidParameters = {
  window: number({
    default: 21,
    min: 3,
    max: largestWindow,
    values: odd(3, largestWindow),
    unit: 'px',
    effect: 'Side of the square that moves as one. Larger is more stable and blurs motion borders.',
  }),
  levels: number({
    default: 3,
    min: 0,
    max: 10,
    integer: true,
    effect: 'Number of pyramid levels below full size. Each level doubles the largest measurable motion.',
  }),
} as const;

export const sparseParameters = {
  ...pyramidParameters,
  iterations: number({
    default: 30,
    min: 1,
    max: 100,
    integer: true,
    effect: 'Maximum number of iterations per level.',
  }),
  epsilon: number({
    default: 0.01,
    min: 0,
    max: 10,
    unit: 'px',
    effect: 'Iteration stops if the step is no longer than this.',
  }),
  minEigenvalue: number({
    default: 1e-4,
    min: 0,
    max: 1000,
    effect:
      "Minimum eigenvalue of the window's structure tensor per sample, in OpenCV's unit (derivatives in 1024ths). Points below it are lost.",
  }),
  forwardBackward: boolean({
    default: false,
    effect: 'Tracks the found points back and returns their distance from the start.',
  }),
} as const;

/** Parameters of a flow field, for every way to compute it. */
export const fieldParameters = {
  ...pyramidParameters,
  iterations: number({
    default: 10,
    min: 1,
    max: 100,
    integer: true,
    effect: "Iterations on the coarsest and finest levels. Levels between them use 30 %, or 100 % with 'paper'.",
  }),
  minEigenvalue: sparseParameters.minEigenvalue,
  maxForwardBackward: number({
    default: 0,
    min: 0,
    max: 1000,
    unit: 'px',
    effect:
      'Above 0, flow is computed both ways, and pixels that end farther than this from their start are invalid. Takes twice the time.',
  }),
} as const;

export type FieldValues = Values<typeof fieldParameters>;

/**
 * Share of the iterations on levels between the coarsest and the finest. The coarsest level has to find the motion, and
 * the finest one the subpixel part. 10 iterations between them did not improve the accuracy of 3 on the Middlebury
 * pairs, even with up to 30 px of additional motion (mean endpoint error 0.3536 and 0.3535 px). With 3 on the coarsest
 * level as well, large motions were lost.
 */
const BETWEEN = 0.3;

/** Number of iterations on level `n` of `levels` (0 is the finest), for windows that share their sums. */
export const iterationsOn = (n: number, levels: number, { iterations }: Pick<FieldValues, 'iterations'>): number =>
  n === 0 || n === levels - 1 ? iterations : Math.ceil(BETWEEN * iterations);

export const denseParameters = {
  variant: choice({
    default: 'default',
    values: ['default', 'paper'],
    effect:
      "'paper' moves a separate window for every pixel (Bouguet) and is about 50 times slower. 'default' shares the windows' sums.",
  }),
  ...pyramidParameters,
  iterations: fieldParameters.iterations,
  minEigenvalue: fieldParameters.minEigenvalue,
  refine: boolean({
    default: false,
    effect:
      'Smooths the flow within regions and keeps its steps at image edges. Flow is dense with sharper borders. Takes 3 to 4 times as long on the CPU.',
  }),
  maxForwardBackward: fieldParameters.maxForwardBackward,
} as const;
