/** foveola-track.cdn.js: `<foveola-track>` alone, both sides of its stages. */
export * from './common.ts';
export { FoveolaTrack } from '../track/track.ts';
