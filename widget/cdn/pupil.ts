/** foveola-pupil.cdn.js: `<foveola-pupil>` alone, both sides of its stages. */
export * from './common.ts';
export { FoveolaPupil } from '../pupil/pupil.ts';
