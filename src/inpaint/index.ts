/** Exemplar-based inpainting. Importing registers the operation and the stages. */
export { fill } from './fill.ts';
export { type InpaintProgress } from './parameters.ts';
export { match } from './stages.ts';
export { inpaintOperations } from './fill.ts';
export { inpaintParameters } from './parameters.ts';
export { terms } from './stages.ts';
