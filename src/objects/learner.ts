/**
 * The learner (assembly/objects/learner.ts): what it needs of the frame is made here, then kernels teach the model.
 * `box` is a box record.
 */
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Detector } from './detector.ts';
import { FERNS } from './ferns.ts';
import type { SharedFrame } from './frame.ts';
import type { ObjectModel } from './model.ts';

/** How often the windows far from the first box teach. */
const ROUNDS = 2;

/** What the kernels that teach take. */
interface Lesson {
  readonly model: ObjectModel;
  readonly search: Detector;
  readonly frame: SharedFrame;
  readonly box: Address;
}

export class Learner {
  readonly #scope: Scope;
  readonly #model: ObjectModel;

  constructor(scope: Scope, model: ObjectModel) {
    this.#scope = scope;
    this.#model = model;
  }

  /** What is near the box, in the parts of the frame that the kernels read. */
  *#prepare(frame: SharedFrame, search: Detector, box: Address): Plan<Lesson> {
    yield* frame.sums();
    yield* search.near(frame, box);
    return { model: this.#model, search, frame, box };
  }

  /** The first box makes the model. */
  *begin(frame: SharedFrame, search: Detector, box: Address): Plan<void> {
    const lesson = yield* this.#prepare(frame, search, box);
    yield* this.#scope.kernels.learnFirst(lesson);
    yield* search.variance(frame, this.#model.record.get('leastVariance'));
    yield* this.#scope.part((inner) => this.#learnFar(inner, lesson));
    yield* this.#scope.kernels.learnBackground(lesson);
  }

  /** Windows far from the first box: one half of them teaches, the other sets the threshold of the ferns. */
  *#learnFar(scope: Scope, lesson: Lesson): Plan<void> {
    const { model, search, frame, box } = lesson;
    const least = FERNS * model.record.get('fernThreshold');
    const drawn = scope.zeros(search.windows.grid.count);
    for (let round = 0; round < ROUNDS; round++) {
      yield* search.votes(frame, model, least);
      yield* scope.kernels.learnFar({ ...lesson, drawn });
      if (!model.record.get('learned')) break;
    }
    yield* search.votes(frame, model, least);
    yield* scope.kernels.raiseFernThreshold({ model, search, box, drawn });
  }

  /** Teaches with a trusted box, if it may: returns whether it did. */
  *learn(frame: SharedFrame, detector: Detector, box: Address): Plan<boolean> {
    const model = this.#model;
    yield* frame.sums();
    yield* this.#scope.kernels.mayLearn({ model, frame, box });
    if (!model.record.get('learned')) return false;
    yield* this.teach(frame, detector, box);
    return true;
  }

  /** Teaches with a box that is trusted for other reasons. */
  *teach(frame: SharedFrame, detector: Detector, box: Address): Plan<void> {
    yield* this.#scope.kernels.learnBox(yield* this.#prepare(frame, detector, box));
  }

  /** A box that is the target by the user's word; `before`: where it was believed, 0 if nowhere. */
  *correct(frame: SharedFrame, detector: Detector, box: Address, before: Address): Plan<void> {
    const lesson = yield* this.#prepare(frame, detector, box);
    yield* this.#scope.kernels.learnCorrection({ ...lesson, before });
  }
}
