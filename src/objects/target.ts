/**
 * One target: its model, its tracker, its detector, and what joins them (Kalal, Mikolajczyk, Matas 2012, sections 4 and
 * 5.4 to 5.6). A frame: median flow and detector each propose; the integrator decides; where the track is trusted, the
 * learner teaches the model with its P-expert (what lies near the track is the target) and N-expert (what lies far from
 * it is not). The integrator is the published one in variant 'paper', and else that of keeper.ts.
 */
import type { Box } from '../results/types.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { Sight } from './appearance.ts';
import { clusters, meanBox, overlap } from './boxes.ts';
import type { Survivors } from './detector.gpu.ts';
import { Detector, type Candidate, type Detection } from './detector.ts';
import { Ferns, fernTable } from './ferns.ts';
import type { SharedFrame } from './frame.ts';
import { Keeper, type Kept } from './keeper.ts';
import { Learner } from './learner.ts';
import { trackBox } from './median-flow.ts';
import type { ObjectValues } from './parameters.ts';
import { PatchModel } from './patch-model.ts';
import { Random } from './random.ts';

/** Detections that overlap this much are one object. */
const SAME_OBJECT = 0.5;
/** A detection this close to the tracked box helps to place it. */
const CLOSE = 0.7;
/** Weight of the tracked box against each close detection. */
const TRACK_WEIGHT = 10;

export type FoundBy = 'tracker' | 'detector' | 'both' | 'none';

export interface TargetState {
  box: Box | null;
  confidence: number;
  learning: boolean;
  by: FoundBy;
}

/** Where the target is believed to be, with how much trust. */
export interface Belief {
  box: Box;
  /** Conservative similarity. */
  confidence: number;
  /** The track is trusted: it may teach. */
  valid: boolean;
}

/** Where the target went by itself, without the detector: by either integrator's tracker. */
export interface Followed {
  belief: Belief | null;
  sight: Sight | null;
}

export class Target {
  readonly id: number;
  readonly ferns: Ferns;
  readonly patches: PatchModel;
  readonly random: Random;
  readonly table: Float32Array;
  readonly #side: WasmSide;
  readonly #learner: Learner;
  /** Null in variant 'paper'. */
  readonly keeper: Keeper | null;
  values: ObjectValues;
  #detector: Detector | null = null;
  /** The box that the target was given as: the grid's windows are its multiples. */
  size: { width: number; height: number };
  belief: Belief | null = null;
  /** Half the first box's variance. */
  leastVariance = 0;
  fernThreshold: number;
  nearestThreshold: number;
  validThreshold: number;

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
    this.values = values;
    this.fernThreshold = values.fernThreshold;
    this.nearestThreshold = values.nearestThreshold;
    this.validThreshold = values.validThreshold;
    this.random = new Random(values.seed + 7919 * id);
    this.table = table;
    this.ferns = new Ferns(side.arena);
    this.patches = new PatchModel(side.arena, side.kernels, values);
    this.#learner = new Learner(side, this);
    this.keeper = values.variant === 'paper' ? null : new Keeper(side, size);
  }

  /** The detector for frames of this size. */
  detector(frame: SharedFrame): Detector {
    if (this.#detector?.width !== frame.width || this.#detector.height !== frame.height) {
      this.#detector?.dispose();
      this.#detector = null;
      this.#detector = new Detector(this.#side, frame, this.size, this.table, this.values);
    }
    return this.#detector;
  }

  /** The first box: the model is made. */
  begin(frame: SharedFrame, box: Box): void {
    this.#learner.begin(frame, box);
    this.keeper?.begin(frame, box);
    this.belief = { box, confidence: 1, valid: true };
  }

  /** The next frame; `previous` is null when there is nothing to track from. */
  process(previous: SharedFrame | null, frame: SharedFrame): TargetState {
    return this.decide(frame, this.follow(previous, frame));
  }

  /** The tracker alone; the GPU may look for the target meanwhile. */
  follow(previous: SharedFrame | null, frame: SharedFrame): Followed {
    const { keeper } = this;
    if (keeper) {
      const flow = (box: Box) => trackBox(this.#side, previous!, frame, box, this.values);
      return { belief: null, sight: previous ? keeper.follow(frame, flow) : keeper.lose() };
    }
    return { belief: previous && this.belief ? this.#track(previous, frame, this.belief) : null, sight: null };
  }

  /** Detection, by windows from the GPU if there are any, integration and learning. */
  decide(frame: SharedFrame, { belief: tracked, sight }: Followed, survivors?: Survivors): TargetState {
    if (this.keeper) return this.#keep(this.keeper, frame, sight, survivors);
    const { candidates, detections } = this.#detect(frame, survivors);
    const { belief, by } = this.#integrate(tracked, detections);
    this.belief = belief;
    let learning = false;
    if (belief?.valid && this.values.learning) {
      learning = this.#learner.learn(frame, belief.box, candidates, detections);
      belief.valid = learning;
    }
    const seen = belief !== null && belief.confidence >= this.values.minConfidence;
    return {
      box: seen ? belief.box : null,
      confidence: belief?.confidence ?? 0,
      learning,
      by: seen ? by : 'none',
    };
  }

  #keep(keeper: Keeper, frame: SharedFrame, sight: Sight | null, survivors?: Survivors): TargetState {
    const { candidates, detections } = this.#detect(frame, survivors);
    const kept = keeper.decide(frame, sight, detections, this.values);
    if (!kept) return { box: null, confidence: 0, learning: false, by: 'none' };
    const { box, confidence, shown, teaches } = kept;
    this.belief = { box, confidence, valid: teaches };
    if (teaches) this.#learner.teach(frame, box, candidates, detections);
    return { box: shown ? box : null, confidence, learning: teaches, by: shown ? this.#by(kept, detections) : 'none' };
  }

  #by({ by, box }: Kept, detections: readonly Detection[]): FoundBy {
    const agrees = (d: Detection) => d.relative > this.nearestThreshold && overlap(d, box) > CLOSE;
    return by === 'tracker' && detections.some(agrees) ? 'both' : by;
  }

  #track(previous: SharedFrame, frame: SharedFrame, before: Belief): Belief | null {
    const box = trackBox(this.#side, previous, frame, before.box, this.values);
    if (!box) return null;
    const { conservative } = this.#learner.similarity(frame, box);
    return { box, confidence: conservative, valid: before.valid || conservative > this.validThreshold };
  }

  #detect(frame: SharedFrame, survivors?: Survivors): { candidates: Candidate[]; detections: Detection[] } {
    const detector = this.detector(frame);
    if (!detector.windows.grid.count) return { candidates: [], detections: [] };
    const least = 10 * this.fernThreshold;
    if (!survivors) detector.variance(frame, this.leastVariance);
    const candidates = survivors
      ? detector.confidences(survivors, this.ferns, least)
      : detector.votes(frame, this.ferns, least);
    return { candidates, detections: detector.compare(frame, candidates, this.patches) };
  }

  /** Section 5.4: a single confident group of detections far from the track restarts it; close ones steady it. */
  #integrate(tracked: Belief | null, all: readonly Detection[]): { belief: Belief | null; by: FoundBy } {
    const detections = all.filter(({ relative }) => relative > this.nearestThreshold);
    const groups = clusters(detections, SAME_OBJECT).map((members) => {
      const boxes = members.map((i) => detections[i]!);
      return {
        box: meanBox(boxes),
        confidence: boxes.reduce((sum, { conservative }) => sum + conservative, 0) / boxes.length,
      };
    });
    if (!tracked) {
      if (groups.length !== 1) return { belief: null, by: 'none' };
      return { belief: { ...groups[0]!, valid: false }, by: 'detector' };
    }
    const better = groups.filter(
      ({ box, confidence }) => overlap(box, tracked.box) < SAME_OBJECT && confidence > tracked.confidence,
    );
    if (better.length === 1) return { belief: { ...better[0]!, valid: false }, by: 'detector' };
    const close = detections.filter((box) => overlap(box, tracked.box) > CLOSE);
    if (!close.length) return { belief: tracked, by: 'tracker' };
    const box = meanBox([tracked.box, ...close], [TRACK_WEIGHT, ...close.map(() => 1)]);
    return { belief: { ...tracked, box }, by: 'both' };
  }

  /** A correction by hand: the box is the target, and what was there before, if far from it, is not. */
  correct(frame: SharedFrame, box: Box): void {
    const before = this.belief?.box ?? null;
    this.#learner.correct(frame, box, before);
    this.keeper?.correct(frame, box);
    this.belief = { box, confidence: 1, valid: true };
  }

  dispose(): void {
    this.#detector?.dispose();
    this.#detector = null;
    this.ferns.dispose();
    this.patches.dispose();
    this.keeper?.dispose();
  }
}
