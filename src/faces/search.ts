/**
 * The search of a face tracker: every so many frames one is searched, in steps beside the frames that follow. It looks for
 * faces and knows none; what it finds is where faces were in the frame that was searched.
 */
import { FlowPyramid } from '../flow/pyramid.ts';
import type { GpuFlowPyramid } from '../flow/pyramid.gpu.ts';
import { type Plan, goOn } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import { Scope } from '../runtime/scope.ts';
import type { Side } from '../runtime/side.ts';
import type { Cascade } from '../models/cascade.ts';
import type { FaceJudge } from '../models/face-judge.ts';
import type { Box } from '../results/types.ts';
import { faceDetection, searchWork } from './detector.ts';
import type { FaceTrack } from './face-track.ts';
import { facesOfList, type FaceBox } from './grouping.ts';
import { detectionParameters, type DetectionValues, type FaceTrackerValues } from './parameters.ts';

// A frame that faces are followed in, and the halvings of it that either side needs, made where they are needed. It has a
// copy of the pixels on the arena, so that it outlives its source, and a lost GPU context.

export class FollowedFrame {
  readonly plane: Plane;
  /** What is freed with it. */
  readonly kept: Scope;
  #wasm: FlowPyramid | null = null;
  /** The halvings as textures: see follow.gpu.ts, which makes them. */
  gpu: GpuFlowPyramid | null = null;

  /** Of an 8-bit gray plane that lives on the arena. It belongs to the caller. */
  constructor(scope: Scope, { width, height, stride, address }: Plane) {
    this.kept = new Scope(scope.runtime);
    this.plane = this.kept.plane(width, height, 'u8');
    this.kept.arena.u8.copyWithin(this.plane.address, address, address + stride * height);
  }

  *wasm(): Plan<FlowPyramid> {
    return (this.#wasm ??= this.kept.own(yield* FlowPyramid.build(this.kept, this.plane)));
  }

  /** Idempotent. */
  dispose(): void {
    this.kept.dispose();
  }
}

/** The present frame; a copy is made where it is needed: without a face and between searches it is not. */
export class PresentFrame {
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

// Chosen by hand, looking at `npm run bench -- stability faces` and `-- speed faces`, the last ones for speed.

/** Frames over which a search is spread while there is no face to follow; with more work than EASY, LONGER. */
const HASTE = 2;
const LONGER = 3;
/** Work that two frames bear, in steps: 9 ms where a step takes 0.6. */
const EASY = 16;
/** With faces, in shares of the frames between two searches: the sooner a search ends, the sooner somebody new is noticed. */
const SOON = 0.5;
/** Smallest window of the search at half the size, in windows of the cascade, and the step from size to size: for speed. */
const [GLANCE, COARSE] = [1.5, 1.25];
/** A search of at most so many windows is done in one frame, the first: who asks for one image wants an answer. */
const AT_ONCE = 200_000;

/** What a frame that was searched leaves behind. */
export interface Searched {
  /** The frame. */
  readonly copy: FollowedFrame;
  /** Where the faces were in it. */
  readonly faces: readonly { readonly track: FaceTrack; readonly box: Box }[];
}

/** A search that is over, with what it found. */
export interface Found extends Searched {
  readonly boxes: readonly FaceBox[];
}

/** A search of a frame that may go on beside later ones: which of them ends it depends on no clock. */
interface Search extends Searched {
  readonly plan: Plan<readonly [Float64Array]>;
  /** Its results come from the GPU, with the frame after the one that is searched. */
  readonly onGpu: boolean;
  /** The side that has ended it. */
  took(): Side;
  /** Number of the frame that is searched. */
  readonly frame: number;
  /** Work a frame, in steps. */
  readonly pace: number;
}

/** What it searches with, as a detection takes them: a cascade, the one that confirms and the judge, if there are any. */
export type SearchModels = readonly [Cascade, readonly Cascade[], readonly FaceJudge[]];

/** The values of the search, which may go to the GPU where the caller wants that. */
const detectionOf = (values: FaceTrackerValues): DetectionValues & { tracked: boolean } => ({
  ...(Object.fromEntries(
    Object.keys(detectionParameters).map((name) => [name, values[name as keyof FaceTrackerValues]]),
  ) as DetectionValues),
  tracked: true,
});

export class FaceSearch {
  readonly models: SearchModels;
  #search: Search | null = null;
  #started = -Infinity;
  /** The next search begins as soon as this one is over. */
  hurry = true;

  constructor(models: SearchModels) {
    this.models = models;
  }

  /** The frame that is searched: it is needed until the search is over. */
  get copy(): FollowedFrame | undefined {
    return this.#search?.copy;
  }

  /** Work a frame of what is under way, in steps; Infinity: all of it in one. */
  get pace(): number | undefined {
    return this.#search?.pace;
  }

  /**
   * Begins with this frame when it is time, and goes on with what is under way. Returns what a search found when it is
   * over; the caller, who may still need the frame that was searched, then stops it.
   * @param number of the frame
   * @param faces where they are in it
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
    // Where the context was lost, WASM has done it.
    frame.sides.add(outcome ? search.took() : onGpu ? 'gpu' : 'wasm');
    return outcome && { ...search, boxes: facesOfList(outcome.value[0]) };
  }

  /** What a glance found, where that is all that is done in this frame. */
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
    let took: Side = 'wasm';
    const own = new Scope(scope.runtime, { took: (side) => (took = side) });
    const inputs = [source, ...this.models] as const;
    const detection = detectionOf(values);
    const onGpu = own.sideOf(faceDetection, inputs, detection) === 'gpu';
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
      // A small first frame is searched at once: who asks for one image wants an answer.
      pace: number === 0 || detectEvery === 1 ? Infinity : steps / frames,
    };
    this.#started = number;
    this.hurry = false;
    return null;
  }

  /** Lets go of a search, over or not. Returns the frame that was searched, which is the caller's. */
  stop(): FollowedFrame | undefined {
    const search = this.#search;
    this.#search = null;
    search?.plan.return([new Float64Array(0)]);
    return search?.copy;
  }

  /**
   * The first frame of a large recording: searched at half the size, for large faces; a whole search, spread as all later
   * ones, begins with the next frame. So no frame takes much longer than others.
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
