/** Exemplar-based inpainting. Importing registers the operation and the stages. */
export { match } from './match.ts';
export { inpaintOperations, type InpaintProgress } from './operation.ts';
export { inpaintParameters } from './parameters.ts';
export { terms } from './terms.ts';
