/** Optical flow: sparse and dense pyramidal Lucas-Kanade. Importing registers the operations. */
import './optical-flow.ts';
import './optical-flow.ts';

export { FlowPyramid, type FlowPyramidOptions } from './pyramid.ts';
export { trackPoints, type TrackedPoints, type TrackPointsOptions } from './track-points.ts';
export type { OpticalFlowResult } from './optical-flow.ts';
