// Every kernel of the package. Kernels get pointers, allocate nothing, keep no state and return a status code.
export * from './edges/index';
export * from './flow/index';
export * from './faces/index';
export * from './image/index';
export * from './inpaint/index';
export * from './objects/index';
export * from './pupil/index';
export * from './vessels/index';
