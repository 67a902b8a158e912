/**
 * The face tracker (thesis, section 3.5 and figure 4.1): detection every so many frames, landmarks in every frame from a
 * box that the flow moves along. The thesis names the peaks of its detection frames as its first limitation; here the
 * search goes on in steps beside the frames that follow, and what it finds is moved from its frame to the present one.
 */
import { overlap } from '../image/boxes.ts';
import type { Cascade } from '../models/cascade.ts';
import { loadCascade } from '../models/cascades.ts';
import { loadJudge, type FaceJudge } from '../models/face-judge.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import { loadLandmarks } from '../models/landmark-models.ts';
import { goOnWithout, type ModelSource } from '../models/load.ts';
import type { Box, Face, FaceResult } from '../results/types.ts';
import { defineTrackers, trackerKind, type CallContext, type Tracker } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { goOn, type Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import { sidesOf, type Side } from '../runtime/side.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { Scope } from '../runtime/scope.ts';
import { drive } from '../runtime/stage.ts';
import { faceDetection, searchWork } from './detector.ts';
import { FaceTrack } from './face-track.ts';
import { followFaces, landmarksIn, motionBetween } from './follow.ts';
import { FollowedFrame } from './followed-frame.ts';
import { facesOfList, type FaceBox } from './grouping.ts';
import { viewOf } from './iris.ts';
import { LostFaces } from './lost-faces.ts';
import { gridOf, moveBox } from './motion.ts';
import { isOnAnothers } from './one-face.ts';
import {
  defaultLandmarks,
  detectionParameters,
  faceTrackerParameters,
  landmarkRequests,
  resolveTracker,
  trackerModels,
  type DetectionValues,
  type FaceTrackerValues,
} from './parameters.ts';
import { rehearse } from './rehearsal.ts';
import type { CreateFaceTracker } from './tracker-handle.ts';

// Chosen by hand, looking at `npm run bench -- stability faces` and `-- speed faces`, the last three for speed.

/** A detection and a face that overlap this much are the same. */
const SAME = 0.3;
/** Detections in a row that may miss a face: with landmarks it is known to be there without them. */
const PATIENCE = { landmarks: 12, boxes: 4 };
/** Frames over which a search is spread while there is no face to follow. */
const HASTE = 2;
/** With faces, in shares of the frames between two searches: the sooner a search ends, the sooner somebody new is noticed. */
const SOON = 0.5;
/** Smallest window of the search at half the size, in windows of the cascade, and the step from size to size: for speed. */
const [GLANCE, COARSE] = [1.5, 1.25];
/** A search of at most so many windows is done in one frame, the first: who asks for one image wants an answer. */
const AT_ONCE = 200_000;

/** The present frame; a copy is made where it is needed: without a face and between searches it is not. */
class Frame {
  readonly #plane: Plane;
  /** The copy if it was needed. */
  made: FollowedFrame | null = null;
  /** The sides that worked on it. */
  readonly sides = new Set<Side>();

  constructor(plane: Plane) {
    this.#plane = plane;
  }

  copy(scope: Scope): FollowedFrame {
    return (this.made ??= new FollowedFrame(scope, this.#plane));
  }
}

/** A search of a frame that may go on beside later ones: which of them ends it depends on no clock. */
interface Search {
  readonly plan: Plan<readonly [Float64Array]>;
  /** Its results come from the GPU, with the frame after the one that is searched. */
  readonly onGpu: boolean;
  /** The side that has ended it. */
  took(): Side;
  /** Number of the frame that is searched. */
  readonly frame: number;
  /** The frame that is searched. */
  readonly copy: FollowedFrame;
  /** Where the faces were in it. */
  readonly faces: readonly { readonly track: FaceTrack; readonly box: Box }[];
  /** Steps a frame. */
  readonly pace: number;
}

/** What a frame that was searched leaves behind. */
type Searched = Pick<Search, 'copy' | 'faces'>;

/** Detections are square, to within the rounding of sizes, but where the border of the frame cuts them. */
const isCut = ({ width, height }: Box): boolean => Math.abs(width - height) > 0.03 * Math.max(width, height);

/** A box that was cut at the border of the frame, as large as it was found: what is compared and followed is the whole face. */
function wholeBox(box: Box): Box {
  if (!isCut(box)) return box;
  const { x, y, width, height } = box;
  const side = Math.max(width, height);
  return { x: x > 0 ? x : x + width - side, y: y > 0 ? y : y + height - side, width: side, height: side };
}

/** The values of the search, which may go to the GPU where the caller wants that. */
const detectionOf = (values: FaceTrackerValues): DetectionValues & { tracked: boolean } => ({
  ...(Object.fromEntries(
    Object.keys(detectionParameters).map((name) => [name, values[name as keyof FaceTrackerValues]]),
  ) as DetectionValues),
  tracked: true,
});

export class FaceTrackerCore implements Tracker {
  readonly #runtime: Runtime;
  readonly #cascade: Cascade;
  readonly #second: Cascade | null;
  readonly #judge: FaceJudge | null;
  #model: PackedLandmarks | null;
  /** The model from the next frame on. */
  #wanted: PackedLandmarks | null;
  /** Ended when a model is set, and with the tracker. */
  readonly #expected = new AbortController();
  #values: FaceTrackerValues;
  #size = '';
  #search: Search | null = null;
  #previous: FollowedFrame | null = null;
  #faces: FaceTrack[] = [];
  readonly #lost = new LostFaces();
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
    judge: FaceJudge | null = null,
  ) {
    this.#runtime = runtime;
    this.#cascade = cascade;
    this.#second = second;
    this.#judge = judge;
    this.#model = this.#wanted = model;
    this.#values = values;
  }

  /** Before a frame needs it: see rehearsal.ts. */
  async prepare(model = this.#model): Promise<void> {
    await rehearse(this.#runtime, this.#cascade, this.#second, this.#judge, model, this.#values);
  }

  /** Takes this model when it is there, where none was set meanwhile: boxes need not wait for it. */
  async expect(source: ModelSource): Promise<void> {
    const { signal } = this.#expected;
    try {
      const model = await loadLandmarks(this.#runtime, source, { signal });
      await this.prepare(model);
      if (!signal.aborted) this.#wanted = model;
    } catch (error) {
      if (!signal.aborted) goOnWithout(this.#runtime, 'face landmarks', error); // boxes go on
    }
  }

  /** Landmarks of another model, or none, from the next frame on; faces keep their ids. */
  readonly methods = {
    setModel: async (source: ModelSource | null | undefined): Promise<void> => {
      const model = source == null ? null : await loadLandmarks(this.#runtime, source);
      if (model) await this.prepare(model);
      this.#expected.abort();
      this.#wanted = model;
    },
  };

  /** In slices, where `context` says how to give way. */
  async process(plane: Plane, timestamp: number, context?: CallContext): Promise<FaceResult> {
    const size = `${plane.width}x${plane.height}`;
    if (size !== this.#size) this.#release();
    this.#size = size;
    if (this.#model !== this.#wanted) {
      this.#model = this.#wanted;
      for (const face of this.#faces) face.model = this.#model;
    }
    const frame = new Frame(plane);
    // A frame that is under way is brought to its end, but for the long search of the first one.
    const pause = async () => {
      try {
        await context!.pauses.pause();
      } catch (error) {
        if (this.#search?.pace === Infinity) throw error;
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

  *#follows(scope: Scope, frame: Frame): Plan<void> {
    if (this.#faces.length) yield* this.#follow(scope, frame);
    yield* this.#begin(scope, frame);
    yield* this.#searchOn(scope, frame);
  }

  #result({ width, height }: Plane, timestamp: number, frame: Frame): FaceResult {
    const old = this.#previous;
    this.#previous = frame.made;
    if (old !== this.#search?.copy) old?.dispose();
    this.#frame++;
    const { smoothLandmarks } = this.#values;
    // Where there is a face, there is a copy of the frame: it was followed, or searched for.
    const view = frame.made && viewOf(this.#runtime.arena, frame.made.plane);
    const faces: Face[] = view ? this.#faces.map((face) => face.result(smoothLandmarks, timestamp, view)) : [];
    return { timestamp, width, height, faces, dropped: 0, side: sidesOf(frame.sides) };
  }

  *#follow(scope: Scope, frame: Frame): Plan<void> {
    const next = frame.copy(scope);
    const [faces, previous] = [this.#faces, this.#previous];
    const followed = previous ? yield* followFaces(scope, previous, next, faces, this.#model, frame.sides) : [];
    const view = viewOf(this.#runtime.arena, next.plane);
    const alone = (face: FaceTrack) => !followed.some((other) => other !== face && overlap(other.box, face.box) > 0);
    const seen = followed.filter((face) => face.recognize(view, alone(face)));
    for (const face of faces) if (!seen.includes(face)) this.#lose(face);
    this.#faces = seen.filter((face) => !isOnAnothers(face, seen));
    for (const face of seen) if (!this.#faces.includes(face)) this.#lose(face);
  }

  #lose(face: FaceTrack): void {
    this.#lost.add(face, this.#frame);
    this.#hurry = true;
  }

  /** Of a detection. */
  #inputs(source: Plane) {
    return [source, this.#cascade, this.#second ? [this.#second] : [], this.#judge ? [this.#judge] : []] as const;
  }

  /** Begins a search when it is time. */
  *#begin(scope: Scope, frame: Frame): Plan<void> {
    const { detectEvery } = this.#values;
    if (this.#search) return;
    if (!this.#hurry && this.#faces.length && this.#frame - this.#started < detectEvery) return;
    const copy = frame.copy(scope);
    const source = copy.plane;
    let took: Side = 'wasm';
    const own = new Scope(this.#runtime, { took: (side) => (took = side) });
    const inputs = this.#inputs(source);
    const values = detectionOf(this.#values);
    const onGpu = own.sideOf(faceDetection, inputs, values) === 'gpu';
    const { windows, steps } = searchWork(this.#cascade, source, this.#values);
    if (!onGpu && this.#frame === 0 && detectEvery > 1 && windows > AT_ONCE) return yield* this.#glance(scope, frame);
    const frames = this.#faces.length ? Math.ceil(SOON * detectEvery) : Math.min(HASTE, detectEvery);
    this.#search = {
      plan: own.run(faceDetection, inputs, values),
      onGpu,
      took: () => took,
      frame: this.#frame,
      copy,
      faces: this.#faces.map((track) => ({ track, box: track.box })),
      // A small first frame is searched at once: who asks for one image wants an answer.
      pace: this.#frame === 0 || detectEvery === 1 ? Infinity : Math.ceil(steps / frames),
    };
    this.#started = this.#frame;
    this.#hurry = false;
  }

  /** Goes on with a search, and takes what it found. */
  *#searchOn(scope: Scope, frame: Frame): Plan<void> {
    const search = this.#search;
    if (!search) return;
    const { pace, onGpu } = search;
    const whole = pace === Infinity || (onGpu && search.frame < this.#frame);
    const outcome = yield* goOn(search.plan, whole ? Infinity : onGpu ? 1 : pace);
    // Where the context was lost, WASM has done it.
    frame.sides.add(outcome ? search.took() : onGpu ? 'gpu' : 'wasm');
    if (outcome) yield* this.#end(scope, search, facesOfList(outcome.value[0]), frame);
  }

  *#end(scope: Scope, search: Search, boxes: readonly FaceBox[], frame: Frame): Plan<void> {
    yield* this.#take(scope, search, boxes, frame);
    this.#search = null;
    if (search.copy !== frame.made) this.#drop(search.copy);
  }

  /**
   * The first frame of a large recording: searched at half the size, for large faces; a whole search, spread as all later
   * ones, begins with the next frame. So no frame takes much longer than others.
   */
  *#glance(scope: Scope, frame: Frame): Plan<void> {
    const copy = frame.copy(scope);
    const source = copy.plane;
    const { maxSide } = this.#values;
    const longest = Math.max(source.width, source.height);
    const half = Math.max(1, Math.round(Math.min(maxSide || Infinity, longest) / 2));
    const minSize = Math.max(this.#values.minSize, Math.round((this.#cascade.width * GLANCE * longest) / half));
    const values = { ...detectionOf(this.#values), maxSide: half, minSize, scaleFactor: COARSE };
    const [list] = yield* scope.run(faceDetection, this.#inputs(source), values);
    yield* this.#take(scope, { copy, faces: [] }, facesOfList(list), frame);
  }

  /** A copy that neither the flow nor a search needs any more. */
  #drop(copy: FollowedFrame): void {
    if (copy !== this.#previous && copy !== this.#search?.copy) copy.dispose();
  }

  *#take(scope: Scope, search: Searched, found: readonly FaceBox[], frame: Frame): Plan<void> {
    for (const { track } of search.faces) track.unconfirmed++;
    const open = new Set(search.faces);
    const { maxFaces } = this.#values;
    for (const box of [...found].sort((a, b) => b.neighbors - a.neighbors)) {
      const known = [...open].sort((a, b) => overlap(b.box, box) - overlap(a.box, box))[0];
      if (known && overlap(known.box, box) > SAME) {
        open.delete(known);
        if (this.#faces.includes(known.track))
          known.track.confirm((yield* this.#present(scope, search, box, frame)) ?? known.track.box);
        continue;
      }
      if (this.#faces.length >= maxFaces) continue;
      yield* this.#welcome(scope, search, box, frame);
    }
    const patience = this.#model ? PATIENCE.landmarks : PATIENCE.boxes;
    this.#faces = this.#faces.filter(({ unconfirmed }) => unconfirmed <= patience);
    this.#lost.forget(this.#frame);
  }

  /** A box of the searched frame in the present one. */
  *#present(scope: Scope, { copy }: Searched, box: Box, frame: Frame): Plan<Box | null> {
    if (copy === frame.made) return box;
    const motion = yield* motionBetween(scope, copy, frame.copy(scope), gridOf(box), box, frame.sides);
    return motion && moveBox(box, motion.fit);
  }

  /** A new face, or one that was lost and is back. */
  *#welcome(scope: Scope, search: Searched, box: FaceBox, frame: Frame): Plan<void> {
    const model = this.#model;
    const face = new FaceTrack(0, model, wholeBox({ x: box.x, y: box.y, width: box.width, height: box.height }));
    if (model) {
      const [fit] = yield* landmarksIn(scope, search.copy, [face.start], model, frame.sides, true);
      face.begin(fit!);
    }
    face.recognize(viewOf(this.#runtime.arena, search.copy.plane));
    if (search.copy !== frame.made) {
      const followed = yield* followFaces(scope, search.copy, frame.copy(scope), [face], model, frame.sides);
      if (!followed.length) return;
    }
    if (this.#faces.some((other) => overlap(other.box, face.box) > SAME)) return;
    const known = this.#lost.recall(face, this.#frame, isCut(box));
    if (known === 'wait') return void (this.#hurry = true);
    face.id = known ?? ++this.#ids;
    face.detected = true;
    this.#faces.push(face);
  }

  /** Ends the search and lets go of the frames. */
  #forget(): void {
    const copies = new Set([this.#search?.copy, this.#previous]);
    this.#search?.plan.return([new Float64Array(0)]);
    this.#search = null;
    this.#previous = null;
    for (const copy of copies) copy?.dispose();
    this.#faces = [];
  }

  #release(): void {
    this.#forget();
    this.#lost.clear();
    this.#frame = 0;
    this.#started = -Infinity;
    this.#hurry = true;
  }

  /** Ids go on: a face is never taken for one of before. */
  reset(): void {
    this.#release();
  }

  /** New values from the next frame on; faces are kept, a search under way starts again. Models stay. */
  setParameters(params: Record<string, unknown>): void {
    if ('cascade' in params || 'confirm' in params || 'model' in params)
      throw new FoveolaError(
        'invalid-argument',
        'A face tracker keeps its cascades: create another one. Its model is set by setModel(model).',
      );
    const {
      cascade: _,
      confirm: __,
      judged: ___,
      model: ____,
      ...values
    } = resolveTracker({ ...this.#values, ...params });
    const search = this.#search;
    this.#search = null;
    search?.plan.return([new Float64Array(0)]);
    if (search) this.#drop(search.copy);
    this.#values = values;
  }

  dispose(): void {
    this.#expected.abort();
    this.#release();
  }
}

const faceTracker = trackerKind<CreateFaceTracker>()({
  name: 'face',
  params: faceTrackerParameters,
  sources: 'gray',
  autoWasm: "Face tracking searches on the WASM side, a little in every frame; backend 'gpu' forces it to the GPU.",
  models: (given) => trackerModels(given),
  modelMethods: { setModel: landmarkRequests },
  resolve: resolveTracker,
  async create(runtime, params) {
    const { cascade, confirm, judged, model, ...values } = params;
    const [boxes, second, landmarks, judge] = await Promise.all([
      loadCascade(runtime, cascade),
      confirm === null ? null : loadCascade(runtime, confirm),
      model == null ? null : loadLandmarks(runtime, model),
      judged ? loadJudge(runtime) : null,
    ]);
    const core = new FaceTrackerCore(runtime, boxes, landmarks, values, second, judge);
    await core.prepare();
    if (model === undefined) void core.expect(defaultLandmarks);
    return core;
  },
});

export const faceTrackers = defineTrackers({
  /**
   * A tracker of faces, when its models are loaded: `onProgress` gets the share of their bytes and a LoadProgress,
   * `signal` ends that. Without `model` boxes come at once, and landmarks of the shipped 'landmarks-68' from the frame on
   * at which it is there (boxes alone where it cannot be loaded: the console says why, once an engine); with a model the tracker waits for it;
   * with null there are boxes alone. Boxes and landmarks are in source pixels. Source: "Real-time
   * facial feature detection on a mobile GPU" (a thesis), section 3.5 and figure 4.1.
   * @throws {FoveolaError} (rejects) 'invalid-argument', 'model-load', 'model-format', 'model-checksum', 'aborted' and
   * 'disposed'
   */
  createFaceTracker: faceTracker,
});
