/** Faces: detection with a cascade, landmarks. Importing registers the calls. */
export { detectFacesOperation, landmarksOperation } from './operations.ts';
export { detectionParameters, landmarkParameters } from './parameters.ts';
