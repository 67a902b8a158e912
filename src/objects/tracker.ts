/**
 * Long-term tracking of one or several targets. All targets of a frame share its pyramid, its blurred image and its
 * integral images; each has a model, a grid and a random sequence of its own, so that a target's track does not depend on
 * the others.
 *
 * With the GPU a frame is split as Gurcan and Temizel (2015) do it: the GPU looks through the windows while this side
 * follows points; then confidences, integration and learning, which need the model, here. What the GPU does needs nothing
 * of the model, so it may begin with the next frame while this side is still busy with one.
 */
import type { Box, ObjectResult, TrackedObject } from '../results/types.ts';
import { defineTrackers, trackerKind, type Tracker } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { resolveParameters } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { insideFrame } from './boxes.ts';
import { DetectorGpu, FrameGpu, type Survivors } from './detector.gpu.ts';
import { SharedFrame } from './frame.ts';
import { readModel, writeModel } from './model-file.ts';
import { objectParameters, type ObjectValues } from './parameters.ts';
import { SideChoice } from './side-choice.ts';
import { Turns } from './turns.ts';
import { Target, type TargetState } from './target.ts';
import type { ObjectTracker } from './tracker-handle.ts';

const resolve = (given: Record<string, unknown>): ObjectValues =>
  resolveParameters(objectParameters, given as Partial<ObjectValues>, 'createObjectTracker');

/** Frames that may be under way. */
const FLYING = 2;

/** What the GPU found for each target, and the variance that it asked for. */
type Found = ReadonlyMap<number, { survivors: Survivors; least: number }>;

const nothing: TargetState = { box: null, confidence: 0, learning: false, by: 'none' };

export class ObjectTrackerCore implements Tracker {
  readonly #runtime: Runtime;
  #given: Record<string, unknown>;
  #values: ObjectValues;
  readonly #targets = new Map<number, Target>();
  readonly #states = new Map<number, TargetState>();
  #frame: SharedFrame | null = null;
  #next = 1;
  readonly #turns = new Turns();
  readonly #choice = new SideChoice();
  /** The frame that was given last, and when the last one was done. */
  #last: { width: number; height: number } | null = null;
  #landed = 0;
  /** What the choice was made for. */
  #measured = '';

  readonly methods = {
    start: (source: Plane, _timestamp: number, box: Box) => this.#turns.alone(() => this.start(source, box)),
    add: (box: Box) => this.#turns.alone(() => this.add(box)),
    remove: (id: number) => this.#turns.alone(() => this.remove(id)),
    correct: (id: number, box: Box) => this.#turns.alone(() => this.correct(id, box)),
    exportModel: (id: number) => this.#turns.alone(() => writeModel(this.#target(id))),
    importModel: (bytes: Uint8Array) => this.#turns.alone(() => this.importModel(bytes)),
  };

  constructor(runtime: Runtime, given: Record<string, unknown>) {
    this.#runtime = runtime;
    this.#given = given;
    this.#values = resolve(given);
  }

  /** Forgets all targets and begins with this box of this frame; returns the target's number. */
  start(source: Plane, box: Box): number {
    this.#check('start', box, source);
    const frame = new SharedFrame(this.#runtime.wasm, source, this.#values);
    this.#clear();
    this.#frame = frame;
    return this.add(box);
  }

  /** Another target in the last frame. */
  add(box: Box): number {
    const frame = this.#needFrame('add');
    const inside = this.#check('add', box, frame);
    const id = this.#next++;
    const target = new Target(this.#runtime.wasm, id, inside, this.#values);
    try {
      target.begin(frame, inside);
    } catch (error) {
      target.dispose();
      throw error;
    } finally {
      frame.disposeDetection();
    }
    this.#targets.set(id, target);
    this.#states.set(id, { box: inside, confidence: 1, learning: true, by: 'none' });
    return id;
  }

  remove(id: number): void {
    this.#target(id).dispose();
    this.#targets.delete(id);
    this.#states.delete(id);
  }

  /** Teaches a target where it is in the last frame. */
  correct(id: number, box: Box): void {
    const target = this.#target(id);
    const frame = this.#needFrame('correct');
    const inside = this.#check('correct', box, frame);
    try {
      target.correct(frame, inside);
    } finally {
      frame.disposeDetection();
    }
    this.#states.set(id, { box: inside, confidence: 1, learning: true, by: 'none' });
  }

  /** A target from a model that was exported; it is looked for from the next frame on. */
  importModel(bytes: Uint8Array): number {
    const id = this.#next++;
    this.#targets.set(id, readModel(this.#runtime.wasm, id, bytes, this.#values));
    this.#states.set(id, nothing);
    return id;
  }

  #target(id: number): Target {
    const target = this.#targets.get(id);
    if (target) return target;
    const known = [...this.#targets.keys()].join(', ') || 'none';
    throw new FoveolaError('invalid-argument', `There is no target ${String(id)}; targets are: ${known}.`);
  }

  #needFrame(method: string): SharedFrame {
    if (this.#frame) return this.#frame;
    throw new FoveolaError(
      'invalid-argument',
      `${method}: the tracker has seen no frame; call start(source, box) or process(source) first.`,
    );
  }

  /** The part of the box inside the frame. */
  #check(method: string, box: Box, { width, height }: { width: number; height: number }): Box {
    const bad = (text: string) => new FoveolaError('invalid-argument', `${method}: ${text}`);
    const sides = [box?.x, box?.y, box?.width, box?.height];
    if (!sides.every((v) => typeof v === 'number' && Number.isFinite(v)))
      throw bad('box must be { x, y, width, height } in pixels of the frame.');
    const inside = insideFrame(box, width, height);
    if (!inside) throw bad(`the box lies outside the frame of ${width}x${height} pixels; draw it on the target.`);
    const { minSize } = this.#values;
    // A target may be narrower than the least window: the windows of the larger scales still hold it.
    if (Math.min(inside.width, inside.height) < minSize / 2)
      throw bad(
        `the box is ${Math.round(inside.width)}x${Math.round(inside.height)} pixels inside the frame; its sides must be at least ${Math.ceil(minSize / 2)}. Draw a larger box or lower minSize.`,
      );
    return inside;
  }

  /** At once on the WASM side, else a promise; frames may be given as soon as `ready` resolves. */
  process(source: Plane, timestamp: number): ObjectResult | Promise<ObjectResult> {
    const frame = new SharedFrame(this.#runtime.wasm, source, this.#values);
    const side = this.#side(frame);
    if (side === 'wasm')
      return this.#turns.alone(() => {
        const start = performance.now();
        const previous = this.#previous(frame);
        return this.#guarded(frame, () => {
          for (const [id, target] of this.#targets) this.#states.set(id, target.process(previous, frame));
          return this.#finish(frame, side, start, timestamp);
        });
      });
    // The windows of the next frame while the model learns from this one: not while their layout may change.
    const { width, height } = this.#last ?? frame;
    this.#last = frame;
    const ahead = this.#turns.steady && width === frame.width && height === frame.height;
    const asked = ahead ? this.#survivors(frame) : null;
    asked?.catch(() => {}); // reported by whoever waits for it
    const given = performance.now();
    return this.#turns.next(async () => {
      const start = Math.max(given, this.#landed);
      try {
        await this.#onBoth(this.#previous(frame), frame, asked ?? this.#survivors(frame));
        return this.#finish(frame, side, start, timestamp);
      } catch (error) {
        frame.dispose();
        throw error;
      }
    });
  }

  /** Resolves when another frame may come. */
  ready(): Promise<void> {
    return this.#turns.ready(FLYING);
  }

  /** The frame before, if points can be followed from it. */
  #previous({ width, height }: SharedFrame): SharedFrame | null {
    const before = this.#frame;
    return before?.width === width && before.height === height ? before : null;
  }

  #guarded<T>(frame: SharedFrame, body: () => T): T {
    try {
      return body();
    } catch (error) {
      frame.dispose();
      throw error;
    }
  }

  #finish(frame: SharedFrame, side: 'gpu' | 'wasm', start: number, timestamp: number): ObjectResult {
    frame.disposeDetection();
    this.#frame?.dispose();
    this.#frame = frame;
    this.#landed = performance.now();
    if (this.#targets.size) this.#choice.took(side, this.#landed - start);
    return this.#result(frame, timestamp);
  }

  /** The GPU when asked for; on graphics hardware whichever is faster. */
  #side({ width, height }: SharedFrame): 'gpu' | 'wasm' {
    const { gpu, gpuForced, preferred } = this.#runtime;
    if (!gpu || gpu.lost || !this.#targets.size || !gpu.fits(width + 1, height + 1)) return 'wasm';
    if (gpuForced || preferred !== 'gpu') return gpuForced ? 'gpu' : 'wasm';
    const what = `${width}x${height}, ${this.#targets.size}`;
    if (what !== this.#measured) this.#choice.restart();
    this.#measured = what;
    return this.#choice.side;
  }

  /** A frame on both sides: the GPU takes the windows, this side the points. */
  async #onBoth(previous: SharedFrame | null, frame: SharedFrame, asked: Promise<Found>): Promise<void> {
    const targets = [...this.#targets];
    for (const [, target] of targets) target.follow(previous, frame);
    const found = await asked;
    for (const [id, target] of targets) {
      const { survivors, least } = found.get(id) ?? {};
      // With another bound than the GPU had, this side looks through the windows.
      const known = least === target.leastVariance ? survivors : undefined;
      this.#states.set(id, target.decide(frame, known));
    }
  }

  /** What the GPU finds for each target; none where its context is lost: this side then looks through the windows. */
  async #survivors(frame: SharedFrame): Promise<Found> {
    const gpu = this.#runtime.gpu!;
    let image: FrameGpu | null = null;
    try {
      const asked = [...this.#targets].flatMap(([id, target]) => {
        const detector = target.detector(frame).gpu(gpu);
        return detector ? [{ id, detector, least: target.leastVariance }] : [];
      });
      frame.partly = asked.length === this.#targets.size;
      image = new FrameGpu(gpu, frame.gray);
      const found = await DetectorGpu.survivors(gpu, image, asked);
      return new Map(asked.map(({ id, least }, i) => [id, { least, survivors: found[i]! }]));
    } catch (error) {
      if (error instanceof FoveolaError && error.code === 'context-lost') return new Map();
      throw error;
    } finally {
      image?.dispose();
    }
  }

  #result({ width, height }: SharedFrame, timestamp: number): ObjectResult {
    const targets: TrackedObject[] = [...this.#states].map(([id, state]) => ({ id, ...state }));
    const { box, confidence, learning, by } = targets[0] ?? nothing;
    return { timestamp, width, height, box, confidence, learning, by, targets, dropped: 0 };
  }

  /** Waits for the frames under way, as the methods do. */
  reset(): void | Promise<void> {
    return this.#turns.alone(() => this.#clear());
  }

  #clear(): void {
    for (const target of this.#targets.values()) target.dispose();
    this.#targets.clear();
    this.#states.clear();
    this.#frame?.dispose();
    this.#frame = null;
  }

  /** New values from the next frame on; those of the model's sizes count for targets that are added later. */
  setParameters(params: Record<string, unknown>): void | Promise<void> {
    return this.#turns.alone(() => this.#setParameters(params));
  }

  #setParameters(params: Record<string, unknown>): void {
    const given = { ...this.#given, ...params };
    this.#values = resolve(given);
    this.#given = given;
    for (const target of this.#targets.values()) target.values = this.#values;
  }

  dispose(): void | Promise<void> {
    return this.reset();
  }
}

const objectTracker = trackerKind<(parameters?: Partial<ObjectValues>) => ObjectTracker>()({
  name: 'object',
  params: objectParameters,
  sources: 'gray',
  methods: ['add', 'remove', 'correct', 'exportModel', 'importModel'],
  frameMethods: ['start'],
  create: (runtime, params) => new ObjectTrackerCore(runtime, params),
});

export const objectTrackers = defineTrackers({
  /**
   * A tracker of boxes that the user draws, at once: it learns what they show, and finds it again. Boxes are in source
   * pixels. Source: Kalal et al., "Tracking-Learning-Detection", PAMI 34(7), 2012; Gurcan and Temizel 2015.
   * @throws {FoveolaError} 'invalid-argument' (a parameter out of range) and 'disposed'
   */
  createObjectTracker: objectTracker,
});
