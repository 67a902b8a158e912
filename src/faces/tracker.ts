/**
 * The face tracker (thesis, section 3.5 and figure 4.1): detection every so many frames, landmarks in every frame from a
 * box that the flow moves along. The thesis names the peaks of its detection frames as its first limitation; here the
 * search goes on in steps beside the frames that follow, and what it finds is moved from its frame to the present one.
 */
import { FlowPyramid } from '../flow/pyramid.ts';
import { overlap } from '../image/boxes.ts';
import type { Cascade } from '../models/cascade.ts';
import { loadCascade } from '../models/cascades.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import { loadLandmarks } from '../models/landmark-models.ts';
import type { ModelSource } from '../models/load.ts';
import type { Box, Face, FaceResult } from '../results/types.ts';
import { defineTrackers, trackerKind, type CallContext, type Tracker } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { tablePlan } from './cascade-table.ts';
import { detectorFits, GpuFaceDetector } from './detector.gpu.ts';
import { FaceDetector } from './detector.ts';
import { FaceTrack } from './face-track.ts';
import type { FaceBox } from './grouping.ts';
import { motionOf, moveBox, gridOf } from './motion.ts';
import {
  faceTrackerParameters,
  landmarkRequests,
  resolveTracker,
  trackerModels,
  type FaceTrackerValues,
} from './parameters.ts';
import type { CreateFaceTracker } from './tracker-handle.ts';

/** A detection and a face that overlap this much are the same. */
const SAME = 0.3;
/** Detections in a row that may miss a face: with landmarks it is known to be there without them. */
const PATIENCE = { landmarks: 12, boxes: 4 };
/** Frames for which the place of a lost face is remembered. */
const MEMORY = 60;
/** Frames over which a search is spread while there is no face to follow. */
const HASTE = 2;
/** Smallest window of the search at half the size, in windows of the cascade: not smaller, for speed. */
const GLANCE = 1.5;
/** A search of at most so many windows is done in one frame, the first: who asks for one image wants an answer. */
const AT_ONCE = 200_000;

/** Between the boxes' centres. */
const distance = (a: Box, b: Box): number =>
  Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);

/** The present frame; its pyramid is made where it is needed: without a face and between searches it is not. */
class Frame {
  readonly #side: WasmSide;
  readonly #plane: Plane;
  #pyramid: FlowPyramid | null = null;

  constructor(side: WasmSide, plane: Plane) {
    this.#side = side;
    this.#plane = plane;
  }

  get pyramid(): FlowPyramid {
    return (this.#pyramid ??= this.#side.now((scope) => FlowPyramid.build(scope, this.#plane, { copy: true })));
  }

  /** The pyramid if it was needed. */
  get made(): FlowPyramid | null {
    return this.#pyramid;
  }
}

interface Search {
  /** Its steps on the WASM side. */
  readonly run: Generator<void, FaceBox[]> | null;
  /** What comes from the GPU; taken with the next frame, so that the outcome depends on no clock. */
  readonly found: Promise<FaceBox[]> | null;
  /** Number of the frame that is searched. */
  readonly frame: number;
  /** Of the frame that is searched. */
  readonly pyramid: FlowPyramid;
  /** Where the faces were in it. */
  readonly faces: readonly { readonly track: FaceTrack; readonly box: Box }[];
  /** Steps a frame. */
  readonly pace: number;
}

/** All steps, but other work comes in between. */
async function inSlices<T>(steps: Generator<void, T>, { slice }: Pick<CallContext, 'slice'>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await slice();
  }
}

export class FaceTrackerCore implements Tracker {
  readonly #runtime: Runtime;
  readonly #cascade: Cascade;
  readonly #second: Cascade | null;
  #model: PackedLandmarks | null;
  #values: FaceTrackerValues;
  #detector: FaceDetector | null = null;
  #gpuDetector: GpuFaceDetector | null = null;
  #size = '';
  #search: Search | null = null;
  #previous: FlowPyramid | null = null;
  #faces: FaceTrack[] = [];
  #lost: { id: number; box: Box; frame: number }[] = [];
  #frame = 0;
  #started = -Infinity;
  #hurry = true;
  #ids = 0;

  constructor(
    runtime: Runtime,
    cascade: Cascade,
    model: PackedLandmarks | null,
    values: FaceTrackerValues,
    second: Cascade | null = null,
  ) {
    this.#runtime = runtime;
    this.#cascade = cascade;
    this.#second = second;
    this.#model = model;
    this.#values = values;
    // Now, not in the first frame.
    for (const own of second ? [cascade, second] : [cascade]) tablePlan(own);
  }

  /** Landmarks of another model, or none, from the next frame on; faces keep their ids. */
  readonly methods = {
    setModel: async (source: ModelSource | null | undefined): Promise<void> => {
      const model = source == null ? null : await loadLandmarks(this.#runtime, source);
      if (model === this.#model) return;
      this.#model = model;
      for (const face of this.#faces) face.model = model;
    },
  };

  /** At once, but where a search comes from the GPU, or all of one is due and `context` says how to give way. */
  process(plane: Plane, timestamp: number, context?: Pick<CallContext, 'slice'>): FaceResult | Promise<FaceResult> {
    const size = `${plane.width}x${plane.height}`;
    if (size !== this.#size) this.#release();
    this.#size = size;
    const frame = new Frame(this.#runtime.wasm, plane);
    const failed = (error: unknown): never => {
      this.#forget();
      frame.made?.dispose();
      throw error;
    };
    try {
      if (this.#faces.length) this.#follow(frame.pyramid);
      this.#begin(frame);
      const search = this.#search;
      const boxes = search && this.#awaited(search, context);
      if (boxes)
        return boxes
          .then((found) => {
            this.#end(search, found, frame);
            return this.#result(plane, timestamp, frame);
          })
          .catch(failed);
      this.#searchOn(frame);
      return this.#result(plane, timestamp, frame);
    } catch (error) {
      return failed(error);
    }
  }

  /** What this frame has to wait for. */
  #awaited(search: Search, context?: Pick<CallContext, 'slice'>): Promise<FaceBox[]> | null {
    const whole = search.pace === Infinity;
    if (search.found) return whole || search.frame < this.#frame ? search.found : null;
    return whole && context ? inSlices(search.run!, context) : null;
  }

  #result({ width, height }: Plane, timestamp: number, frame: Frame): FaceResult {
    const old = this.#previous;
    this.#previous = frame.made;
    if (old !== this.#search?.pyramid) old?.dispose();
    this.#frame++;
    const faces: Face[] = this.#faces.map((face) => face.result(this.#values.smoothLandmarks, timestamp));
    return { timestamp, width, height, faces, dropped: 0 };
  }

  /** The detector on the GPU where the caller asked for it and the device can; anew after a lost context. */
  #onGpu(plane: Plane): GpuFaceDetector | null {
    const runtime = this.#runtime;
    if (this.#gpuDetector?.lost) {
      this.#gpuDetector.dispose();
      this.#gpuDetector = null;
    }
    if (!this.#gpuDetector && runtime.gpuForced && detectorFits(runtime, this.#cascade, plane, this.#values))
      this.#gpuDetector = new GpuFaceDetector(runtime, this.#cascade, plane, this.#values, this.#second);
    return this.#gpuDetector;
  }

  #follow(next: FlowPyramid): void {
    this.#faces = this.#faces.filter((face) => {
      if (this.#previous && face.follow(this.#previous, next)) return true;
      this.#lose(face);
      return false;
    });
    // Two tracks that ended on one face: the older one stays.
    this.#faces = this.#faces.filter(
      (face, i) => !this.#faces.slice(0, i).some((other) => overlap(other.box, face.box) > 0.6),
    );
  }

  #lose({ id, box }: FaceTrack): void {
    this.#lost.push({ id, box, frame: this.#frame });
    this.#hurry = true;
  }

  /** Begins a search when it is time. */
  #begin(frame: Frame): void {
    const { detectEvery } = this.#values;
    if (this.#search) return;
    if (!this.#hurry && this.#faces.length && this.#frame - this.#started < detectEvery) return;
    const { pyramid } = frame;
    const source = pyramid.planes[0]!;
    const gpu = this.#onGpu(source);
    if (!gpu) {
      const { width, height } = source;
      this.#detector ??= new FaceDetector(this.#runtime.wasm, this.#cascade, width, height, this.#values, this.#second);
      if (this.#frame === 0 && detectEvery > 1 && this.#detector.windows > AT_ONCE) return this.#glance(frame);
    }
    const frames = this.#faces.length ? detectEvery : Math.min(HASTE, detectEvery);
    const steps = gpu ? 1 : this.#detector!.steps;
    const found = gpu?.detect(source) ?? null;
    found?.catch(() => {}); // reported by the frame that takes it, if any does
    this.#search = {
      run: gpu ? null : this.#detector!.run(source),
      found,
      frame: this.#frame,
      pyramid,
      faces: this.#faces.map((track) => ({ track, box: track.box })),
      // A small first frame is searched at once: who asks for one image wants an answer.
      pace: this.#frame === 0 || detectEvery === 1 ? Infinity : Math.ceil(steps / frames),
    };
    this.#started = this.#frame;
    this.#hurry = false;
  }

  /** Goes on with a search on the WASM side, and takes what it found. */
  #searchOn(frame: Frame): void {
    const search = this.#search;
    if (!search?.run) return;
    for (let i = 0; i < search.pace; i++) {
      const { done, value } = search.run.next();
      if (done) return this.#end(search, value, frame);
    }
  }

  #end(search: Search, boxes: readonly FaceBox[], frame: Frame): void {
    this.#take(search, boxes, frame);
    this.#search = null;
    if (search.pyramid !== frame.made) this.#drop(search.pyramid);
  }

  /**
   * The first frame of a large recording: searched at half the size, for large faces; a whole search, spread as all later
   * ones, begins with the next frame. So no frame takes much longer than others.
   */
  #glance(frame: Frame): void {
    const { width, height } = this.#detector!;
    const { maxSide } = this.#values;
    const half = Math.max(1, Math.round(Math.min(maxSide || Infinity, Math.max(width, height)) / 2));
    const scale = Math.max(width, height) / half;
    const minSize = Math.max(this.#values.minSize, Math.round(this.#cascade.width * GLANCE * scale));
    const values = { ...this.#values, maxSide: half, minSize };
    const detector = new FaceDetector(this.#runtime.wasm, this.#cascade, width, height, values, this.#second);
    try {
      const { pyramid } = frame;
      const run = detector.run(pyramid.planes[0]!);
      let step = run.next();
      while (!step.done) step = run.next();
      this.#take({ run, found: null, frame: 0, pyramid, faces: [], pace: Infinity }, step.value, frame);
    } finally {
      detector.dispose();
    }
  }

  /** A pyramid that neither the flow nor a search needs any more. */
  #drop(pyramid: FlowPyramid): void {
    if (pyramid !== this.#previous && pyramid !== this.#search?.pyramid) pyramid.dispose();
  }

  #take(search: Search, found: readonly FaceBox[], frame: Frame): void {
    for (const { track } of search.faces) track.unconfirmed++;
    const open = new Set(search.faces);
    const { maxFaces } = this.#values;
    for (const box of [...found].sort((a, b) => b.neighbors - a.neighbors)) {
      const known = [...open].sort((a, b) => overlap(b.box, box) - overlap(a.box, box))[0];
      if (known && overlap(known.box, box) > SAME) {
        open.delete(known);
        if (this.#faces.includes(known.track))
          known.track.confirm(this.#present(search, box, frame) ?? known.track.box);
        continue;
      }
      if (this.#faces.length >= maxFaces) continue;
      this.#welcome(search, box, frame);
    }
    const patience = this.#model ? PATIENCE.landmarks : PATIENCE.boxes;
    this.#faces = this.#faces.filter(({ unconfirmed }) => unconfirmed <= patience);
    this.#lost = this.#lost.filter(({ frame }) => this.#frame - frame < MEMORY);
  }

  /** A box of the searched frame in the present one. */
  #present({ pyramid }: Search, box: Box, frame: Frame): Box | null {
    if (pyramid === frame.made) return box;
    const motion = motionOf(this.#runtime.wasm, pyramid, frame.pyramid, gridOf(box), box);
    return motion && moveBox(box, motion.fit);
  }

  /** A new face, or one that was lost and is back. */
  #welcome(search: Search, { x, y, width, height }: FaceBox, frame: Frame): void {
    const box = { x, y, width, height };
    const id = this.#recall(box) ?? ++this.#ids;
    const face = new FaceTrack(id, this.#runtime, this.#model, box);
    face.begin(search.pyramid.planes[0]!);
    if (search.pyramid !== frame.made && !face.follow(search.pyramid, frame.pyramid)) return;
    face.detected = true;
    if (!this.#faces.some((other) => overlap(other.box, face.box) > SAME)) this.#faces.push(face);
  }

  /** Id of the lost face that this may be: the nearest of about its size, at most a face's width away. */
  #recall(box: Box): number | null {
    const near = this.#lost
      .map((lost) => ({ lost, away: distance(lost.box, box), size: lost.box.width / box.width }))
      .filter(({ away, size }) => away < box.width && size > 0.7 && size < 1.4)
      .sort((a, b) => a.away - b.away)[0];
    if (!near) return null;
    this.#lost.splice(this.#lost.indexOf(near.lost), 1);
    return near.lost.id;
  }

  /** Ends the search and lets go of the frames. */
  #forget(): void {
    const pyramids = new Set([this.#search?.pyramid, this.#previous]);
    this.#search?.run?.return([]);
    this.#search = null;
    this.#previous = null;
    for (const pyramid of pyramids) pyramid?.dispose();
    this.#faces = [];
  }

  #release(): void {
    this.#forget();
    this.#disposeDetectors();
    this.#lost = [];
    this.#frame = 0;
    this.#started = -Infinity;
    this.#hurry = true;
  }

  #disposeDetectors(): void {
    this.#detector?.dispose();
    this.#gpuDetector?.dispose();
    this.#detector = this.#gpuDetector = null;
  }

  /** Ids go on: a face is never taken for one of before. */
  reset(): void {
    this.#release();
  }

  /** New values from the next frame on; faces are kept, a search under way begins anew. Models stay. */
  setParameters(params: Record<string, unknown>): void {
    if ('cascade' in params || 'confirm' in params || 'model' in params)
      throw new FoveolaError(
        'invalid-argument',
        'A face tracker keeps its cascades: create another one. Its model is set by setModel(model).',
      );
    const { cascade: _, confirm: __, model: ___, ...values } = resolveTracker({ ...this.#values, ...params });
    const search = this.#search;
    this.#search = null;
    search?.run?.return([]);
    if (search) this.#drop(search.pyramid);
    this.#disposeDetectors();
    this.#values = values;
  }

  dispose(): void {
    this.#release();
  }
}

const faceTracker = trackerKind<CreateFaceTracker>()({
  name: 'face',
  params: faceTrackerParameters,
  sources: 'gray',
  autoWasm:
    "Face tracking searches on the WASM side, a little in every frame; backend 'gpu' forces the search to the GPU.",
  models: (given) => trackerModels(given),
  modelMethods: { setModel: landmarkRequests },
  resolve: resolveTracker,
  async create(runtime, params) {
    const { cascade, confirm, model, ...values } = params;
    const [boxes, second, landmarks] = await Promise.all([
      loadCascade(runtime, cascade),
      confirm === null ? null : loadCascade(runtime, confirm),
      model === undefined ? null : loadLandmarks(runtime, model),
    ]);
    return new FaceTrackerCore(runtime, boxes, landmarks, values, second);
  },
});

export const faceTrackers = defineTrackers({
  /**
   * A tracker of faces, when its models are loaded: `onProgress` is told the share of their bytes and a LoadProgress,
   * `signal` ends that. Who wants boxes at once gives no model here and calls `setModel`. Boxes and landmarks are in source
   * pixels; without `model` the faces have boxes and no landmarks. Source: the thesis, section 3.5 and figure 4.1.
   * @throws {FoveolaError} (rejects) 'invalid-argument', 'model-load', 'model-format', 'model-checksum', 'aborted' and
   * 'disposed'
   */
  createFaceTracker: faceTracker,
});
