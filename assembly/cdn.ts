// The kernels inside foveola.cdn.js: those of the capabilities that it carries.
export * from './edges/index';
export * from './flow/index';
export * from './image/index';
export * from './inpaint/index';
export * from './pupil/index';
