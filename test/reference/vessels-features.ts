/** Lines and blobs (paper 003, figure 1) and Frangi's vesselness (1998, equation 15) from float64 eigenvalues. */
import type { Reference, ReferenceImage, ReferenceValue } from './image.ts';
import { eigenvalues, hessian, secondDerivatives } from './vessels-hessian.ts';

type Derivatives = { sigma: number; derivative: 'gaussian' | 'sobel' | 'gradients' };
type Feature = 'dark-line' | 'bright-line' | 'dark-blob' | 'bright-blob';
type Measure = { polarity: 'dark' | 'bright'; beta: number; c: number };

/** By magnitude, times sigma^2, negated where bright structures are sought. */
function normalized(source: ReferenceImage, params: Derivatives, sign: number) {
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
): ReferenceValue[] {
  const { width, height } = source!;
  const lambda = normalized(source!, params, feature.startsWith('dark') ? 1 : -1);
  const strength = (x: number, y: number) => strengthOf(feature, lambda(x, y));
  return [Float32Array.from({ length: width * height }, (_, i) => strength(i % width, Math.floor(i / width)))];
}

/** Of eigenvalues times the factor, |l1| <= |l2|. */
function strengthOf(feature: Feature, [l1, l2]: readonly [number, number]): number {
  if (l2 <= 0) return 0;
  return feature.endsWith('line') ? l2 - Math.abs(l1) : Math.max(0, l1);
}

/** The same of maps of eigenvalues. */
export function featureOfMaps(
  [first, second]: readonly ReferenceImage[],
  { feature, sigma, derivative }: Derivatives & { feature: Feature },
): ReferenceValue[] {
  const factor = (feature.startsWith('dark') ? 1 : -1) * (derivative === 'sobel' ? 1 : sigma ** 2);
  const data = Float32Array.from(first!.data, (l1, i) => strengthOf(feature, [factor * l1, factor * second!.data[i]!]));
  return [{ ...first!, data }];
}

/** Lists as images of the source's size. */
const asImages = ({ width, height }: ReferenceImage, lists: readonly ReferenceValue[]): ReferenceValue[] =>
  lists.map((data) => ({ width, height, format: 'f32', data: data as Float32Array }));

/** What 32-bit floats leave of an eigenvalue, as far as signs go, and of a measure. */
const ROUNDING = 8e-6;
const NEAR = 4e-3;

/**
 * The largest measure and its sigma. The measure jumps where the two eigenvalues are as large as each other and of
 * opposite sign: a saddle, of which the last bit decides whether it is a dark line or a bright one. NaN where that
 * decides or a small c or beta magnifies it, and for the sigma where two scales are about equally good or none is any.
 */
export function vesselness(
  [source, sigmas]: readonly [ReferenceImage, Float64Array],
  { polarity, beta, c, bestSigma }: Measure & { bestSigma: boolean },
): ReferenceValue[] {
  const { width, height } = source;
  const sign = polarity === 'dark' ? 1 : -1;
  const scales = Array.from(sigmas, (sigma) => normalized(source, { sigma, derivative: 'gaussian' }, sign));
  const response = new Float32Array(width * height);
  const winners = new Float32Array(bestSigma ? width * height : 0);
  for (let i = 0; i < width * height; i++) {
    const found = scales.map((lambda, k) => {
      const [l1, l2] = lambda(i % width, Math.floor(i / width));
      const at = (a: number, b: number) =>
        Math.exp(-((a / b) ** 2) / (2 * beta ** 2)) * (1 - Math.exp(-(a ** 2 + b ** 2) / (2 * c ** 2)));
      const value = at(l1, l2);
      const rounding = ROUNDING * sigmas[k]! ** 2;
      const steep = [1, -1].some(
        (to) => Math.abs(at(l1 + (to * rounding) / 16, l2 + rounding / 16) - value) > NEAR / 4,
      );
      const open = Math.abs(l1 + l2) < rounding || steep;
      return { value: l2 > 0 || open ? value || 0 : 0, open, sigma: sigmas[k]! };
    });
    const certain = Math.max(0, ...found.map(({ value, open }) => (open ? 0 : value)));
    const uncertain = Math.max(0, ...found.map(({ value, open }) => (open ? value : 0)));
    response[i] = uncertain > certain + NEAR / 8 ? NaN : certain;
    if (!bestSigma) continue;
    const [first, second] = [...found, { value: 0, sigma: 0 }].sort((a, b) => b.value - a.value);
    winners[i] = uncertain > certain || first!.value < second!.value + NEAR ? NaN : first!.sigma;
  }
  return [response, winners];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'vessels/line-or-blob': lineOrBlob,
  'vessels/vesselness': vesselness as Reference,
  'vessels/feature-of-maps': featureOfMaps as Reference,
  'vessels/eigenvalue-maps': ((inputs: readonly ReferenceImage[], params: Parameters<typeof hessian>[1]) =>
    asImages(inputs[0]!, hessian(inputs, params))) as Reference,
  'vessels/vesselness-maps': ((inputs: readonly [ReferenceImage, Float64Array], params: Measure) =>
    asImages(inputs[0], vesselness(inputs, { ...params, bestSigma: true }))) as Reference,
};
