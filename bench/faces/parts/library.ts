/** What the benchmarks of faces take from the sources, in one bundle. */
export { createEngine } from '../../../src/index.ts';
export { convertModel } from '../../../src/models/convert.ts';
export { readCascade } from '../../../src/models/cascades.ts';
export { readLandmarks } from '../../../src/models/landmark-models.ts';
export { boxOfShape, fitLandmarks } from '../../../src/faces/landmarks.ts';
export { groupWindows, listNeighbors } from '../../../src/faces/grouping.ts';
export { FaceDetector } from '../../../src/faces/detector.ts';
export { FaceTrackerCore } from '../../../src/faces/tracker.ts';
export { resolveDetection, resolveTracker } from '../../../src/faces/parameters.ts';
export { FlowPyramid } from '../../../src/flow/pyramid.ts';
export { trackPoints } from '../../../src/flow/sparse.ts';
export { compactTo, integral } from '../../../src/image/index.ts';
export { reduce, reduce32, reduceFloat } from '../../../src/image/reduce.ts';
export { Kernels } from '../../../src/runtime/kernels.ts';
export { threadLoop } from '../../../src/runtime/thread-pool.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
