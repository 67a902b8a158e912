// The kernels of optical flow.
export * from './track';
