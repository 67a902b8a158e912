// Every kernel of the package. Kernels get pointers, allocate nothing, keep no state and return a status code.
export * from './image/compact';
export * from './image/components';
export * from './image/gaussian';
export * from './image/gradient';
export * from './image/gray';
export * from './image/histogram';
export * from './image/integral';
export * from './image/median';
export * from './image/median3';
export * from './image/morphology';
export * from './image/pyramid';
export * from './image/reduce';
export * from './image/scan';
export * from './image/threshold';
export * from './pupil/index';
