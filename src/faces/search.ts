/**
 * The search of a face tracker. A frame is searched at regular intervals, in steps that run along with the following
 * frames. The search finds faces but does not identify them. It returns the positions of faces in the searched frame.
 */
import { FlowPyramid } from '../flow/pyramid.ts';
import type { GpuFlowPyramid } from '../flow/pyramid.gpu.ts';
import { type Plan, goOn } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import { Scope } from '../runtime/scope.ts';
import type { Backend } from '../runtime/runtime.ts';
import type { Cascade } from '../models/cascade.ts';
import type { FaceJudge } from '../models/face-judge.ts';
import type { Network } from '../models/network.ts';
import type { Box } from '../results/types.ts';
import { faceDetection, searchWork } from './detector.ts';
import type { FaceTrack } from './face-track.ts';
import { facesOfList, type FaceBox } from './grouping.ts';
import { addNetworkFaces } from './network-detector.ts';
import { detectionParameters, type DetectionValues, type FaceTrackerValues } from './parameters.ts';

// A frame for following faces, and its pyramids for each backend, made when they are needed. It has a copy of the
// pixels in the arena, so it outlives its source and a lost GPU context.

export class FollowedFrame {
  readonly plane: Plane;
  /** Resources that are freed with the frame. */
  readonly kept: Scope;
  #wasm: FlowPyramid | null = null;
  /** The pyramid as textures, made by follow.gpu.ts. */
  gpu: GpuFlowPyramid | null = null;

  /** Copies an 8-bit gray plane in the arena. The frame belongs to the caller. */
  constructor(scope: Scope, { width, height, stride, address }: Plane) {
    this.kept = new Scope(scope.runtime);
    this.plane = this.kept.plane(width, height, 'u8');
    this.kept.arena.u8.copyWithin(this.plane.address, address, address + stride * height);
  }

  *wasm(): Plan<FlowPyramid> {
    return (this.#wasm ??= this.kept.own(yield* FlowPyramid.build(this.kept, this.plane)));
  }

  /** Can be called more than once. */
  dispose(): void {
    this.kept.dispose();
  }
}

/**
 * The current frame. A copy is made only when it is needed, which is not the case without a face and between searches.
 */
export class PresentFrame {
  readonly #plane: Plane;
  /** The copy, if it was made. */
  made: FollowedFrame | null = null;
  /** Backends that processed the frame. */
  readonly backends = new Set<Backend>();

  constructor(plane: Plane) {
    this.#plane = plane;
  }

  copy(scope: Scope): FollowedFrame {
    return (this.made ??= new FollowedFrame(scope, this.#plane));
  }
}

// Chosen by hand with `npm run lab -- stability faces` and `npm run bench -- speed faces`, the last values for speed.

/** Number of frames over which a search is spread while no face is followed. With more work than EASY, LONGER. */
const HASTE = 2;
const LONGER = 3;
/** Amount of work that fits in two frames, in steps: 9 ms if a step takes 0.6 ms. */
const EASY = 16;
/**
 * Duration of a search while faces are followed, as a share of the frames between two searches. A shorter search
 * notices new faces sooner.
 */
const SOON = 0.5;
/**
 * Minimum window of the first search at half the size, in windows of the cascade, and its scale factor: chosen for
 * speed.
 */
const [GLANCE, COARSE] = [1.5, 1.25];
/**
 * Maximum number of windows of a search that runs completely in the first frame, because a caller with a single image
 * expects a result.
 */
const AT_ONCE = 200_000;

/** Data of a frame that was searched. */
export interface Searched {
  /** The frame. */
  readonly copy: FollowedFrame;
  /** Positions of the followed faces in the frame. */
  readonly faces: readonly { readonly track: FaceTrack; readonly box: Box }[];
}

/** A completed search, with its results. */
export interface Found extends Searched {
  readonly boxes: readonly FaceBox[];
}

/** A search of a frame that may continue along with later frames. Its last frame does not depend on the clock. */
interface Search extends Searched {
  readonly plan: Plan<readonly [Float64Array]>;
  /** Its results arrive from the GPU, one frame after the searched frame. */
  readonly onGpu: boolean;
  /** Backend that completed it. */
  took(): Backend;
  /** Number of the searched frame. */
  readonly frame: number;
  /** Work per frame, in steps. */
  readonly pace: number;
}

/**
 * Models of the search, in the order of a detection: a cascade, and the second cascade and the face verifier if they
 * exist.
 */
export type SearchModels = readonly [Cascade, readonly Cascade[], readonly FaceJudge[]];

/** The values of the search, which may run on the GPU if the caller allows it. */
const detectionOf = (values: FaceTrackerValues): DetectionValues & { tracked: boolean } => ({
  ...(Object.fromEntries(
    Object.keys(detectionParameters).map((name) => [name, values[name as keyof FaceTrackerValues]]),
  ) as DetectionValues),
  tracked: true,
});

export class FaceSearch {
  readonly models: SearchModels;
  /** Adds faces to a search of every frame. */
  network: Network | null;
  #search: Search | null = null;
  #started = -Infinity;
  /** True if the next search starts as soon as this one has ended. */
  hurry = true;

  constructor(models: SearchModels, network: Network | null = null) {
    this.models = models;
    this.network = network;
  }

  /** The searched frame. It is needed until the search has ended. */
  get copy(): FollowedFrame | undefined {
    return this.#search?.copy;
  }

  /** Work per frame of the running search, in steps. Infinity if it runs completely in one frame. */
  get pace(): number | undefined {
    return this.#search?.pace;
  }

  /**
   * Starts a search with this frame when it is due, and continues a running search. Returns the results when it has
   * ended. The caller, who may still need the searched frame, must then stop the search.
   * @param number of the frame
   * @param faces their positions in it
   */
  *step(
    scope: Scope,
    frame: PresentFrame,
    number: number,
    values: FaceTrackerValues,
    faces: readonly FaceTrack[],
  ): Plan<Found | null> {
    const glanced = this.#search ? null : yield* this.#begin(scope, frame, number, values, faces);
    if (glanced) return glanced;
    const search = this.#search;
    if (!search) return null;
    const { pace, onGpu } = search;
    const whole = pace === Infinity || (onGpu && search.frame < number);
    const outcome = yield* goOn(search.plan, whole ? Infinity : onGpu ? 1 : pace);
    // If the context was lost, WASM has done the search.
    frame.backends.add(outcome ? search.took() : onGpu ? 'gpu' : 'wasm');
    if (!outcome) return null;
    const boxes = facesOfList(outcome.value[0]);
    if (this.network && values.detectEvery === 1) {
      const [first, [second = null], [judge = null]] = this.models;
      const models = { network: this.network, cascades: [first, second, judge] as const };
      yield* addNetworkFaces(scope, search.copy.plane, models, boxes, detectionOf(values));
    }
    return { ...search, boxes };
  }

  /** Starts a search. If the first search at half the size runs instead, returns its result. */
  *#begin(
    scope: Scope,
    frame: PresentFrame,
    number: number,
    values: FaceTrackerValues,
    faces: readonly FaceTrack[],
  ): Plan<Found | null> {
    const { detectEvery } = values;
    if (!this.hurry && faces.length && number - this.#started < detectEvery) return null;
    const copy = frame.copy(scope);
    const source = copy.plane;
    let took: Backend = 'wasm';
    const own = new Scope(scope.runtime, { took: (backend) => (took = backend) });
    const inputs = [source, ...this.models] as const;
    const detection = detectionOf(values);
    const onGpu = own.backendOf(faceDetection, inputs, detection) === 'gpu';
    const { windows, steps } = searchWork(this.models[0], source, values);
    if (!onGpu && number === 0 && detectEvery > 1 && windows > AT_ONCE)
      return yield* this.#glance(scope, copy, detection);
    const frames = faces.length ? Math.ceil(SOON * detectEvery) : Math.min(steps > EASY ? LONGER : HASTE, detectEvery);
    this.#search = {
      plan: own.run(faceDetection, inputs, detection),
      onGpu,
      took: () => took,
      frame: number,
      copy,
      faces: faces.map((track) => ({ track, box: track.box })),
      // A small first frame is searched at once, because a caller with a single image expects a result.
      pace: number === 0 || detectEvery === 1 ? Infinity : steps / frames,
    };
    this.#started = number;
    this.hurry = false;
    return null;
  }

  /** Frees a search, completed or not. Returns the searched frame, which then belongs to the caller. */
  stop(): FollowedFrame | undefined {
    const search = this.#search;
    this.#search = null;
    search?.plan.return([new Float64Array(0)]);
    return search?.copy;
  }

  /**
   * Searches the first frame of a large recording at half the size, for large faces. A full search starts with the next
   * frame and is spread over frames like all later ones. So no frame needs much longer than others.
   */
  *#glance(scope: Scope, copy: FollowedFrame, values: DetectionValues): Plan<Found> {
    const source = copy.plane;
    const longest = Math.max(source.width, source.height);
    const half = Math.max(1, Math.round(Math.min(values.maxSide || Infinity, longest) / 2));
    const minSize = Math.max(values.minSize, Math.round((this.models[0].width * GLANCE * longest) / half));
    const coarse = { ...values, maxSide: half, minSize, scaleFactor: COARSE };
    const [list] = yield* scope.run(faceDetection, [source, ...this.models], coarse);
    return { copy, faces: [], boxes: facesOfList(list) };
  }
}
