/**
 * The confidence of the robust detector: log-odds as a sum over what assembly/pupil/robust-judge.ts measures, fitted by
 * `npm run bench -- confidence pupil` to rendered eyes and eyeless frames alone (tools/eyes), no real recording among
 * them.
 */
export const robustWeights: readonly (readonly [feature: string, weight: number])[] = [
  ['constant', -19.817],
  ['support', 1.99678],
  ['support squared', 0.539258],
  ['steady', 6.01957],
  ['support x steady', 0.79397],
  ['visible', -0.419418],
  ['spread / r, at most 0.1', -110.153],
  ['spread, at most 3', 0.330099],
  ['range inside / contrast, at most 3', -2.09137],
  ['gap / contrast, -2 to 1.5', 0.00879018],
  ['inside - dark, 0 to 80', -0.056534],
  ['axis ratio', 11.4078],
  ['longest run without support', -4.64341],
  ['cosine between gradient and normal', 10.9585],
  ['contrast / step to the ring around, at most 2', 0.698603],
  ['r / diagonal, 0.02 to 0.06', 41.9519],
  ['r / diagonal above 0.12', 11.3482],
  ['contrast, 8 to 40', -0.0984189],
  ['(inside - dark) / contrast, 0 to 4', -0.475757],
  ['step to the dark of the far ring / contrast, -1 to 3', -1.59855],
  ['rms distance of the edges, at most 2', -1.68813],
  ['share of the ring as dark as inside', 0.296493],
  ['the same above 0.25', -11.2313],
  ['third and fourth harmonic / r, at most 0.05', -41.0112],
  ['third and fourth harmonic, at most 2', 0.239548],
];
