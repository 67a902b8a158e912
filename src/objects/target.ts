/**
 * One target: its model, its tracker, its detector, and what joins them (Kalal, Mikolajczyk, Matas 2012, sections 4 and
 * 5.4 to 5.6). A frame: median flow and detector each propose; the integrator decides; where the track is trusted, the
 * learner teaches the model with its P-expert (what lies near the track is the target) and N-expert (what lies far from
 * it is not). The integrator is the published one in variant 'paper', and else that of keeper.ts. All of it are kernels,
 * and what they know from frame to frame are records.
 */
import type { Box } from '../results/types.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { boxOf } from './boxes.ts';
import type { Survivors } from './detector.gpu.ts';
import { Detector } from './detector.ts';
import { FERNS, fernTable } from './ferns.ts';
import type { SharedFrame } from './frame.ts';
import { Keeper } from './keeper.ts';
import { callKernel } from './kernel.ts';
import { Learner } from './learner.ts';
import { trackBox } from './median-flow.ts';
import { ObjectModel } from './model.ts';
import type { ObjectValues } from './parameters.ts';
import { RecordView, type RecordOf } from '../runtime/record.ts';
import { BeliefRecord, BoxMotionRecord, BoxRecord } from '../runtime/records.ts';

export type FoundBy = 'tracker' | 'detector' | 'both' | 'none';

/** As the kernels number them. */
const FOUND_BY: readonly FoundBy[] = ['none', 'tracker', 'detector', 'both'];

export interface TargetState {
  box: Box | null;
  confidence: number;
  learning: boolean;
  by: FoundBy;
}

export class Target {
  readonly id: number;
  readonly model: ObjectModel;
  readonly table: Float32Array;
  /** Null in variant 'paper'. */
  readonly keeper: Keeper | null = null;
  /** The box that the target was given as: the grid's windows are its multiples. */
  readonly size: { width: number; height: number };
  readonly #side: WasmSide;
  readonly #learner: Learner;
  readonly #block: number;
  /** Where the target is believed to be, and where the flow took that. */
  readonly #belief: RecordOf<typeof BeliefRecord>;
  readonly #tracked: RecordOf<typeof BeliefRecord>;
  readonly #motion: RecordOf<typeof BoxMotionRecord>;
  /** A box from outside. */
  readonly #given: RecordOf<typeof BoxRecord>;
  #values: ObjectValues;
  #detector: Detector | null = null;

  /** `table`: the ferns' points, where they are not drawn from the seed. */
  constructor(
    side: WasmSide,
    id: number,
    size: { width: number; height: number },
    values: ObjectValues,
    table = fernTable(values.seed),
  ) {
    this.#side = side;
    this.id = id;
    this.size = { width: size.width, height: size.height };
    this.#values = values;
    this.table = table;
    const { arena } = side;
    const bytes = 2 * BeliefRecord.bytes + BoxMotionRecord.bytes + BoxRecord.bytes;
    this.#block = arena.allocate(bytes);
    arena.u8.fill(0, this.#block, this.#block + bytes);
    let at = this.#block;
    const take = (bytes: number) => (at += bytes) - bytes;
    this.#belief = new RecordView(arena, BeliefRecord, take(BeliefRecord.bytes));
    this.#tracked = new RecordView(arena, BeliefRecord, take(BeliefRecord.bytes));
    this.#given = new RecordView(arena, BoxRecord, take(BoxRecord.bytes));
    this.#motion = new RecordView(arena, BoxMotionRecord, take(BoxMotionRecord.bytes));
    let model: ObjectModel | null = null;
    try {
      model = new ObjectModel(side, table, values, values.seed + 7919 * id);
      if (values.variant !== 'paper') this.keeper = new Keeper(side, size);
    } catch (error) {
      model?.dispose();
      arena.free(this.#block);
      throw error;
    }
    this.model = model;
    this.#learner = new Learner(side, model);
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
  detector(frame: SharedFrame): Detector {
    if (this.#detector?.width !== frame.width || this.#detector.height !== frame.height) {
      this.#detector?.dispose();
      this.#detector = null;
      this.#detector = new Detector(this.#side, frame, this.size, this.table, this.#values);
    }
    return this.#detector;
  }

  /** The first box: the model is made. */
  begin(frame: SharedFrame, box: Box): void {
    this.#given.set({ ...box });
    this.#learner.begin(frame, this.detector(frame), this.#given.address);
    this.keeper?.begin(frame, this.#given.address);
    this.#belief.set({ ...box, confidence: 1, found: true, valid: true });
  }

  /** The next frame; `previous` is null when there is nothing to track from. */
  process(previous: SharedFrame | null, frame: SharedFrame): TargetState {
    this.follow(previous, frame);
    return this.decide(frame);
  }

  /** The tracker alone; the GPU may look for the target meanwhile. */
  follow(previous: SharedFrame | null, frame: SharedFrame): void {
    const { keeper } = this;
    const flow = (box: number) => {
      trackBox(this.#side, previous!, frame, box, this.#motion, this.#values);
      return this.#motion.address;
    };
    if (keeper) {
      if (previous) keeper.follow(frame, flow);
      else keeper.lose();
      return;
    }
    this.#tracked.set({ found: false });
    if (!previous || !this.#belief.get('found')) return;
    const [belief, tracked] = [this.#belief.address, this.#tracked.address];
    const motion = flow(belief);
    void frame.sums; // made now
    callKernel(this.#side, 'trackBelief', [this.model.address, frame.address, motion, belief, tracked]);
  }

  /** Detection, by windows from the GPU if there are any, integration and learning. */
  decide(frame: SharedFrame, survivors?: Survivors): TargetState {
    const { keeper } = this;
    const detector = this.#detect(frame, survivors);
    const belief = this.#belief;
    const { learning: wanted, minConfidence } = this.#values;
    if (keeper) {
      if (!keeper.decide(frame, this.model, detector, belief.address, this.#values))
        return { box: null, confidence: 0, learning: false, by: 'none' };
      const learning = belief.get('valid') === 1;
      if (learning) this.#learner.teach(frame, detector, belief.address);
      return this.#state(belief.get('shown') === 1, learning);
    }
    const args = [this.model.address, detector.address, this.#tracked.address, belief.address];
    callKernel(this.#side, 'integrate', args, detector.address);
    let learning = false;
    if (belief.get('valid') && wanted) {
      learning = this.#learner.learn(frame, detector, belief.address);
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

  #detect(frame: SharedFrame, survivors?: Survivors): Detector {
    const detector = this.detector(frame);
    if (!detector.windows.grid.count) return detector;
    const least = FERNS * this.model.record.get('fernThreshold');
    if (survivors) detector.confidences(survivors, this.model, least);
    else {
      detector.variance(frame, this.leastVariance);
      detector.votes(frame, this.model, least);
    }
    detector.compare(frame, this.model);
    return detector;
  }

  /** A correction by hand: the box is the target, and what was there before, if far from it, is not. */
  correct(frame: SharedFrame, box: Box): void {
    this.#given.set({ ...box });
    const before = this.#belief.get('found') ? this.#belief.address : 0;
    this.#learner.correct(frame, this.detector(frame), this.#given.address, before);
    this.keeper?.correct(frame, this.#given.address);
    this.#belief.set({ ...box, confidence: 1, found: true, valid: true });
  }

  dispose(): void {
    this.#detector?.dispose();
    this.#detector = null;
    this.model.dispose();
    this.keeper?.dispose();
    this.#side.arena.free(this.#block);
  }
}
