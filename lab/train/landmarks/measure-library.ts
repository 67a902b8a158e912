/** What measure.mjs uses, in one bundle. */
export { networkFaces } from '../../../src/faces/network-detector.ts';
export { expectedError, networkLandmarks } from '../../../src/faces/network-landmarks.ts';
export { findFaces } from '../../../src/faces/detector.ts';
export { fitFaces, mapBox } from '../../../src/faces/landmarks.ts';
export { resolveDetection } from '../../../src/faces/parameters.ts';
export { readCascade } from '../../../src/models/cascades.ts';
export { readJudge } from '../../../src/models/face-judge.ts';
export { readLandmarks } from '../../../src/models/landmark-models.ts';
export { readNetwork } from '../../../src/models/network.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
export { solve } from '../../../src/series/statistics.ts';
export { drive } from '../../../src/runtime/stage.ts';
export { grayOf, Renderer } from '../../faces/render/face.ts';
export { readModel } from '../../faces/render/model.ts';
export { drawSettings } from '../../faces/render/settings.ts';
