/** What the Node tests of faces take from the sources, in one bundle. */
export * from '../../reference/faces-cascade.ts';
export * from '../../../src/faces/cascade-search.ts';
export * from '../../../src/faces/detector.ts';
export * from '../../../src/faces/grouping.ts';
export * from '../../../src/faces/parameters.ts';
export * from '../../../src/faces/resize.ts';
export * from '../../../src/faces/scales.ts';
export * from '../../../src/models/cascade.ts';
export * from '../../../src/models/cascade-xml.ts';
export * from '../../../src/models/cascades.ts';
export * from '../../../src/models/container.ts';
export * from '../../../src/models/load.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
export { createEngine } from '../../../src/index.ts';
