/** Faces: detection with a cascade, landmarks, tracking. Importing registers the calls and the tracker. */
export { loadModelsOperation } from '../models/operation.ts';
export { detectFacesOperation, landmarksOperation } from './operations.ts';
export { detectionParameters, faceTrackerParameters, landmarkParameters } from './parameters.ts';
export { faceTracker } from './tracker.ts';
export { varianceMap } from './variance-map.ts';
