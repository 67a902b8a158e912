// The kernels of the object tracker without SIMD, for the scalar baseline: the same windows and the same results, bit for
// bit, one sample after the other, compiled at -O3 (lab/objects/parts/scalar.mjs). What has no SIMD in the package is
// taken from there. The ferns are computed in full, as sequential programs do it: no window is given up early.
export { trackPoints } from '../../../assembly/flow/track-points';
export { compareCandidates, compareCandidatesScratch, fernGather } from '../../../assembly/objects/detector-candidates';
export { fernPosteriors } from '../../../assembly/objects/ferns-counts';
export {
  integrate,
  integrateScratch,
  trackBelief,
  trackBeliefScratch,
} from '../../../assembly/objects/target-integrator';
export * from '../../../assembly/objects/learner';
export { gridPoints, moveBox, moveBoxScratch } from '../../../assembly/objects/median-flow';
export { nearestWindows, nearestWindowsScratch } from '../../../assembly/objects/windows-nearest';
export { objectVariance } from '../../../assembly/objects/detector-variance';
export * from './detector';
export * from './image';
