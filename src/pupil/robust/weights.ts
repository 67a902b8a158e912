/** Number of weights from `npm run lab -- robust-fit pupil`. */
export const PROPORTIONED = 25;

/**
 * The confidence of the robust detector: log-odds as a weighted sum of the features in
 * assembly/pupil/search/judge-shape.ts. It was fitted only to rendered eyes and frames without eyes (lab/eyes),
 * without real recordings. The first 25 weights are from `npm run lab -- robust-fit pupil`, calibrated on the best
 * outlines of the varied sets. The added ones are from `npm run lab -- tune pupil`.
 */
export const robustWeights: readonly (readonly [feature: string, weight: number])[] = [
  ['constant', -23.4891],
  ['support', 2.18495],
  ['support squared', 1.0795],
  ['steady', 7.73164],
  ['support x steady', 1.69028],
  ['visible', -0.303003],
  ['spread / r, at most 0.1', -136.201],
  ['spread, at most 3', 0.799763],
  ['range inside / contrast, at most 3', -2.96394],
  ['gap / contrast, -2 to 1.5', -0.175563],
  ['inside - dark, 0 to 80', -0.0615095],
  ['axis ratio', 14.3689],
  ['longest run without support', -4.40418],
  ['cosine between gradient and normal', 12.04],
  ['contrast / step to the ring around, at most 2', 0.739051],
  ['r / diagonal, 0.02 to 0.06', 40.6112],
  ['r / diagonal above 0.12', 12.6187],
  ['contrast, 8 to 40', -0.128729],
  ['(inside - dark) / contrast, 0 to 4', -0.545419],
  ['step to the dark of the far ring / contrast, -1 to 3', -1.52356],
  ['rms distance of the edges, at most 2', -1.92582],
  ['share of the ring as dark as inside', 1.96546],
  ['the same above 0.25', -13.4786],
  ['third and fourth harmonic / r, at most 0.05', -52.2491],
  ['third and fourth harmonic, at most 2', 0.320466],
  ['share of the outline beyond the region', -6.49],
];
