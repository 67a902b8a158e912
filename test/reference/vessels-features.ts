/** Lines and blobs (paper 003, figure 1) and Frangi's vesselness (1998, equation 15) from float64 eigenvalues. */
import { make, type ReferenceImage } from './image.ts';
import { eigenvalues, secondDerivatives } from './vessels-hessian.ts';

type Derivatives = { sigma: number; derivative: 'gaussian' | 'sobel' | 'gradients' };
type Feature = 'dark-line' | 'bright-line' | 'dark-blob' | 'bright-blob';
type Measure = { polarity: 'dark' | 'bright'; beta: number; c: number };

/** By magnitude, times sigma^2, negated where bright structures are sought. */
function normalised(source: ReferenceImage, params: Derivatives, sign: number) {
  const [h, v, d] = secondDerivatives(source, params);
  const factor = sign * (params.derivative === 'sobel' ? 1 : params.sigma ** 2);
  return (x: number, y: number): [number, number] => {
    const [low, high] = eigenvalues(h(x, y), d(x, y), v(x, y));
    return Math.abs(low) <= Math.abs(high) ? [factor * low, factor * high] : [factor * high, factor * low];
  };
}

export function lineOrBlob(
  [source]: readonly ReferenceImage[],
  { feature, ...params }: Derivatives & { feature: Feature },
): ReferenceImage[] {
  const lambda = normalised(source!, params, feature.startsWith('dark') ? 1 : -1);
  const strength = (x: number, y: number) => {
    const [l1, l2] = lambda(x, y);
    if (l2 <= 0) return 0;
    return feature.endsWith('line') ? l2 - Math.abs(l1) : Math.max(0, l1);
  };
  return [make(source!.width, source!.height, 'f32', strength)];
}

export function vesselnessOf(source: ReferenceImage, sigmas: readonly number[], measure: Measure): ReferenceImage {
  const { polarity, beta, c } = measure;
  const scales = sigmas.map((sigma) =>
    normalised(source, { sigma, derivative: 'gaussian' }, polarity === 'dark' ? 1 : -1),
  );
  return make(source.width, source.height, 'f32', (x, y) =>
    Math.max(
      ...scales.map((lambda) => {
        const [l1, l2] = lambda(x, y);
        if (l2 <= 0) return 0;
        return Math.exp(-((l1 / l2) ** 2) / (2 * beta ** 2)) * (1 - Math.exp(-(l1 ** 2 + l2 ** 2) / (2 * c ** 2)));
      }),
    ),
  );
}

export function vesselness(
  [source]: readonly ReferenceImage[],
  { sigma, sigmaStep, sigmaCount, ...measure }: Measure & { sigma: number; sigmaStep: number; sigmaCount: number },
): ReferenceImage[] {
  const sigmas = Array.from({ length: sigmaCount }, (_, i) => sigma + i * sigmaStep);
  return [vesselnessOf(source!, sigmas, measure)];
}
