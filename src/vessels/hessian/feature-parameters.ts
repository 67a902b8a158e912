/** Parameters of lines, blobs and vesselness, and what both sides compute from them. */
import { choice, number, type Values } from '../../runtime/parameters.ts';
import { eigenvalueParameters, type EigenvalueValues } from './eigenvalue-parameters.ts';

export const lineOrBlobParameters = {
  feature: choice({
    default: 'dark-line',
    values: ['dark-line', 'bright-line', 'dark-blob', 'bright-blob'],
    effect: 'What is looked for.',
  }),
  ...eigenvalueParameters,
} as const;

export const vesselnessParameters = {
  polarity: choice({
    default: 'dark',
    values: ['dark', 'bright'],
    effect: 'Lines darker or brighter than their ground.',
  }),
  beta: number({
    default: 0.5,
    min: 0.1,
    max: 4,
    effect: 'How round a pixel’s surroundings may be: of l1 / l2; larger lets blobs through.',
  }),
  c: number({
    default: 15 / 255,
    min: 0.005,
    max: 1,
    unit: 'gray 0..1',
    effect: 'Strength of a line that counts as half seen, about; larger keeps faint lines and noise down.',
  }),
} as const;

export type Feature = Values<typeof lineOrBlobParameters>['feature'];
export type LineOrBlobValues = Values<typeof lineOrBlobParameters>;
export type Measure = Values<typeof vesselnessParameters>;

/** sigma^2 with the sign of the eigenvalues sought; the Sobel derivative has no sigma. */
export const factorOf = (feature: Feature, { sigma, derivative }: EigenvalueValues): number =>
  (feature.startsWith('dark') ? 1 : -1) * (derivative === 'sobel' ? 1 : sigma * sigma);

/** What the kernels take for one scale. */
export const terms = (sigma: number, { polarity, beta, c }: Measure) => ({
  factor: (polarity === 'dark' ? 1 : -1) * sigma * sigma,
  round: 1 / (2 * beta * beta),
  faint: 1 / (2 * c * c),
});
