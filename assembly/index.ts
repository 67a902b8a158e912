// Every kernel of the package. Kernels get pointers, allocate nothing, keep no state and return a status code.
export * from './image/gray';
export * from './image/threshold';
export * from './image/gaussian';
export * from './image/morphology';
export * from './image/gradient';
export * from './image/integral';
