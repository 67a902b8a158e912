// The kernels of optical flow.
export { boxColumns } from './box';
export * from './dense';
export * from './track';
