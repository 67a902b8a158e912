/**
 * The confidence of the robust detector: log-odds as a sum over what assembly/pupil/robust-judge.ts measures, fitted by
 * `npm run bench -- confidence pupil` to rendered eyes and eyeless frames alone (tools/eyes), no real recording among
 * them.
 */
export const robustWeights: readonly (readonly [feature: string, weight: number])[] = [
  ['constant', -19.8807],
  ['support', 1.78738],
  ['support squared', 0.883078],
  ['steady', 6.32481],
  ['support x steady', 1.38272],
  ['visible', -0.247869],
  ['spread / r, at most 0.1', -111.418],
  ['spread, at most 3', 0.65424],
  ['range inside / contrast, at most 3', -2.42463],
  ['gap / contrast, -2 to 1.5', -0.143618],
  ['inside - dark, 0 to 80', -0.0503174],
  ['axis ratio', 11.7544],
  ['longest run without support', -3.60281],
  ['cosine between gradient and normal', 9.8492],
  ['contrast / step to the ring around, at most 2', 0.604575],
  ['r / diagonal, 0.02 to 0.06', 33.2217],
  ['r / diagonal above 0.12', 10.3226],
  ['contrast, 8 to 40', -0.105306],
  ['(inside - dark) / contrast, 0 to 4', -0.446176],
  ['step to the dark of the far ring / contrast, -1 to 3', -1.24634],
  ['rms distance of the edges, at most 2', -1.5754],
  ['share of the ring as dark as inside', 1.60783],
  ['the same above 0.25', -11.0261],
  ['third and fourth harmonic / r, at most 0.05', -42.742],
  ['third and fourth harmonic, at most 2', 0.262155],
];
