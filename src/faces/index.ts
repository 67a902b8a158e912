/** Faces: detection with a cascade. Importing registers the call. */
export { detectFacesOperation } from './operations.ts';
export { detectionParameters } from './parameters.ts';
