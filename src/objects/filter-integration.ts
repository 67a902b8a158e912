/**
 * The integrator of the default variant as a stage: a target is learned in one frame, then followed and found in the
 * next one.
 */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { boolean } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { BeliefRecord, BoxMotionRecord, ObjectModelRecord } from '../runtime/wasm/records.ts';
import { defineStage } from '../runtime/stage.ts';
import { boxRecord } from './detector.ts';
import { SharedFrame } from './frame.ts';
import { detectionList } from './integration.ts';
import { FilterIntegrator } from './filter-integrator.ts';
import { trackBox } from './median-flow.ts';
import { objectParameters } from './parameters.ts';

const { minConfidence, learning, nearestThreshold, flowPoints, flowWindow, flowLevels, flowResidual } =
  objectParameters;

/** Adds a copy of these colors to the frame. */
function color(scope: Scope, frame: Plane, colors: Plane): void {
  const copy = scope.plane(colors.width, colors.height, 'u8');
  scope.arena.u8.copyWithin(copy.address, colors.address, colors.address + colors.stride * colors.height);
  frame.colors = copy;
}

/**
 * Inputs: two frames, the target's box in the first one (x, y, width, height), and detections in the second one (box,
 * relative and conservative similarity of each). With `colored`, also the colors of the frames (U and V side by side,
 * in the first half of the rows). Outputs: whether there is a result, the box, its confidence, whether it may be
 * learned, which part found it, and the usual response. Then the first eight values again, for the same target after a
 * loss.
 */
export const objectFilterIntegration = defineStage({
  name: 'objects/filter-integration',
  params: {
    minConfidence,
    learning,
    nearestThreshold,
    flowPoints,
    flowWindow,
    flowLevels,
    flowResidual,
    colored: boolean({ default: false, effect: 'The target also has a color model.' }),
  },
  inputs: ['u8', 'u8', 'f64[]', 'f64[]', 'u8', 'u8'],
  outputs: ['f64[]'],
  tolerance: 0.02,
  wasmOnly: 'A few windows, looked at one after the other: where the next one lies depends on the last.',
  *wasm(
    scope,
    [first, second, given, detections, firstColors, secondColors],
    { minConfidence, learning, nearestThreshold, colored, ...flow },
  ) {
    const { runtime } = scope;
    const [width = 1, height = 1] = given.subarray(2);
    const hasColors = colored && Math.min(first.width, first.height) > 1;
    const integrator = new FilterIntegrator(scope, { width, height }, hasColors);
    if (hasColors) {
      color(scope, first, firstColors);
      color(scope, second, secondColors);
    }
    const before = scope.own(yield* SharedFrame.make(runtime, first, flow));
    const frame = scope.own(yield* SharedFrame.make(runtime, second, flow));
    yield* integrator.begin(before, boxRecord(scope, given));
    const motion = scope.record(BoxMotionRecord);
    yield* integrator.follow(frame, function* (box) {
      yield* trackBox(scope, before, frame, box, motion, flow);
      return motion;
    });
    const model = scope.record(ObjectModelRecord, { nearestThreshold });
    const search = detectionList(scope, detections);
    const belief = scope.record(BeliefRecord);
    const rule = { minConfidence, learning };
    const answer = function* (): Plan<number[]> {
      const kept = yield* integrator.decide(frame, model, search, belief, rule);
      const names = ['x', 'y', 'width', 'height', 'confidence', 'valid', 'by'] as const;
      return [Number(kept), ...names.map((name) => (kept ? belief.get(name) : NaN))];
    };
    const followed = yield* answer();
    const { usual } = integrator;
    yield* integrator.lose();
    return [Float64Array.of(...followed, usual, ...(yield* answer()))];
  },
});
