/**
 * One target: its model, its tracker, its detector, and what joins them (Kalal, Mikolajczyk, Matas 2012, sections 4 and
 * 5.4 to 5.6). A frame: median flow and detector each propose; the integrator decides; where the track is trusted, the
 * learner teaches the model with its P-expert (what lies near the track is the target) and N-expert (what lies far from
 * it is not). The integrator is the published one in variant 'paper', and else that of filter-integrator.ts. All of it are kernels,
 * and what they know from frame to frame are records.
 */
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import { Scope } from '../runtime/scope.ts';
import { Detector } from './detector.ts';
import { FERNS, fernTable, ObjectModel } from './model.ts';
import type { SharedFrame } from './frame.ts';
import type { Box } from '../results/types.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { BeliefRecord, BoxMotionRecord, BoxRecord } from '../runtime/wasm/records.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { boxOf } from './boxes.ts';
import type { Survivors } from './detector.gpu.ts';
import { FilterIntegrator } from './filter-integrator.ts';
import { trackBox } from './median-flow.ts';
import type { ObjectValues } from './parameters.ts';
import { Rotation } from './rotation.ts';

// The learner (assembly/objects/learner.ts): what it needs of the frame is made here, then kernels teach the model.
// `box` is a box record.

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

export type FoundBy = 'tracker' | 'detector' | 'both' | 'none';

/** As the kernels number them. */
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
  /** The box that the target was given as: the grid's windows are its multiples. */
  readonly size: Size;
  readonly #kept: Scope;
  readonly #learner: Learner;
  /** Where the target is believed to be, and where the flow took that. */
  readonly #belief: RecordOf<typeof BeliefRecord>;
  readonly #tracked: RecordOf<typeof BeliefRecord>;
  readonly #motion: RecordOf<typeof BoxMotionRecord>;
  /** A box from outside. */
  readonly #given: RecordOf<typeof BoxRecord>;
  readonly #rotation = new Rotation();
  #values: ObjectValues;
  #detector: Detector | null = null;
  /** Frames for which the detector is made. */
  #frames: Size | null = null;

  /** `colored`: it is known by its colors too; `table`: the ferns' points, where they are not drawn from the seed. */
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
    const kept = (this.#kept = new Scope(runtime, { side: 'wasm' }));
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

  /** The detector for frames of this size. */
  detector({ width, height }: Size): Detector {
    if (this.#detector && this.#frames?.width === width && this.#frames.height === height) return this.#detector;
    if (this.#detector) this.#kept.free(this.#detector);
    this.#detector = null;
    const { runtime } = this.#kept;
    const made = Detector.of(runtime, { width, height }, this.size, this.table, this.#values, this.integrator !== null);
    this.#frames = { width, height };
    return (this.#detector = this.#kept.own(made));
  }

  /** The first box: the model is made. */
  *begin(frame: SharedFrame, box: Box): Plan<void> {
    this.#given.set({ ...box });
    yield* this.#learner.begin(frame, this.detector(frame), this.#given);
    if (this.integrator) yield* this.integrator.begin(frame, this.#given);
    this.#belief.set({ ...box, confidence: 1, found: true, valid: true });
    this.#turnFrom(frame, box);
  }

  /** From this box on the target's angle counts. */
  #turnFrom(frame: SharedFrame, box: Box): void {
    this.#rotation.begin();
    if (this.#values.rotation) this.#rotation.see(frame.picture, box);
  }

  /** The next frame; `previous` is null when there is nothing to track from. */
  *process(previous: SharedFrame | null, frame: SharedFrame): Plan<TargetState> {
    yield* this.follow(previous, frame);
    return yield* this.decide(frame);
  }

  /** The tracker alone; the GPU may look for the target meanwhile. */
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

  /** Detection, by windows from the GPU if there are any, integration and learning; the angle where it is asked for. */
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

  /** A correction by hand: the box is the target, and what was there before, if far from it, is not. */
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
