/** foveola-vessels.cdn.js: only `<foveola-vessels>`, with both backends of its stages. */
export * from './common.ts';
export { FoveolaVessels } from '../vessels/vessels.ts';
