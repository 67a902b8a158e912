/**
 * The face tracker (thesis, section 3.5 and figure 4.1): detection at regular intervals, and landmarks in every frame
 * from a box that the flow moves. The first limitation in the thesis is the peak load of its detection frames. Here the
 * search runs in steps along with the following frames, and its results are moved from the searched frame to the
 * current one.
 */
import { type ModelSource, goOnWithout } from '../models/load.ts';
import type { FaceResult, Box, Face } from '../results/types.ts';
import type { CallOptions } from '../runtime/engine/options.ts';
import type { Given } from '../runtime/parameters.ts';
import type { TrackerHandle } from '../runtime/engine/tracker-proxy.ts';
import {
  type GivenCascades,
  faceTrackerParameters,
  changedValues,
  defaultLandmarks,
  landmarkRequests,
  resolveTracker,
  trackerModels,
  type FaceTrackerValues,
} from './parameters.ts';
import { overlap } from '../image/numbers.ts';
import type { Cascade } from '../models/cascade.ts';
import { loadCascade } from '../models/cascades.ts';
import { loadJudge, type FaceJudge } from '../models/face-judge.ts';
import { loadLandmarks, type PointModel } from '../models/landmark-models.ts';
import { faceNetworkIfThere } from '../models/network-models.ts';
import { defineTrackers, trackerKind, type CallContext, type Tracker } from '../runtime/capability.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import { resultBackend, type Runtime } from '../runtime/runtime.ts';
import type { Scope } from '../runtime/scope.ts';
import { drive } from '../runtime/stage.ts';
import { isCut, wholeBox, LostFaces, isOnAnothers } from './lost-faces.ts';
import { FaceTrack } from './face-track.ts';
import { followFaces, motionBetween } from './follow.ts';
import { fitPoints } from './point-model.ts';
import { PresentFrame, type FollowedFrame, FaceSearch, type Found, type Searched } from './search.ts';
import type { FaceBox } from './grouping.ts';
import { viewOf } from './iris.ts';
import { gridOf, moveBox } from './motion.ts';
import { rehearse } from './rehearsal.ts';

// The public types of the face tracker.

export type FaceTrackerParameters = Required<Given<typeof faceTrackerParameters>>;

export interface FaceTracker extends TrackerHandle<FaceResult, FaceTrackerParameters> {
  /**
   * Sets another landmark model, or none (null). It is loaded while frames continue, and faces have its landmarks from
   * the next frame. Until then, and if it fails, nothing changes. `onProgress` receives the share of the bytes and a
   * LoadProgress. Rejects with 'invalid-argument', 'model-load', 'model-format', 'model-checksum', 'disposed', and with
   * 'aborted' after a cancel or another call.
   */
  setModel(model: ModelSource | null, options?: CallOptions): Promise<void>;
}

/** Signature of the engine's factory function. */
export type CreateFaceTracker = (
  parameters?: Partial<FaceTrackerParameters> & GivenCascades & { model?: ModelSource | null } & CallOptions,
) => Promise<FaceTracker>;

// Chosen by hand with `npm run lab -- stability faces` and `npm run bench -- speed faces`.

/** Minimum overlap of a detection and a face to count as the same face. */
const SAME = 0.3;
/**
 * Maximum number of consecutive detections that may miss a face. It is higher with landmarks, which show that the face
 * is still visible.
 */
const PATIENCE = { landmarks: 12, boxes: 4 };

export class FaceTrackerCore implements Tracker {
  /** Not with cascades of the caller's choice. */
  usesNetwork = false;
  readonly #runtime: Runtime;
  #search: FaceSearch;
  #model: PointModel | null;
  /** The model for the next frame. */
  #wanted: PointModel | null;
  /** Aborted when a model is set, and when the tracker is disposed. */
  readonly #expected = new AbortController();
  #values: FaceTrackerValues;
  #size = '';
  #previous: FollowedFrame | null = null;
  #faces: FaceTrack[] = [];
  /** Number of faces in the last search that `maxFaces` left out. */
  #cut = 0;
  readonly #lost = new LostFaces();
  #frame = 0;
  #ids = 0;

  constructor(
    runtime: Runtime,
    cascade: Cascade,
    model: PointModel | null,
    values: FaceTrackerValues,
    second: Cascade | null = null,
    judge: FaceJudge | null = null,
  ) {
    this.#runtime = runtime;
    this.#search = new FaceSearch([cascade, second ? [second] : [], judge ? [judge] : []]);
    this.#model = this.#wanted = model;
    this.#values = values;
  }

  /** Warms up before the first frame, see rehearsal.ts. */
  async prepare(model = this.#model): Promise<void> {
    await rehearse(this.#runtime, this.#search.models, model, this.#values);
  }

  /**
   * Uses this model when it has loaded, unless another one was set in the meantime. Boxes do not have to wait for it.
   */
  async expect(source: ModelSource): Promise<void> {
    const { signal } = this.#expected;
    try {
      const model = await loadLandmarks(this.#runtime, source, { signal });
      await this.prepare(model);
      if (!signal.aborted) this.#wanted = model;
    } catch (error) {
      if (!signal.aborted) goOnWithout(this.#runtime, 'face landmarks', error); // boxes continue
    }
  }

  /** Sets another model, or none, for the next frame. Faces keep their ids. */
  readonly methods = {
    setModel: async (source: ModelSource | null | undefined): Promise<void> => {
      const model = source == null ? null : await loadLandmarks(this.#runtime, source);
      if (model) await this.prepare(model);
      this.#expected.abort();
      this.#wanted = model;
    },
  };

  /** Processes a frame, in slices if `context` has a pause function. */
  async process(plane: Plane, timestamp: number, context?: CallContext): Promise<FaceResult> {
    const size = `${plane.width}x${plane.height}`;
    if (size !== this.#size) this.#release();
    this.#size = size;
    if (this.#model !== this.#wanted) {
      this.#model = this.#wanted;
      for (const face of this.#faces) face.model = this.#model;
    }
    const frame = new PresentFrame(plane);
    // A frame in flight is completed after a cancel, except for the long search of the first frame.
    const pause = async () => {
      try {
        await context!.pauses.pause();
      } catch (error) {
        if (this.#search.pace === Infinity) throw error;
      }
    };
    try {
      await drive(this.#runtime, (scope) => this.#follows(scope, frame), { pauses: context && { pause } });
      return this.#result(plane, timestamp, frame);
    } catch (error) {
      this.#forget();
      frame.made?.dispose();
      throw error;
    }
  }

  *#follows(scope: Scope, frame: PresentFrame): Plan<void> {
    if (this.#faces.length) yield* this.#follow(scope, frame);
    const found = yield* this.#search.step(scope, frame, this.#frame, this.#values, this.#faces);
    if (!found) return;
    yield* this.#take(scope, found, frame);
    this.#stop(frame.made);
  }

  #result({ width, height }: Plane, timestamp: number, frame: PresentFrame): FaceResult {
    const old = this.#previous;
    this.#previous = frame.made;
    if (old !== this.#search.copy) old?.dispose();
    this.#frame++;
    const { smoothLandmarks } = this.#values;
    // If there is a face, there is a copy of the frame, because the face was followed or searched for.
    const view = frame.made && viewOf(this.#runtime.arena, frame.made.plane);
    const faces: Face[] = view ? this.#faces.map((face) => face.result(smoothLandmarks, timestamp, view)) : [];
    const warnings = cutWarnings(this.#cut, this.#values.maxFaces);
    return {
      timestamp,
      width,
      height,
      faces,
      dropped: 0,
      backend: resultBackend(frame.backends),
      ...(warnings && { warnings }),
    };
  }

  *#follow(scope: Scope, frame: PresentFrame): Plan<void> {
    const next = frame.copy(scope);
    const [faces, previous] = [this.#faces, this.#previous];
    const followed = previous ? yield* followFaces(scope, previous, next, faces, this.#model, frame.backends) : [];
    const view = viewOf(this.#runtime.arena, next.plane);
    const alone = (face: FaceTrack) => !followed.some((other) => other !== face && overlap(other.box, face.box) > 0);
    const seen = followed.filter((face) => face.recognize(view, alone(face)));
    for (const face of faces) if (!seen.includes(face)) this.#lose(face);
    this.#faces = seen.filter((face) => !isOnAnothers(face, seen));
    for (const face of seen) if (!this.#faces.includes(face)) this.#lose(face);
  }

  #lose(face: FaceTrack): void {
    this.#lost.add(face, this.#frame);
    this.#search.hurry = true;
  }

  /** Ends the search. The searched frame is kept if the flow needs it, or if it is the current one. */
  #stop(present: FollowedFrame | null = null): void {
    const copy = this.#search.stop();
    if (copy !== this.#previous && copy !== present) copy?.dispose();
  }

  *#take(scope: Scope, found: Found, frame: PresentFrame): Plan<void> {
    for (const { track } of found.faces) if (!track.certain) track.unconfirmed++;
    const open = new Set(found.faces);
    const { maxFaces } = this.#values;
    this.#cut = 0;
    for (const box of [...found.boxes].sort((a, b) => b.neighbors - a.neighbors)) {
      const known = [...open].sort((a, b) => overlap(b.box, box) - overlap(a.box, box))[0];
      if (known && overlap(known.box, box) > SAME) {
        open.delete(known);
        if (this.#faces.includes(known.track))
          known.track.confirm((yield* this.#present(scope, found, box, frame)) ?? known.track.box);
        continue;
      }
      if (maxFaces && this.#faces.length >= maxFaces) {
        if (!this.#faces.some((other) => overlap(other.box, box) > SAME)) this.#cut++;
        continue;
      }
      yield* this.#welcome(scope, found, box, frame);
    }
    const patience = this.#model ? PATIENCE.landmarks : PATIENCE.boxes;
    this.#faces = this.#faces.filter(({ unconfirmed }) => unconfirmed <= patience);
    this.#lost.forget(this.#frame);
  }

  /** Moves a box of the searched frame to the current frame. */
  *#present(scope: Scope, { copy }: Searched, box: Box, frame: PresentFrame): Plan<Box | null> {
    if (copy === frame.made) return box;
    const motion = yield* motionBetween(scope, copy, frame.copy(scope), gridOf(box), box, frame.backends);
    return motion && moveBox(box, motion.fit);
  }

  /** Adds a new face, or a lost one that has returned. */
  *#welcome(scope: Scope, { copy }: Searched, box: FaceBox, frame: PresentFrame): Plan<void> {
    const model = this.#model;
    const { x, y, width, height, roll = 0 } = box;
    const face = new FaceTrack(0, model, { ...wholeBox({ x, y, width, height }), roll });
    if (model) {
      const [fit] = yield* fitPoints(scope, copy.plane, [face.start], model, frame.backends, true);
      face.begin(fit!);
    }
    face.recognize(viewOf(this.#runtime.arena, copy.plane));
    if (copy !== frame.made) {
      const followed = yield* followFaces(scope, copy, frame.copy(scope), [face], model, frame.backends);
      if (!followed.length) return;
    }
    if (this.#faces.some((other) => overlap(other.box, face.box) > SAME)) return;
    const known = this.#lost.recall(face, this.#frame, isCut(box));
    if (known === 'wait') return void (this.#search.hurry = true);
    face.id = known ?? ++this.#ids;
    face.detected = true;
    this.#faces.push(face);
  }

  /** Ends the search and frees the frames. */
  #forget(): void {
    const copies = new Set([this.#search.stop(), this.#previous]);
    this.#previous = null;
    for (const copy of copies) copy?.dispose();
    this.#faces = [];
    this.#cut = 0;
  }

  #release(): void {
    this.#forget();
    this.#lost.clear();
    this.#frame = 0;
    this.#search = new FaceSearch(this.#search.models, this.#search.network);
  }

  /** Ids continue, so a new face never gets an old id. */
  reset(): void {
    this.#release();
  }

  /** Sets new values for the next frame. Faces are kept, and a running search is restarted. Models do not change. */
  async setParameters(params: Record<string, unknown>): Promise<void> {
    this.#values = changedValues(this.#values, params);
    this.#cut = 0;
    this.#stop();
    await this.findTurned();
  }

  /** A search of every frame, as of a photograph, has time for turned faces. */
  async findTurned(): Promise<void> {
    if (this.usesNetwork && this.#values.detectEvery === 1)
      this.#search.network ??= await faceNetworkIfThere(this.#runtime);
  }

  dispose(): void {
    this.#expected.abort();
    this.#release();
  }
}

/** Warnings of a result if the limit left faces out. */
const cutWarnings = (cut: number, maxFaces: number): string[] | undefined =>
  cut
    ? [
        `maxFaces is ${maxFaces}: ${cut} more ${cut === 1 ? 'face was' : 'faces were'} found. Raise it, or set 0 for no limit.`,
      ]
    : undefined;

const faceTracker = trackerKind<CreateFaceTracker>()({
  name: 'face',
  params: faceTrackerParameters,
  sources: 'gray',
  autoWasm: "Face tracking searches in WASM, a part in every frame. backend 'gpu' moves it to the GPU.",
  models: (given) => trackerModels(given),
  modelMethods: { setModel: landmarkRequests },
  resolve: resolveTracker,
  async create(runtime, params) {
    const { cascade, verifier, judged, model, ...values } = params;
    const [boxes, second, landmarks, judge] = await Promise.all([
      loadCascade(runtime, cascade),
      verifier === null ? null : loadCascade(runtime, verifier),
      model == null ? null : loadLandmarks(runtime, model),
      judged ? loadJudge(runtime) : null,
    ]);
    const core = new FaceTrackerCore(runtime, boxes, landmarks, values, second, judge);
    core.usesNetwork = judged;
    await Promise.all([core.prepare(), core.findTurned()]);
    if (model === undefined) void core.expect(defaultLandmarks);
    return core;
  },
});

export const faceTrackers = defineTrackers({
  /**
   * Creates a face tracker after its models have loaded. `onProgress` receives the share of their bytes and a
   * LoadProgress. `signal` aborts the load. Without `model`, boxes are available at once, and landmarks of the shipped
   * 'landmarks-network' as soon as it has loaded. If it cannot be loaded, there are only boxes, and the console shows the
   * reason once per engine. With a model, the tracker waits for it. With null, there are only boxes. Boxes and
   * landmarks are in source pixels. Source: "Real-time facial feature detection on a mobile GPU" (a thesis), section
   * 3.5 and figure 4.1.
   * @throws {FoveolaError} (rejects) 'invalid-argument', 'model-load', 'model-format', 'model-checksum', 'aborted' and
   * 'disposed'
   */
  createFaceTracker: faceTracker,
});
