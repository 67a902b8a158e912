/** Median flow (assembly/objects/median-flow.ts) over the points that the sparse flow tracks. */
import { trackPoints } from '../flow/index.ts';
import type { Plan } from '../runtime/kernel-step.ts';
import type { RecordOf } from '../runtime/record.ts';
import { BoxMotionRecord } from '../runtime/records.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { boxOf, boxRecord } from './boxes.ts';
import { SharedFrame } from './frame.ts';
import { objectParameters, type ObjectValues } from './parameters.ts';

/** Parameters of the flow. */
export type FlowValues = Pick<ObjectValues, 'flowPoints' | 'flowWindow' | 'flowLevels' | 'flowResidual'>;

/** Where the box at `box` of the previous frame went: `motion`. */
export const trackBox = (
  scope: Scope,
  previous: SharedFrame,
  next: SharedFrame,
  box: { readonly address: number },
  motion: RecordOf<typeof BoxMotionRecord>,
  { flowPoints, flowWindow, flowLevels, flowResidual }: FlowValues,
): Plan<void> =>
  scope.part(function* (inner) {
    const count = flowPoints * flowPoints;
    const points = inner.block(8 * count);
    yield* inner.kernels.gridPoints({ box, across: flowPoints, points });
    const from = inner.f32(points, 2 * count).slice();
    const options = { window: flowWindow, levels: flowLevels, forwardBackward: true };
    const tracked = yield* trackPoints(inner, previous.pyramid, next.pyramid, from, options);
    motion.set({
      ...{ count, points: points.address, correlations: inner.block(4 * count).address },
      ...{ moved: inner.table(tracked.points).address, errors: inner.table(tracked.forwardBackward!).address },
      valid: inner.table(tracked.status).address,
    });
    yield* inner.kernels.moveBox({ previous, next, box, motion, mostResidual: flowResidual });
  });

const { flowPoints, flowWindow, flowLevels, flowResidual } = objectParameters;

/** Two frames, and a box in the first: x, y, width, height. Gives 1 and the box in the second, or 0 where it was lost. */
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
