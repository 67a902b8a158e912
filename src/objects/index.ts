/** Long-term tracking: Tracking-Learning-Detection. Importing registers the tracker. */
export { objectParameters } from './parameters.ts';
export { objectTrackers } from './tracker.ts';
