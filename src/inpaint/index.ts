/** Exemplar-based inpainting. Importing registers the operation and the stages. */
export { inpaintOperation, type InpaintProgress } from './operation.ts';
export { inpaintParameters } from './parameters.ts';
