// The kernels of optical flow.
export { boxColumns } from './box';
export * from './dense';
export * from './field';
export { flowMedian } from './median';
export * from './refine';
export * from './track';
