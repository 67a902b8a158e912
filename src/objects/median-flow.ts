/** Median flow (assembly/objects/median-flow.ts) over the points that the sparse flow tracks. */
import { trackPoints } from '../flow/index.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import type { BoxMotionRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import type { SharedFrame } from './frame.ts';
import type { ObjectValues } from './parameters.ts';

/** Parameters of the flow. */
export type FlowValues = Pick<ObjectValues, 'flowPoints' | 'flowWindow' | 'flowLevels' | 'flowResidual'>;

/** Writes the new position of the box at `box` of the previous frame to `motion`. */
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
