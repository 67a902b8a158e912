// Pupil kernels.
export { blobBorder } from './blob';
export { circleEdges } from './circle-edges';
export { castRaysFrom, fitCirclePoints, fitEllipsePoints, ransacPoints } from './parts';
export { fillReflections, fillReflectionsScratch } from './reflections';
export { invertLevels } from './invert';
export { robustFind } from './robust';
export { robustEdges, robustEllipses, robustSegments } from './robust-parts';
export { robustBytes } from './robust-state';
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
