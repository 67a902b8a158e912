/** foveola-pupil.cdn.js: only `<foveola-pupil>`, with both backends of its stages. */
export * from './common.ts';
export { FoveolaPupil } from '../pupil/pupil.ts';
