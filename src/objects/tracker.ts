/**
 * Long-term tracking of one or several targets. All targets of a frame share its pyramid, its blurred image and its
 * integral images. Each has a separate model, grid and random sequence, so a target's track does not depend on the
 * others.
 *
 * With the GPU, a frame is split like in Gurcan and Temizel (2015). The GPU checks the windows while WASM tracks
 * points. Then WASM runs confidences, integration and learning, which need the model. The GPU part does not need the
 * model, so it can start with the next frame while WASM is still busy with the current one.
 */
import type { Box, ObjectResult, Source, TrackedObject } from '../results/types.ts';
import type { TrackerHandle } from '../runtime/engine/tracker-proxy.ts';
import { type ObjectValues, objectParameters } from './parameters.ts';
import { FoveolaError } from '../runtime/error.ts';
import { insideFrame } from './detector.ts';
import { defineTrackers, toTheEnd, trackerKind, type CallContext, type Tracker } from '../runtime/capability.ts';
import { Wait, type Plan } from '../runtime/wasm/kernel-step.ts';
import { resolveParameters } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { type Runtime, resultBackend } from '../runtime/runtime.ts';
import { SharedFrame } from './frame.ts';
import { detectedOnGpu, type Found, survivorsOf } from './gpu-search.ts';
import { readModel, writeModel } from './model-file.ts';
import { Target, type TargetState } from './target.ts';

// The public types of the object tracker.

/** Long-term tracking of one or several boxes. Targets are numbered 1, 2, ... */
export interface ObjectTracker extends TrackerHandle<ObjectResult, ObjectValues> {
  /** Removes all targets and starts with this box of this frame, in its pixels. This is the first `add`. */
  start(source: Source, box: Box): Promise<number>;
  /** Adds another target in the last frame. */
  add(box: Box): Promise<number>;
  remove(id: number): Promise<void>;
  /** Corrects the position of a target in the last frame. */
  correct(id: number, box: Box): Promise<void>;
  /** Exports the learned model of a target as bytes that can be stored. */
  exportModel(id: number): Promise<Uint8Array>;
  /**
   * Adds a target from exported bytes, with a new number if `id` is not set. It is searched for from the next frame.
   * Throws 'model-format' and 'model-checksum'.
   */
  importModel(bytes: Uint8Array, id?: number): Promise<number>;
}

// Validates and clips a box that was drawn on a target.

/** Minimum side of a target in pixels. Smaller targets are too ambiguous. */
const LEAST_SIDE = 8;

/**
 * Returns the part of the box inside the frame. @throws {FoveolaError} 'invalid-argument', with the name of the method
 */
export function drawnBox(
  method: 'start' | 'add' | 'correct',
  box: Box,
  { width, height }: { width: number; height: number },
  { minSize, variant }: ObjectValues,
): Box {
  const bad = (text: string) => new FoveolaError('invalid-argument', `${method}: ${text}`);
  const sides = [box?.x, box?.y, box?.width, box?.height];
  if (!sides.every((v) => typeof v === 'number' && Number.isFinite(v)))
    throw bad('box must be { x, y, width, height } in pixels of the frame.');
  const inside = insideFrame(box, width, height);
  if (!inside) throw bad(`the box is outside the frame of ${width}x${height} pixels. Draw it on the target.`);
  // The published rule has no windows under minSize. It follows a narrower target, and finds it again when it is
  // larger.
  const published = variant === 'paper' && method !== 'correct';
  const least = published ? Math.ceil(minSize / 2) : LEAST_SIDE;
  if (Math.min(inside.width, inside.height) < least)
    throw bad(
      `the box is ${Math.floor(inside.width)}x${Math.floor(inside.height)} pixels inside the frame. The minimum side is ${least}. Draw a larger box or ${published ? 'lower minSize' : 'use a larger image'}.`,
    );
  return inside;
}

const resolve = (given: Record<string, unknown>): ObjectValues =>
  resolveParameters(objectParameters, given as Partial<ObjectValues>, 'createObjectTracker');

const sizeOf = ({ width, height }: { width: number; height: number }) => `${width}x${height}`;
const nothing: TargetState = { box: null, confidence: 0, learning: false, by: 'none' };

export class ObjectTrackerCore implements Tracker {
  /** Maximum number of frames in flight. */
  readonly depth = 2;
  readonly #runtime: Runtime;
  #given: Record<string, unknown>;
  #values: ObjectValues;
  readonly #targets = new Map<number, Target>();
  readonly #states = new Map<number, TargetState>();
  #frame: SharedFrame | null = null;
  #next = 1;
  /** Size of the last frame. */
  #size = '';

  readonly methods = {
    start: (source: Plane, _timestamp: number, box: Box) => this.start(source, box),
    add: (box: Box) => this.add(box),
    remove: (id: number) => this.remove(id),
    correct: (id: number, box: Box) => this.correct(id, box),
    exportModel: (id: number) => writeModel(this.#target(id)),
    importModel: (bytes: Uint8Array, id?: number) => this.importModel(bytes, id),
  };

  constructor(runtime: Runtime, given: Record<string, unknown>) {
    this.#runtime = runtime;
    this.#given = given;
    this.#values = resolve(given);
  }

  /** Runs a plan to its end at once. */
  #now<T>(plan: Plan<T>): T {
    return this.#runtime.driver.now(plan);
  }

  #make(source: Plane): Plan<SharedFrame> {
    return SharedFrame.make(this.#runtime, source, this.#values);
  }

  /** Removes all targets and starts with this box of this frame. Returns the target's number. */
  start(source: Plane, box: Box): number {
    drawnBox('start', box, source, this.#values);
    const frame = this.#now(this.#make(source));
    this.#clear();
    this.#frame = frame;
    return this.add(box);
  }

  /** Adds another target in the last frame. */
  add(box: Box): number {
    const frame = this.#needFrame('add');
    const inside = drawnBox('add', box, frame, this.#values);
    const id = this.#next++;
    const target = new Target(this.#runtime, id, inside, this.#values, frame.colored);
    try {
      this.#now(target.begin(frame, inside));
    } catch (error) {
      target.dispose();
      throw error;
    } finally {
      frame.disposeDetection();
    }
    this.#targets.set(id, target);
    this.#states.set(id, this.#drawn(inside));
    return id;
  }

  /** Returns the state of a target whose box was drawn. */
  #drawn(box: Box): TargetState {
    return { box, confidence: 1, learning: true, by: 'none', ...(this.#values.rotation && { angle: 0 }) };
  }

  remove(id: number): void {
    this.#target(id).dispose();
    this.#targets.delete(id);
    this.#states.delete(id);
  }

  /** Corrects the position of a target in the last frame. */
  correct(id: number, box: Box): void {
    const target = this.#target(id);
    const frame = this.#needFrame('correct');
    const inside = drawnBox('correct', box, frame, this.#values);
    try {
      this.#now(target.correct(frame, inside));
    } finally {
      frame.disposeDetection();
    }
    this.#states.set(id, this.#drawn(inside));
  }

  /** Adds a target from an exported model. It is searched for from the next frame. */
  importModel(bytes: Uint8Array, id = this.#next): number {
    if (!Number.isInteger(id) || id < 1 || this.#targets.has(id))
      throw new FoveolaError('invalid-argument', `importModel: id must be a whole number from 1 that is not in use.`);
    this.#next = Math.max(this.#next, id + 1);
    this.#targets.set(id, this.#now(readModel(this.#runtime, id, bytes, this.#values)));
    this.#states.set(id, nothing);
    return id;
  }

  #target(id: number): Target {
    const target = this.#targets.get(id);
    if (target) return target;
    const known = [...this.#targets.keys()].join(', ') || 'none';
    throw new FoveolaError('invalid-argument', `Unknown target ${String(id)}. Targets: ${known}.`);
  }

  #needFrame(method: string): SharedFrame {
    if (this.#frame) return this.#frame;
    throw new FoveolaError(
      'invalid-argument',
      `${method}: the tracker has no frame. Call start(source, box) or process(source) first.`,
    );
  }

  /** Without a context, runs at once in WASM. Otherwise returns a promise. Frames overlap on the GPU. */
  process(source: Plane, timestamp: number, context?: CallContext): ObjectResult | Promise<ObjectResult> {
    if (!context && !this.#onGpu(source)) return this.#track(source, timestamp);
    return this.#overlapping(source, timestamp, context);
  }

  /** Whether the GPU searches for any target in the frame. */
  #onGpu(source: Plane): boolean {
    return [...this.#targets.values()].some((target) => detectedOnGpu(this.#runtime, target, source));
  }

  /** Processes a whole frame in WASM: at once, or in slices if there is a context. */
  #track(source: Plane, timestamp: number, context?: CallContext): ObjectResult | Promise<ObjectResult> {
    const { driver } = this.#runtime;
    const plan = this.#tracked(source, timestamp);
    return context ? driver.start(plan, toTheEnd(context)) : driver.now(plan);
  }

  *#tracked(source: Plane, timestamp: number): Plan<ObjectResult> {
    this.#size = sizeOf(source);
    const frame = yield* this.#make(source);
    yield* this.#decide(frame, null);
    return this.#result(frame, timestamp);
  }

  /** Starts the windows on the GPU while the model learns from the previous frame. */
  async #overlapping(source: Plane, timestamp: number, context?: CallContext): Promise<ObjectResult> {
    const before = context?.before;
    // Wait if the layout may change.
    if (sizeOf(source) !== this.#size) await before;
    this.#size = sizeOf(source);
    if (!this.#onGpu(source)) {
      await before;
      return this.#track(source, timestamp, context);
    }
    const frame = this.#now(this.#make(source));
    const asked = survivorsOf(this.#runtime, [...this.#targets.values()], frame);
    asked.catch(() => {}); // reported by the caller that awaits it
    context?.entered?.();
    await before;
    await this.#runtime.driver.run(this.#decide(frame, asked));
    return this.#result(frame, timestamp);
  }

  /** Updates each target with a frame. WASM tracks points while the GPU, if used, checks the windows. */
  *#decide(frame: SharedFrame, asked: Promise<Found> | null): Plan<void> {
    const previous = this.#previous(frame);
    const targets = [...this.#targets];
    try {
      for (const [, target] of targets) yield* target.follow(previous, frame);
      const found: Found = asked ? yield* new Wait(asked) : new Map();
      for (const [id, target] of targets) {
        const { survivors, least } = found.get(id) ?? {};
        // If the GPU used another bound, WASM checks the windows.
        const known = least === target.leastVariance ? survivors : undefined;
        if (known) frame.backends.add('gpu');
        this.#states.set(id, yield* target.decide(frame, known));
      }
    } catch (error) {
      frame.dispose();
      throw error;
    }
    frame.disposeDetection();
    this.#frame?.dispose();
    this.#frame = frame;
  }

  /** Returns the previous frame if points can be tracked from it. */
  #previous({ width, height }: SharedFrame): SharedFrame | null {
    const before = this.#frame;
    return before?.width === width && before.height === height ? before : null;
  }

  #result({ width, height, backends }: SharedFrame, timestamp: number): ObjectResult {
    const targets: TrackedObject[] = [...this.#states].map(([id, state]) => ({ id, ...state }));
    const { box, confidence, learning, by, angle } = targets[0] ?? nothing;
    const first = { box, confidence, learning, by, ...(angle !== undefined && { angle }) };
    return { timestamp, width, height, ...first, targets, dropped: 0, backend: resultBackend(backends) };
  }

  reset(): void {
    this.#clear();
  }

  #clear(): void {
    for (const target of this.#targets.values()) target.dispose();
    this.#targets.clear();
    this.#states.clear();
    this.#frame?.dispose();
    this.#frame = null;
  }

  /** Sets new values for the next frame. Values for the model's sizes only affect targets that are added later. */
  setParameters(params: Record<string, unknown>): void {
    const given = { ...this.#given, ...params };
    this.#values = resolve(given);
    this.#given = given;
    for (const target of this.#targets.values()) target.values = this.#values;
  }

  dispose(): void {
    this.reset();
  }
}

const objectTracker = trackerKind<(parameters?: Partial<ObjectValues>) => ObjectTracker>()({
  name: 'object',
  params: objectParameters,
  sources: 'color',
  autoWasm: "Object tracking searches in WASM. backend 'gpu' moves the windows to the GPU.",
  methods: ['add', 'remove', 'correct', 'exportModel', 'importModel'],
  memory: {
    ...{ take: 'exportModel', give: 'importModel', drop: 'remove' },
    of: (result) => (result as ObjectResult).targets.map(({ id }) => id),
  },
  frameMethods: ['start'],
  create: (runtime, params) => new ObjectTrackerCore(runtime, params),
});

export const objectTrackers = defineTrackers({
  /**
   * Creates a tracker for boxes that the user draws, synchronously. It learns their content and finds it again. Boxes
   * are in source pixels. Source: Kalal et al., "Tracking-Learning-Detection", PAMI 34(7), 2012; Gurcan and Temizel
   * 2015.
   * @throws {FoveolaError} 'invalid-argument' (a parameter out of range) and 'disposed'
   */
  createObjectTracker: objectTracker,
});
