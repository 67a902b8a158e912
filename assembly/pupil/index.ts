// Pupil kernels.
export { fillReflections } from './reflections';
export { searchBytes } from './search';
export { computeTiles, tileScratchBytes } from './tiles';
export { starburstCandidates, starburstPaper, starburstSearch, starburstTry } from './starburst';
