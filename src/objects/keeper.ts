/** The integrator of the default variant (assembly/objects/keeper.ts), with the memory of its filters. */
import type { Address, Plan } from '../runtime/kernel-step.ts';
import type { RecordOf } from '../runtime/record.ts';
import { BeliefRecord, BoxMotionRecord, KeeperRecord, ObjectModelRecord } from '../runtime/records.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { Appearance } from './appearance.ts';
import { boxRecord } from './boxes.ts';
import { SharedFrame } from './frame.ts';
import { detectionList } from './integration.ts';
import { trackBox } from './median-flow.ts';
import { objectParameters } from './parameters.ts';

/** The usual response, before it is known; and how fast the follower learns what the user gave. */
const FIRST_USUAL = 0.45;
const CORRECTED = 0.5;

export class Keeper {
  readonly appearance: Appearance;
  readonly record: RecordOf<typeof KeeperRecord>;
  readonly #scope: Scope;

  /** What it holds belongs to the scope. */
  constructor(scope: Scope, size: { width: number; height: number }) {
    this.#scope = scope;
    this.appearance = new Appearance(scope, size);
    this.record = scope.record(KeeperRecord, { usual: FIRST_USUAL });
  }

  get usual(): number {
    return this.record.get('usual');
  }

  set usual(usual: number) {
    this.record.set({ usual });
  }

  /** The box record is the target. */
  begin(frame: SharedFrame, box: Address): Plan<void> {
    return this.#teach(frame, box, 1);
  }

  /** The same by a correction. */
  correct(frame: SharedFrame, box: Address): Plan<void> {
    return this.#teach(frame, box, CORRECTED);
  }

  *#teach(frame: SharedFrame, box: Address, rate: number): Plan<void> {
    const { record: keeper, appearance } = this;
    appearance.makeRoom();
    yield* this.#scope.kernels.keeperTeach({ keeper, appearance, frame, box, rate });
  }

  /** Where the follower sees the target; `flow` writes where a box went to a record. */
  *follow(frame: SharedFrame, flow: (box: { readonly address: number }) => Plan<Address>): Plan<void> {
    const { record: keeper, appearance } = this;
    if (!keeper.get('placed')) return yield* this.lose();
    const motion = yield* flow(keeper);
    yield* this.#scope.kernels.keeperFollow({ keeper, appearance, frame, motion });
  }

  /** There is no frame to follow it from: it has to be found. */
  *lose(): Plan<void> {
    yield* this.#scope.kernels.keeperLose({ keeper: this.record });
  }

  /** What is believed then, in the record `belief`; returns whether there is an answer. */
  *decide(
    frame: SharedFrame,
    model: Address,
    search: Address,
    belief: Address,
    { minConfidence, learning }: { minConfidence: number; learning: boolean },
  ): Plan<boolean> {
    const { record: keeper, appearance } = this;
    keeper.set({ minConfidence, learning });
    yield* this.#scope.kernels.keeperDecide({ keeper, appearance, model, search, frame, belief });
    if (keeper.get('prepares')) {
      appearance.makeRoom();
      yield* this.#scope.kernels.keeperPrepare({ keeper, appearance, frame });
    }
    return keeper.get('kept') === 1;
  }
}

const { minConfidence, learning, nearestThreshold, flowPoints, flowWindow, flowLevels, flowResidual } =
  objectParameters;

/**
 * Two frames, the target's box in the first (x, y, width, height), detections in the second (box, relative and
 * conservative similarity of each). Gives whether there is an answer, the box, its confidence, whether it teaches, which
 * part found it, and the usual response; then, of the same target that had to be found again, the first eight.
 */
export const objectKeeping = defineStage({
  name: 'objects/keeping',
  params: { minConfidence, learning, nearestThreshold, flowPoints, flowWindow, flowLevels, flowResidual },
  inputs: ['u8', 'u8', 'f64[]', 'f64[]'],
  outputs: ['f64[]'],
  tolerance: 0.02,
  wasmOnly: 'A few windows, looked at one after the other: where the next one lies depends on the last.',
  *wasm(scope, [first, second, given, detections], { minConfidence, learning, nearestThreshold, ...flow }) {
    const { runtime } = scope;
    const [width = 1, height = 1] = given.subarray(2);
    const keeper = new Keeper(scope, { width, height });
    const before = scope.own(yield* SharedFrame.make(runtime, first, flow));
    const frame = scope.own(yield* SharedFrame.make(runtime, second, flow));
    yield* keeper.begin(before, boxRecord(scope, given));
    const motion = scope.record(BoxMotionRecord);
    yield* keeper.follow(frame, function* (box) {
      yield* trackBox(scope, before, frame, box, motion, flow);
      return motion;
    });
    const model = scope.record(ObjectModelRecord, { nearestThreshold });
    const search = detectionList(scope, detections);
    const belief = scope.record(BeliefRecord);
    const rule = { minConfidence, learning };
    const answer = function* (): Plan<number[]> {
      const kept = yield* keeper.decide(frame, model, search, belief, rule);
      const names = ['x', 'y', 'width', 'height', 'confidence', 'valid', 'by'] as const;
      return [Number(kept), ...names.map((name) => (kept ? belief.get(name) : NaN))];
    };
    const followed = yield* answer();
    const { usual } = keeper;
    yield* keeper.lose();
    return [Float64Array.of(...followed, usual, ...(yield* answer()))];
  },
});
