/**
 * The confidence of an outline by both opinions: log-odds as a weighted sum (./opinion.ts). Fitted to rendered eyes alone by
 * `node lab/train/eyes/fit.mjs`.
 */
export const opinionWeights: readonly (readonly [feature: string, weight: number])[] = [
  ['constant', -9.04964],
  ['log-odds of the search', 0.165285],
  ['pupil inside', 1.65964],
  ['pupil in common', 11.3541],
  ['ratio of areas', -2.99673],
  ['opening inside', 0.571778],
  ['iris inside', 0.507804],
];
