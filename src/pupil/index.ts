/** Pupil tracking. Importing registers the tracker. */
export { pupilParameters } from './parameters.ts';
export { pupilTracker } from './tracker.ts';
