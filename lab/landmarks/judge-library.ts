/** What the confidence of a model is learned with: the kernels, as the library calls them. */
export { Runtime } from '../../src/runtime/runtime.ts';
export { driveNow } from '../../src/runtime/stage.ts';
export { fitFaces } from '../../src/faces/landmarks.ts';
export { openLandmarks, withConfidence } from '../../src/models/landmarks.ts';
