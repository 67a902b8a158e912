// Kernels of face detection, landmarks and tracking.
export { cascadeRows, varianceMap } from './cascade';
export { fitLandmarks } from './landmarks';
export { groupDegrees, groupLists, groupSearch } from './grouping';
export { halve, resizeExact, splitColumns } from './resize';
