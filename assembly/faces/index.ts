// Kernels of face detection, landmarks and tracking.
export { cascadeRows } from './cascade';
export { groupDegrees, groupLists, groupSearch } from './grouping';
export { halve, resizeExact, splitColumns } from './resize';
