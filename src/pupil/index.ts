/** Pupil tracking. Importing registers the tracker. */
export { pupilParameters } from './parameters.ts';
export { pupilPresets, type PupilPreset } from './parameters.ts';
export { pupilTrackers } from './tracker/tracker.ts';
