// The kernels of the object tracker without SIMD, for the scalar baseline: the same windows and the same results, bit for
// bit, one sample after the other, compiled at -O3 (bench/objects/parts/scalar.mjs). What has no SIMD in the package is
// taken from there. The ferns are computed in full, as sequential programs do it: no window is given up early.
export { trackPoints } from '../../../assembly/flow/track-points';
export { fernCodes, fernGather, fernWarped } from '../../../assembly/objects/ferns';
export { patchesOfBoxes, patchFromGray, pointCorrelations } from '../../../assembly/objects/patches';
export { objectVariance, windowVarianceAt } from '../../../assembly/objects/variance';
export * from './detector';
export * from './image';
