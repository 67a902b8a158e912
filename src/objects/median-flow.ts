/** Median flow (assembly/objects/median-flow.ts) over the points that the sparse flow tracks. */
import { trackPoints } from '../flow/index.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { SharedFrame } from './frame.ts';
import { callKernel } from './kernel.ts';
import type { ObjectValues } from './parameters.ts';
import type { RecordOf } from '../runtime/record.ts';
import type { BoxMotionRecord } from '../runtime/records.ts';

/** Where the box at `box` of the previous frame went: `motion`. */
export function trackBox(
  side: WasmSide,
  previous: SharedFrame,
  next: SharedFrame,
  box: number,
  motion: RecordOf<typeof BoxMotionRecord>,
  { flowPoints, flowWindow, flowLevels, flowResidual }: ObjectValues,
): void {
  const { arena, kernels } = side;
  const count = flowPoints * flowPoints;
  side.temporary(25 * count, (points) => {
    const moved = points + 8 * count;
    const errors = moved + 8 * count;
    const correlations = errors + 4 * count;
    const valid = correlations + 4 * count;
    kernels.call('gridPoints', box, flowPoints, points);
    const from = arena.f32.slice(points >> 2, moved >> 2);
    const options = { window: flowWindow, levels: flowLevels, forwardBackward: true };
    const tracked = side.now((scope) => trackPoints(scope, previous.pyramid, next.pyramid, from, options));
    arena.f32.set(tracked.points, moved >> 2);
    arena.f32.set(tracked.forwardBackward!, errors >> 2);
    arena.u8.set(tracked.status, valid);
    motion.set({ count, points, moved, valid, errors, correlations });
    callKernel(side, 'moveBox', [previous.address, next.address, box, motion.address, flowResidual], motion.address);
  });
}
