/** So many features stand in the proportions of `npm run bench -- robust-fit pupil`. */
export const PROPORTIONED = 25;

/**
 * The confidence of the robust detector: log-odds as a sum over what assembly/pupil/search/judge-shape.ts measures, fitted to
 * rendered eyes and eyeless frames alone (tools/eyes), no real recording among them. The first 25 stand in the proportions of
 * `npm run bench -- robust-fit pupil`; their common factor, the rest and the constant come from `npm run bench -- tune pupil`, and
 * over the frames of the wide and the varied sets the best outline's confidence is calibrated.
 */
export const robustWeights: readonly (readonly [feature: string, weight: number])[] = [
  ['constant', -12.9443],
  ['support', 1.23887],
  ['support squared', 0.612076],
  ['steady', 4.38384],
  ['support x steady', 0.958389],
  ['visible', -0.171803],
  ['spread / r, at most 0.1', -77.226],
  ['spread, at most 3', 0.453466],
  ['range inside / contrast, at most 3', -1.68055],
  ['gap / contrast, -2 to 1.5', -0.0995442],
  ['inside - dark, 0 to 80', -0.0348759],
  ['axis ratio', 8.14717],
  ['longest run without support', -2.49717],
  ['cosine between gradient and normal', 6.82668],
  ['contrast / step to the ring around, at most 2', 0.419042],
  ['r / diagonal, 0.02 to 0.06', 23.0266],
  ['r / diagonal above 0.12', 7.1548],
  ['contrast, 8 to 40', -0.0729893],
  ['(inside - dark) / contrast, 0 to 4', -0.309253],
  ['step to the dark of the far ring / contrast, -1 to 3', -0.863859],
  ['rms distance of the edges, at most 2', -1.09194],
  ['share of the ring as dark as inside', 1.11442],
  ['the same above 0.25', -7.64237],
  ['third and fourth harmonic / r, at most 0.05', -29.6252],
  ['third and fourth harmonic, at most 2', 0.181704],
  ['share of the outline beyond the region', -4.049],
  ['(inside at three quarters - in the middle) / contrast, -0.5 to 1.5', -2.337],
  ['share by which contrast / step from 0.75 to 1.25 of the outline is below 0.6', -7.637],
];
