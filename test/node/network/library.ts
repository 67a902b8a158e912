/** What the tests of networks use, in one bundle. */
export { readNetwork, packNetwork } from '../../../src/models/network.ts';
export { runNetwork } from '../../../src/network/run.ts';
export { drive, run } from '../../../src/runtime/stage.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
export { network } from '../../reference/network.ts';
export { networkMakers } from '../../parity/network.ts';
export { resolveParameters } from '../../../src/runtime/parameters.ts';
export { findVessels } from '../../../src/vessels/vessels.ts';
export { vesselParameters } from '../../../src/vessels/parameters.ts';
export { drawnGray, drawnPhotograph } from '../../vessels/drawn.ts';
export { networkFaces } from '../../../src/faces/network-detector.ts';
export { resolveDetection } from '../../../src/faces/parameters.ts';
export { addNetworkFaces, sharedTurn } from '../../../src/faces/network-detector.ts';
export { readCascade } from '../../../src/models/cascades.ts';
export { readJudge } from '../../../src/models/face-judge.ts';
export { decoded, networkLandmarks } from '../../../src/faces/network-landmarks.ts';
export { checkBoxes } from '../../../src/faces/point-model.ts';
export { resolveLandmarks } from '../../../src/faces/parameters.ts';
