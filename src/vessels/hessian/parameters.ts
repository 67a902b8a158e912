import { number, choice, type Values } from '../../runtime/parameters.ts';

// Floating-point Gaussian taps: default radius ceil(3 sigma), normalized in float64, the center first.

export const maximumSigma = 32;

export const sigmaParameter = number({
  default: 2,
  min: 0.3,
  max: maximumSigma,
  unit: 'px',
  effect: 'Standard deviation of the smoothing. Larger responds to wider lines.',
});

/** Returns radius + 1 weights. The whole kernel sums to `sum`. */
export function floatTaps(sigma: number, sum = 1, radius = Math.ceil(3 * sigma)): Float32Array {
  const weights = Array.from({ length: radius + 1 }, (_, i) => Math.exp((-0.5 * i * i) / (sigma * sigma)));
  const total = weights.reduce((s, w, i) => s + (i ? 2 * w : w), 0);
  return Float32Array.from(weights, (w) => (w / total) * sum);
}

/** Radius of the Gaussian of the channel 'gradients': cut at 4 sigma, rounded half up, like scipy.ndimage. */
export const gradientRadius = (sigma: number): number => Math.floor(4 * sigma + 0.5);

export const eigenvalueParameters = {
  sigma: sigmaParameter,
  derivative: choice({
    default: 'gaussian',
    values: ['gaussian', 'sobel', 'gradients'],
    effect:
      "Second differences of the Gaussian, Sobel derivatives of Sobel derivatives over 5x5 pixels (without sigma), or gradients of the Gaussian's gradients (over five pixels instead of three, less sharp).",
  }),
} as const;

export type EigenvalueValues = Values<typeof eigenvalueParameters>;

/** 'magnitude': |first| <= |second|; 'value': first <= second. */
export type EigenvalueOrder = 'magnitude' | 'value';

/** Factor of two Sobel filters on a second derivative, and 255 gray levels. */
export const sobelUnit = 1 / (64 * 255);

// Parameters of lines, blobs and vesselness, and the values that both backends derive from them.

export const lineOrBlobParameters = {
  feature: choice({
    default: 'dark-line',
    values: ['dark-line', 'bright-line', 'dark-blob', 'bright-blob'],
    effect: 'Structures to find.',
  }),
  ...eigenvalueParameters,
} as const;

export const vesselnessParameters = {
  polarity: choice({
    default: 'dark',
    values: ['dark', 'bright'],
    effect: 'Lines darker or brighter than the background.',
  }),
  beta: number({
    default: 0.5,
    min: 0.1,
    max: 4,
    effect: 'Tolerance for l1 / l2, the roundness around a pixel. Larger accepts blobs.',
  }),
  c: number({
    default: 15 / 255,
    min: 0.005,
    max: 1,
    unit: 'gray 0..1',
    effect: 'Line strength with about half the maximum response. Larger suppresses faint lines and noise.',
  }),
} as const;

export type Feature = Values<typeof lineOrBlobParameters>['feature'];
export type LineOrBlobValues = Values<typeof lineOrBlobParameters>;
export type Measure = Values<typeof vesselnessParameters>;

/** sigma^2 with the sign of the target eigenvalues. The Sobel derivative has no sigma. */
export const factorOf = (feature: Feature, { sigma, derivative }: EigenvalueValues): number =>
  (feature.startsWith('dark') ? 1 : -1) * (derivative === 'sobel' ? 1 : sigma * sigma);

/** Kernel arguments for one scale. */
export const terms = (sigma: number, { polarity, beta, c }: Measure) => ({
  factor: (polarity === 'dark' ? 1 : -1) * sigma * sigma,
  round: 1 / (2 * beta * beta),
  faint: 1 / (2 * c * c),
});
