/**
 * The published integrator as a stage (assembly/objects/target-integrator.ts), including the evaluation of the track.
 */
import { BeliefRecord, BoxMotionRecord, DetectionRecord, WindowSearchRecord } from '../runtime/wasm/records.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import type { Scope } from '../runtime/scope.ts';
import { boolean, resolveParameters } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { SharedFrame, withoutFlow } from './frame.ts';
import { ObjectModel, PATCH_FLOATS } from './model.ts';
import { objectParameters } from './parameters.ts';

const { nearestThreshold, validThreshold } = objectParameters;
/** Number of values per detection: its box, relative and conservative similarity. */
const FIELDS = 6;

/** Makes a list of detections like the detector does. */
export function detectionList(scope: Scope, detections: Float64Array): RecordOf<typeof WindowSearchRecord> {
  const count = Math.floor(detections.length / FIELDS);
  const list = scope.block(DetectionRecord.bytes * count).address;
  for (let i = 0; i < count; i++) {
    const [x = 0, y = 0, width = 0, height = 0, relative = 0, conservative = 0] = detections.subarray(FIELDS * i);
    const detection = scope.view(DetectionRecord, list + DetectionRecord.bytes * i).clear();
    detection.set({ x, y, width, height, relative, conservative });
  }
  return scope.record(WindowSearchRecord, { detections: list, detectionCount: count, mostDetections: count });
}

/**
 * Inputs: frame, the tracked box (x, y, width, height, or empty if the flow failed), patches of the target and of the
 * background, and detections (box, relative and conservative similarity of each). Outputs: whether the target is found,
 * the box, its confidence, whether it may be learned, and which part found it.
 */
export const objectIntegration = defineStage({
  name: 'objects/integration',
  params: {
    ...{ nearestThreshold, validThreshold },
    valid: boolean({ default: false, effect: 'The track was trusted before.' }),
  },
  inputs: ['u8', 'f64[]', 'f32[]', 'f32[]', 'f64[]'],
  outputs: ['f64[]'],
  tolerance: 2e-3,
  wasmOnly: 'A few boxes are compared with each other, once a frame.',
  *wasm(scope, [source, box, positives, negatives, detections], { valid, ...thresholds }) {
    const most = { positives: positives.length / PATCH_FLOATS, negatives: negatives.length / PATCH_FLOATS };
    const values = resolveParameters(objectParameters, thresholds, 'objects/integration');
    const model = new ObjectModel(scope, [], { ...values, ...most }, values.seed);
    model.restorePatches(positives, negatives);
    const frame = scope.own(yield* SharedFrame.make(scope.runtime, source, withoutFlow));
    yield* frame.sums();
    const search = detectionList(scope, detections);
    const [x = 0, y = 0, width = 0, height = 0] = box;
    const motion = scope.record(BoxMotionRecord, { x, y, width, height, found: box.length > 0 });
    const before = scope.record(BeliefRecord, { valid });
    const [tracked, belief] = [scope.record(BeliefRecord), scope.record(BeliefRecord)];
    yield* scope.kernels.trackBelief({ model, frame, motion, before, tracked });
    yield* scope.kernels.integrate({ model, search, tracked, belief });
    const found = belief.get('found');
    const names = ['x', 'y', 'width', 'height'] as const;
    const place = names.map((name) => (found ? belief.get(name) : NaN));
    return [Float64Array.of(found, ...place, belief.get('confidence'), belief.get('valid'), belief.get('by'))];
  },
});
