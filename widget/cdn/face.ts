/** foveola-face.cdn.js: only `<foveola-face>`, with both backends of its stages. */
export * from './common.ts';
export { FoveolaFace } from '../face/face.ts';
