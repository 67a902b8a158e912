/** Faces: detection with a cascade, landmarks, tracking. Importing registers the calls and the tracker. */
export { faceOperations } from './operations.ts';
export { detectionParameters, faceTrackerParameters, landmarkParameters } from './parameters.ts';
export { faceTrackers } from './tracker.ts';
export { varianceMap } from './variance-map.ts';
