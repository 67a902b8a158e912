/** What the measures of eyes are fitted with, in one bundle. */
export { jointOpenness, openOf } from '../../../src/faces/face-eyes.ts';
export { outlinesOf } from '../../../src/faces/face-eyes.ts';
export { axesOf, barenessOf, gazeColumns } from '../../../src/faces/face-eyes.ts';
export { eyeWidth, measuresIn, poseOf } from '../../../src/faces/head.ts';
export { irisOf, viewOf } from '../../../src/faces/iris.ts';
export { boxAround, fitPoints } from '../../../src/faces/point-model.ts';
export { resemblance, signatureOf } from '../../../src/faces/face-track.ts';
export { reduceTo } from '../../../src/faces/resize.ts';
export { readLandmarks } from '../../../src/models/landmark-models.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
export { driveNow } from '../../../src/runtime/stage.ts';
export { solve } from '../../../src/series/statistics.ts';
