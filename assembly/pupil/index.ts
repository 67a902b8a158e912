// Pupil kernels.
export { blobBorder } from './blob';
export { circleEdges } from './circle-edges';
export { castRaysFrom, fitCirclePoints, fitEllipsePoints, ransacPoints } from './parts';
export { fillReflections, fillReflectionsScratch } from './reflections';
export { searchBytes } from './search';
export { computeTiles, tileScratchBytes } from './tiles';
export {
  outlineFinish,
  pupilDark,
  starburstCandidates,
  starburstFinish,
  starburstPaper,
  starburstSearch,
  starburstTry,
} from './starburst';
export { starburstCandidates, starburstFinish, starburstPaper, starburstSearch, starburstTry } from './starburst';
export { robustSearch } from './robust';
export { robustBytes } from './robust-state';
