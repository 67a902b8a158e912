/** Long-term tracking: Tracking-Learning-Detection. Importing registers the tracker. */
export { objectParameters } from './parameters.ts';
export { objectTracker } from './tracker.ts';
