/** What the benchmarks of speed use in Node. */
export { enlarged, SIZES } from './clip.ts';
export { runClip, runSequence } from './components.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
