/** Exemplar-based inpainting. Importing registers the operation and the stages. */
export { fill } from './fill.ts';
export { type InpaintProgress } from './fill-report.ts';
export { match } from './match.ts';
export { inpaintOperations } from './operation.ts';
export { inpaintParameters } from './parameters.ts';
export { terms } from './terms.ts';
