/**
 * The learner as a stage: a model from its first box, then updated or corrected with a second frame. The tracker does
 * this from frame to frame with a stored model.
 */
import { boolean } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { boxRecord, Detector } from './detector.ts';
import { fernTable, ObjectModel } from './model.ts';
import { SharedFrame, withoutFlow } from './frame.ts';
import { Learner } from './target.ts';
import { objectParameters } from './parameters.ts';

const { seed, grid, minSize, candidates, positives, negatives, firstWarps, warps, noise } = objectParameters;
const { fernThreshold, nearestThreshold, validThreshold, sameThreshold, negativeOverlap } = objectParameters;

/** Learned thresholds, in output order. */
const LEARNED = ['leastVariance', 'fernThreshold', 'nearestThreshold', 'validThreshold'] as const;

/**
 * Inputs: two frames, and boxes (x, y, width, height of each): the target's box in both frames, and its estimated box
 * before a correction. Outputs: how often each code was a positive and a negative example, the patches of the target
 * and of the background, and thresholds.
 */
export const objectLearning = defineStage({
  name: 'objects/learning',
  params: {
    ...{ seed, grid, minSize, candidates, positives, negatives, firstWarps, warps, noise },
    ...{ fernThreshold, nearestThreshold, validThreshold, sameThreshold, negativeOverlap },
    corrected: boolean({ default: false, effect: 'The second box is from the user, not from the track.' }),
  },
  inputs: ['u8', 'u8', 'f64[]'],
  outputs: ['u16[]', 'u16[]', 'f32[]', 'f32[]', 'f64[]'],
  tolerance: 5e-4,
  wasmOnly: 'Examples change the counts one after the other.',
  *wasm(scope, [first, second, boxes], { corrected, ...values }) {
    const { runtime } = scope;
    const table = fernTable(values.seed);
    const model = new ObjectModel(scope, table, values, values.seed);
    const learner = new Learner(scope, model);
    const [width = 1, height = 1] = boxes.subarray(2);
    const detector = scope.own(Detector.of(runtime, first, { width, height }, table, values));
    const begin = scope.own(yield* SharedFrame.make(runtime, first, withoutFlow));
    yield* learner.begin(begin, detector, boxRecord(scope, boxes));
    scope.free(begin);
    const frame = scope.own(yield* SharedFrame.make(runtime, second, withoutFlow));
    yield* detector.detect(frame, model);
    const box = boxRecord(scope, boxes, 1);
    if (corrected) yield* learner.correct(frame, detector, box, boxRecord(scope, boxes, 2));
    else yield* learner.learn(frame, detector, box);
    yield* model.restoreFerns();
    return [
      model.fernPositives.slice(),
      model.fernNegatives.slice(),
      model.patches('positives'),
      model.patches('negatives'),
      Float64Array.from(LEARNED, (name) => model.record.get(name)),
    ];
  },
});
