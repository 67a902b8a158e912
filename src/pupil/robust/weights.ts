/**
 * The confidence of the robust detector: log-odds as a sum over what assembly/pupil/search/judge-shape.ts measures, fitted by
 * `npm run bench -- tune pupil` to rendered eyes and eyeless frames alone (tools/eyes), no real recording among them; then
 * scaled and shifted so that over the frames of the wide and the varied sets the best outline's confidence is calibrated.
 */
export const robustWeights: readonly (readonly [feature: string, weight: number])[] = [
  ['constant', -26.1469],
  ['support', 3.62109],
  ['support squared', 1.43272],
  ['steady', 4.4855],
  ['support x steady', -0.38078],
  ['visible', -1.00501],
  ['spread / r, at most 0.1', -97.8794],
  ['spread, at most 3', 1.00096],
  ['range inside / contrast, at most 3', -0.881284],
  ['gap / contrast, -2 to 1.5', -0.380775],
  ['inside - dark, 0 to 80', -0.00327666],
  ['axis ratio', 8.25502],
  ['longest run without support', -1.73329],
  ['cosine between gradient and normal', 20.2744],
  ['contrast / step to the ring around, at most 2', -0.495878],
  ['r / diagonal, 0.02 to 0.06', 20.7119],
  ['r / diagonal above 0.12', 2.0371],
  ['contrast, 8 to 40', -0.0884465],
  ['(inside - dark) / contrast, 0 to 4', -0.155824],
  ['step to the dark of the far ring / contrast, -1 to 3', -1.022],
  ['rms distance of the edges, at most 2', -0.809927],
  ['share of the ring as dark as inside', -1.01132],
  ['the same above 0.25', -3.95091],
  ['third and fourth harmonic / r, at most 0.05', -37.5711],
  ['third and fourth harmonic, at most 2', 0.329675],
  ['share of the outline beyond the region', -5.30419],
  ['(inside at three quarters - in the middle) / contrast, -0.5 to 1.5', -1.99935],
  ['contrast / step from 0.75 to 1.25 of the outline, at most 2', -0.401406],
  ['the same below 0.6', -8.38849],
];
