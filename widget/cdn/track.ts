/** foveola-track.cdn.js: only `<foveola-track>`, with both backends of its stages. */
export * from './common.ts';
export { FoveolaTrack } from '../track/track.ts';
