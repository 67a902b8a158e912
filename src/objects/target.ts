/**
 * One target: its model, its tracker, its detector, and the integrator that combines them (Kalal, Mikolajczyk, Matas
 * 2012, sections 4 and 5.4 to 5.6). In each frame, median flow and the detector each propose a box, and the integrator
 * decides. If the track is trusted, the learner updates the model with its P-expert (windows near the track are the
 * target) and N-expert (windows far from it are not). Variant 'paper' uses the published integrator, all others use the
 * one in filter-integrator.ts. All parts are kernels. Their state between frames is in records.
 */
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import { Scope } from '../runtime/scope.ts';
import { Detector, boxOf } from './detector.ts';
import { FERNS, fernTable, ObjectModel } from './model.ts';
import type { SharedFrame } from './frame.ts';
import type { Box } from '../results/types.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { BeliefRecord, BoxMotionRecord, BoxRecord } from '../runtime/wasm/records.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Survivors } from './detector.gpu.ts';
import { FilterIntegrator } from './filter-integrator.ts';
import { trackBox } from './median-flow.ts';
import type { ObjectValues } from './parameters.ts';
import { Rotation } from './rotation.ts';

// The learner (assembly/objects/learner.ts). It prepares the required parts of the frame, then kernels update the
// model. `box` is a box record.

/** Number of passes over the windows far from the first box. */
const ROUNDS = 2;

/** Inputs of the learning kernels. */
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

  /** Prepares the windows near the box and the parts of the frame that the kernels read. */
  *#prepare(frame: SharedFrame, search: Detector, box: Address): Plan<Lesson> {
    yield* frame.sums();
    yield* search.near(frame, box);
    return { model: this.#model, search, frame, box };
  }

  /** Makes the model from the first box. */
  *begin(frame: SharedFrame, search: Detector, box: Address): Plan<void> {
    const lesson = yield* this.#prepare(frame, search, box);
    yield* this.#scope.kernels.learnFirst(lesson);
    yield* search.variance(frame, this.#model.record.get('leastVariance'));
    yield* this.#scope.part((inner) => this.#learnFar(inner, lesson));
    yield* this.#scope.kernels.learnBackground(lesson);
  }

  /**
   * Learns from windows far from the first box. One half of them updates the model, the other sets the threshold of the
   * ferns.
   */
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

  /** Learns from a trusted box, if allowed. Returns whether it did. */
  *learn(frame: SharedFrame, detector: Detector, box: Address): Plan<boolean> {
    const model = this.#model;
    yield* frame.sums();
    yield* this.#scope.kernels.mayLearn({ model, frame, box });
    if (!model.record.get('learned')) return false;
    yield* this.teach(frame, detector, box);
    return true;
  }

  /** Learns from a box that is trusted for other reasons. */
  *teach(frame: SharedFrame, detector: Detector, box: Address): Plan<void> {
    yield* this.#scope.kernels.learnBox(yield* this.#prepare(frame, detector, box));
  }

  /** Learns from a box that the user drew. `before` is the estimated box, 0 if there was none. */
  *correct(frame: SharedFrame, detector: Detector, box: Address, before: Address): Plan<void> {
    const lesson = yield* this.#prepare(frame, detector, box);
    yield* this.#scope.kernels.learnCorrection({ ...lesson, before });
  }
}

export type FoundBy = 'tracker' | 'detector' | 'both' | 'none';

/** In the kernels' numbering. */
export const FOUND_BY: readonly FoundBy[] = ['none', 'tracker', 'detector', 'both'];

export interface TargetState {
  box: Box | null;
  confidence: number;
  learning: boolean;
  by: FoundBy;
  angle?: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export class Target {
  readonly id: number;
  readonly model: ObjectModel;
  readonly table: Float32Array;
  /** Null in variant 'paper'. */
  readonly integrator: FilterIntegrator | null;
  /** Size of the first box of the target. The grid's windows are multiples of it. */
  readonly size: Size;
  readonly #kept: Scope;
  readonly #learner: Learner;
  /** Estimated box of the target, and the position where the flow moved it. */
  readonly #belief: RecordOf<typeof BeliefRecord>;
  readonly #tracked: RecordOf<typeof BeliefRecord>;
  readonly #motion: RecordOf<typeof BoxMotionRecord>;
  /** Box from the user. */
  readonly #given: RecordOf<typeof BoxRecord>;
  readonly #rotation = new Rotation();
  #values: ObjectValues;
  #detector: Detector | null = null;
  /** Size of frames that the detector is made for. */
  #frames: Size | null = null;

  /**
   * `colored` means that colors are used too. `table` has the ferns' points if they are not generated from the seed.
   */
  constructor(
    runtime: Runtime,
    id: number,
    size: Size,
    values: ObjectValues,
    colored = false,
    table = fernTable(values.seed),
  ) {
    this.id = id;
    this.size = { width: size.width, height: size.height };
    this.#values = values;
    this.table = table;
    const kept = (this.#kept = new Scope(runtime, { backend: 'wasm' }));
    try {
      this.#belief = kept.record(BeliefRecord);
      this.#tracked = kept.record(BeliefRecord);
      this.#given = kept.record(BoxRecord);
      this.#motion = kept.record(BoxMotionRecord);
      this.model = new ObjectModel(kept, table, values, values.seed + 7919 * id);
      this.integrator = values.variant === 'paper' ? null : new FilterIntegrator(kept, size, colored);
      this.#learner = new Learner(kept, this.model);
    } catch (error) {
      kept.dispose();
      throw error;
    }
  }

  get values(): ObjectValues {
    return this.#values;
  }

  set values(values: ObjectValues) {
    this.#values = values;
    this.model.values = values;
  }

  /** Half the first box's variance. */
  get leastVariance(): number {
    return this.model.record.get('leastVariance');
  }

  /** Returns the detector for frames of this size. */
  detector({ width, height }: Size): Detector {
    if (this.#detector && this.#frames?.width === width && this.#frames.height === height) return this.#detector;
    if (this.#detector) this.#kept.free(this.#detector);
    this.#detector = null;
    const { runtime } = this.#kept;
    const made = Detector.of(runtime, { width, height }, this.size, this.table, this.#values, this.integrator !== null);
    this.#frames = { width, height };
    return (this.#detector = this.#kept.own(made));
  }

  /** Makes the model from the first box. */
  *begin(frame: SharedFrame, box: Box): Plan<void> {
    this.#given.set({ ...box });
    yield* this.#learner.begin(frame, this.detector(frame), this.#given);
    if (this.integrator) yield* this.integrator.begin(frame, this.#given);
    this.#belief.set({ ...box, confidence: 1, found: true, valid: true });
    this.#turnFrom(frame, box);
  }

  /** Measures the target's angle from this box. */
  #turnFrom(frame: SharedFrame, box: Box): void {
    this.#rotation.begin();
    if (this.#values.rotation) this.#rotation.see(frame.picture, box);
  }

  /** Processes the next frame. `previous` is null if there is no frame to track from. */
  *process(previous: SharedFrame | null, frame: SharedFrame): Plan<TargetState> {
    yield* this.follow(previous, frame);
    return yield* this.decide(frame);
  }

  /** Runs only the tracker. The GPU may search for the target in the meantime. */
  *follow(previous: SharedFrame | null, frame: SharedFrame): Plan<void> {
    const { integrator, model } = this;
    const motion = this.#motion;
    const flow = function* (this: Target, box: { readonly address: number }) {
      yield* trackBox(this.#kept, previous!, frame, box, motion, this.#values);
      return motion;
    }.bind(this);
    if (integrator) return yield* previous ? integrator.follow(frame, flow) : integrator.lose();
    const [before, tracked] = [this.#belief, this.#tracked];
    tracked.set({ found: false });
    if (!previous || !before.get('found')) return;
    yield* flow(before);
    yield* frame.sums();
    yield* this.#kept.kernels.trackBelief({ model, frame, motion, before, tracked });
  }

  /**
   * Runs detection (with windows from the GPU if there are any), integration and learning. Measures the angle if
   * requested.
   */
  *decide(frame: SharedFrame, survivors?: Survivors): Plan<TargetState> {
    const state = yield* this.#place(frame, survivors);
    if (!this.#values.rotation) return state;
    return { ...state, angle: this.#rotation.see(frame.picture, state.box) };
  }

  *#place(frame: SharedFrame, survivors?: Survivors): Plan<TargetState> {
    const { integrator, model } = this;
    const search = yield* this.#detect(frame, survivors);
    const [belief, tracked] = [this.#belief, this.#tracked];
    const { learning: wanted, minConfidence } = this.#values;
    if (integrator) {
      if (!(yield* integrator.decide(frame, model, search, belief, this.#values)))
        return { box: null, confidence: 0, learning: false, by: 'none' };
      const learning = belief.get('valid') === 1;
      if (learning) yield* this.#learner.teach(frame, search, belief);
      return this.#state(belief.get('shown') === 1, learning);
    }
    yield* this.#kept.kernels.integrate({ model, search, tracked, belief });
    let learning = false;
    if (belief.get('valid') && wanted) {
      learning = yield* this.#learner.learn(frame, search, belief);
      belief.set({ valid: learning });
    }
    return this.#state(belief.get('found') === 1 && belief.get('confidence') >= minConfidence, learning);
  }

  #state(shown: boolean, learning: boolean): TargetState {
    const belief = this.#belief;
    return {
      box: shown ? boxOf(belief) : null,
      confidence: belief.get('confidence'),
      learning,
      by: shown ? FOUND_BY[belief.get('by')]! : 'none',
    };
  }

  *#detect(frame: SharedFrame, survivors?: Survivors): Plan<Detector> {
    const detector = this.detector(frame);
    if (detector.windows.grid.count) yield* detector.detect(frame, this.model, survivors);
    return detector;
  }

  /**
   * Learns a correction by the user. The box is the target. If the previous estimate is far from it, that box is not.
   */
  *correct(frame: SharedFrame, box: Box): Plan<void> {
    this.#given.set({ ...box });
    const before = this.#belief.get('found') ? this.#belief : 0;
    yield* this.#learner.correct(frame, this.detector(frame), this.#given, before);
    if (this.integrator) yield* this.integrator.correct(frame, this.#given);
    this.#belief.set({ ...box, confidence: 1, found: true, valid: true });
    this.#turnFrom(frame, box);
  }

  dispose(): void {
    this.#kept.dispose();
    this.#detector = null;
  }
}
