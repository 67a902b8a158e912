/** What training the judge takes from the sources, in one bundle. */
export { searchCascade } from '../../../src/faces/cascade-search.ts';
export { countWindows } from '../../../src/faces/confirmation.ts';
export { groupAll } from '../../../src/faces/grouping.ts';
export {
  bestLook,
  gradientsAt,
  gradientsOf,
  looksAt,
  looksAtSizes,
  placeOf,
  shortenCascade,
} from '../../../src/faces/judge.ts';
export { resizeExact } from '../../../src/faces/resize.ts';
export { stepAt } from '../../../src/faces/cascade-search.ts';
export { readCascade } from '../../../src/models/cascades.ts';
export { mirroredNumbers, packJudge } from '../../../src/models/face-judge.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
export { driveNow } from '../../../src/runtime/stage.ts';
export { readShard, shardName } from '../render/dataset.ts';
