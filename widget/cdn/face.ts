/** foveola-face.cdn.js: `<foveola-face>` alone, both sides of its stages. */
export * from './common.ts';
export { FoveolaFace } from '../face/face.ts';
