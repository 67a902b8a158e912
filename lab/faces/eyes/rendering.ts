/** Rendering the persons whose eyes are measured, in one bundle. */
export * from './moments.ts';
export { readShard } from '../render/dataset.ts';
export { Renderer } from '../render/face.ts';
export { readModel } from '../render/model.ts';
