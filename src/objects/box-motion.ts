/** Median flow as a stage: moves a box from one frame to the next. */
import { BoxMotionRecord } from '../runtime/wasm/records.ts';
import { defineStage } from '../runtime/stage.ts';
import { boxOf, boxRecord } from './detector.ts';
import { SharedFrame } from './frame.ts';
import { trackBox } from './median-flow.ts';
import { objectParameters } from './parameters.ts';

const { flowPoints, flowWindow, flowLevels, flowResidual } = objectParameters;

/**
 * Inputs: two frames, and a box in the first one (x, y, width, height). Output: 1 and the box in the second frame, or 0
 * if it was lost.
 */
export const boxMotion = defineStage({
  name: 'objects/median-flow',
  params: { flowPoints, flowWindow, flowLevels, flowResidual },
  inputs: ['u8', 'u8', 'f64[]'],
  outputs: ['f64[]'],
  tolerance: 1e-6,
  wasmOnly: 'A hundred points that each go their own way, and medians of them.',
  *wasm(scope, [from, to, given], params) {
    const previous = scope.own(yield* SharedFrame.make(scope.runtime, from, params));
    const next = scope.own(yield* SharedFrame.make(scope.runtime, to, params));
    const motion = scope.record(BoxMotionRecord);
    yield* trackBox(scope, previous, next, boxRecord(scope, given), motion, params);
    if (!motion.get('found')) return [Float64Array.of(0, NaN, NaN, NaN, NaN)];
    const { x, y, width, height } = boxOf(motion);
    return [Float64Array.of(1, x, y, width, height)];
  },
});
