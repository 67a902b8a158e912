// Pupil kernels.
export { castRaysFrom, fitCirclePoints, fitEllipsePoints, ransacPoints } from './parts';
export { fillReflections } from './reflections';
export { searchBytes } from './search';
export { computeTiles, tileScratchBytes } from './tiles';
export { starburstCandidates, starburstFinish, starburstPaper, starburstSearch, starburstTry } from './starburst';
