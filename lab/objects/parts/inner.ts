/** What the benchmarks of the tracker's decisions use in Node: its parts, from frame to frame. */
export { APPEARANCE_RULE } from '../../../src/objects/filter-integrator.ts';
export { toPlane } from '../../../src/frames/to-plane.ts';
export { Plane } from '../../../src/runtime/plane.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
export { SharedFrame } from '../../../src/objects/frame.ts';
export { FILTER_RULE } from '../../../src/objects/filter-integrator.ts';
export { Target } from '../../../src/objects/target.ts';
export { objectParameters } from '../../../src/objects/parameters.ts';
export { resolveParameters } from '../../../src/runtime/parameters.ts';
