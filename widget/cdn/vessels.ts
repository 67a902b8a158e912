/** foveola-vessels.cdn.js: `<foveola-vessels>` alone, both sides of its stages. */
export * from './common.ts';
export { FoveolaVessels } from '../vessels/vessels.ts';
