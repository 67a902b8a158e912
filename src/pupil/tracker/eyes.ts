/**
 * The eyes of a tracker. Each has a detector over shared preprocessing. The last pupil is the next start, and after a
 * loss the whole frame is searched (paper 000, sections 2.3 and 2.5). Eyes that are not being followed get a coarse
 * search. Values are for the frame that is searched.
 */
import type { Pupil } from '../../results/types.ts';
import { FoveolaError } from '../../runtime/error.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Scope } from '../../runtime/scope.ts';
import { together, type Plan } from '../../runtime/wasm/kernel-step.ts';
import type { PupilValues } from '../parameters.ts';
import { onDemand, PreparedFrame } from '../preparation/prepared-frame.ts';
import type { Detector, Found, Last, Method, PendingSearch, View } from '../search/method.ts';
import { regionOf } from '../search/region.ts';
import { nothingFound } from '../search/result.ts';
import { triesAll } from '../starburst/start.ts';
import { BETWEEN, COARSE, type Belief, CoarseSearch, isAbsent, type Seed } from './coarse-search.ts';
import type { Size } from './working-size.ts';
import { secondOpinion } from '../second/opinion.ts';

/**
 * Value of `lost` when another size is tried. For an eye that stays lost, the best two dark regions are tried
 * (../starburst/start.ts).
 */
const LOST = 1;

/** State of one eye between frames. */
interface Eye {
  readonly detector: Detector;
  last: Last | null;
  /** Number of frames since the pupil was last seen, 0 at the start. */
  lost: number;
  /** Reduction factor of the image that showed it when it was found, or 0. */
  shownAt: number;
  /** Diameter of the pupil when it was last seen. */
  size: number;
}

/** Stores the start of the next frame. */
function remember(eye: Eye, { pupil, last }: Found): Pupil {
  eye.last = last;
  eye.lost = last ? 0 : eye.lost + 1;
  if (last) eye.size = 2 * last.r;
  return pupil;
}

/** Result of each eye, null outside the region of interest. */
type FoundList = readonly (Found | null)[];
type SeedList = readonly (Seed | null)[];

export class Eyes {
  readonly #runtime: Runtime;
  readonly #coarse: CoarseSearch;
  #eyes: Eye[] = [];
  #frame: PreparedFrame | null = null;
  #second: PreparedFrame | null = null;

  constructor(runtime: Runtime, belief: Belief) {
    this.#runtime = runtime;
    this.#coarse = new CoarseSearch(runtime, belief);
  }

  /**
   * Maximum blur of the outlines in the last frame. A lost pupil does not count, because its lid is what is blurred.
   */
  get blur(): number {
    return Math.max(...this.#eyes.map(({ detector, lost, size }) => (lost && size ? 0 : (detector.blur ?? 0))));
  }

  /** Whether the buffers fit an image of this working size. */
  hasRoom({ width, height }: Size, count: number): boolean {
    return this.#frame?.width === width && this.#frame.height === height && this.#eyes.length === count;
  }

  makeRoom(image: Size, method: Method, { eyes }: PupilValues): PreparedFrame {
    if (!this.hasRoom(image, eyes)) {
      this.dispose();
      this.#frame = new PreparedFrame(this.#runtime, image.width, image.height);
      this.#open(method, eyes, []);
    }
    return this.#frame!;
  }

  /**
   * Opens detectors of the method that `change` makes after the previous ones are disposed. Pupil positions are kept.
   */
  change(method: () => Method, count: number): void {
    const old = this.#eyes;
    this.#eyes = []; // if there is not enough memory for all, the next frame starts again
    for (const { detector } of old) detector.dispose();
    const made = method();
    if (this.#frame) this.#open(made, count, old);
  }

  #open(method: Method, count: number, old: readonly Eye[]): void {
    const { width, height } = this.#frame!;
    for (let i = 0; i < count; i++)
      this.#eyes.push({
        detector: method.detector(width, height),
        last: old[i]?.last ?? null,
        lost: 0,
        shownAt: old[i]?.shownAt ?? 0,
        size: old[i]?.size ?? 0,
      });
  }

  /** Enqueues the GPU part of the search. Returns the pending search of each eye. */
  *enqueue(scope: Scope, image: Plane, values: PupilValues): Plan<(PendingSearch | null)[]> {
    const pending: (PendingSearch | null)[] = [];
    for (const [i, { detector }] of this.#eyes.entries()) {
      const view = this.#view(i, image, values);
      pending.push(view && detector.enqueue ? yield* detector.enqueue(scope, view) : null);
    }
    return pending;
  }

  /** Finds the pupils of an image. The pending searches were started on the GPU. */
  *find(
    scope: Scope,
    image: Plane,
    values: PupilValues,
    pending: readonly (PendingSearch | null)[] = [],
  ): Plan<Pupil[]> {
    const seeds = yield* this.#seeds(image, values, (i) => !this.#followed(i, values));
    yield* this.#frame!.begin(image, values);
    const found = yield* pending.length
      ? this.#findPending(scope, image, values, pending, seeds)
      : this.#findEach(scope, image, values, seeds);
    return yield* this.#ended(scope, image, values, found, seeds);
  }

  #followed(index: number, { tracking }: PupilValues): Last | null {
    return tracking ? this.#eyes[index]!.last : null;
  }

  #view(index: number, source: Plane, values: PupilValues, seed?: Found | null, frame = this.#frame!): View | null {
    const last = seed ? seed.last : this.#followed(index, values);
    const region = regionOf(source.width, source.height, values, index);
    return region && { source, frame, region, last, lost: this.#eyes[index]!.lost };
  }

  *#findFrom(
    scope: Scope,
    index: number,
    image: Plane,
    values: PupilValues,
    seed?: Found | null,
    any?: boolean,
  ): Plan<Found | null> {
    if (isAbsent(seed)) return seed!;
    const view = this.#view(index, image, values, seed);
    return view && (yield* this.#eyes[index]!.detector.find(scope, { ...view, any }));
  }

  /** Finds the approximate positions of the pupils of these eyes. */
  #seeds(image: Plane, values: PupilValues, wanted: (index: number) => boolean): Plan<(Seed | null)[]> {
    // A lost pupil is searched like a new one in every eighth frame.
    const eyes = this.#eyes.map((eye) => (triesAll(eye.lost, values) ? { ...eye, shownAt: 0 } : eye));
    return this.#coarse.find(COARSE, image, this.#frame!, values, eyes, wanted);
  }

  *#findPending(
    scope: Scope,
    image: Plane,
    values: PupilValues,
    pending: readonly (PendingSearch | null)[],
    seeds: SeedList,
  ): Plan<FoundList> {
    const found: (Found | null)[] = [];
    for (const [i, finish] of pending.entries()) {
      const view = this.#view(i, image, values, seeds[i]);
      const onGpu = view && finish && (yield* finish(scope, view));
      found.push(onGpu && !seeds[i] ? onGpu : yield* this.#findFrom(scope, i, image, values, seeds[i]));
    }
    return found;
  }

  /**
   * Runs each eye's search, both in parallel on threads if possible. Tiles on demand belong to one search, so the
   * second search has separate tiles.
   */
  *#findEach(scope: Scope, image: Plane, values: PupilValues, seeds: SeedList): Plan<FoundList> {
    const both =
      this.#eyes.length > 1 &&
      this.#runtime.pool.threads > 1 &&
      this.#eyes.every(({ detector }) => detector.sideBySide);
    if (!both) {
      const found: (Found | null)[] = [];
      for (const i of this.#eyes.keys()) found.push(yield* this.#findFrom(scope, i, image, values, seeds[i]));
      return found;
    }
    let second = this.#frame!;
    if (onDemand(values)) {
      second = this.#second ??= new PreparedFrame(this.#runtime, image.width, image.height);
      yield* second.begin(image, values);
    }
    const found = yield* together(
      this.#eyes.map(({ detector }, i) => {
        const view = isAbsent(seeds[i]) ? null : this.#view(i, image, values, seeds[i], i ? second : undefined);
        return view && detector.find(scope, view);
      }),
    );
    return found.map((one, i) => one ?? seeds[i]!);
  }

  /**
   * Returns the pupils of a frame. A pupil that was followed and is not near its last position is searched like a new
   * one. A pupil that was found from a coarse position is measured again from its own position, like in each following
   * frame.
   */
  *#ended(scope: Scope, image: Plane, values: PupilValues, found: FoundList, seeds: SeedList): Plan<Pupil[]> {
    const lost = found.map((one, i) => one?.last === null && !!this.#followed(i, values));
    const again = yield* this.#seeds(image, values, (i) => lost[i]!);
    if (lost.includes(true)) yield* this.#frame!.begin(image, values);
    const ended: (Found | null)[] = [];
    for (const [i, eye] of this.#eyes.entries()) {
      const seed = again[i] ?? seeds[i];
      const one = again[i] ? yield* this.#findFrom(scope, i, image, values, seed) : found[i]!;
      ended.push(one && (yield* this.#measured(scope, i, image, values, one, seed)));
      if (ended[i]?.last && (lost[i] || !this.#followed(i, values))) eye.shownAt = seed?.times ?? 0;
    }
    yield* this.#askedAgain(scope, image, values, ended, (i) => lost[i]! || !this.#followed(i, values));
    if (values.secondOpinion !== 'none')
      yield* secondOpinion(scope, {
        ...{ image, values, ended },
        begin: () => this.#frame!.begin(image, values),
        find: (i, last) => this.#findFrom(scope, i, image, values, { last } as Found, true),
      });
    return this.#eyes.map((eye, i) => (ended[i] ? remember(eye, ended[i]) : nothingFound()));
  }

  /**
   * Measures a pupil that was found from a coarse position again from its own position. Returns the accepted one of the
   * results.
   */
  *#measured(
    scope: Scope,
    index: number,
    image: Plane,
    values: PupilValues,
    one: Found,
    seed: Found | null | undefined,
  ): Plan<Found> {
    if (!one.last || !seed) return this.#coarse.finished(one, seed, image);
    const measured = yield* this.#findFrom(scope, index, image, values, one);
    const better = measured?.last && measured.pupil.confidence > one.pupil.confidence ? measured : one;
    return this.#coarse.finished(better, seed, image);
  }

  /**
   * After an uncertain search of the whole region, tries other sizes until one is certain. Their result counts only
   * with a very high confidence, because a second attempt doubles the risk of a false positive. For an eye that stays
   * lost, this runs only when all of its dark regions are tried. Two thirds of the size need four times the frame's
   * memory temporarily. Without that memory, the first result is used.
   */
  *#askedAgain(
    scope: Scope,
    image: Plane,
    values: PupilValues,
    ended: (Found | null)[],
    searched: (index: number) => boolean,
  ): Plan<void> {
    const unsure = ended.map((one, i) => {
      const eye = this.#eyes[i]!;
      return !!one && searched(i) && this.#coarse.unsure(eye, one) && triesAll(eye.lost, values);
    });
    const eyes = this.#eyes.map((eye) => ({ ...eye, lost: LOST, shownAt: 0 }));
    for (const size of BETWEEN) {
      if (!unsure.includes(true)) return;
      try {
        const seeds = yield* this.#coarse.find([size], image, this.#frame!, values, eyes, (i) => unsure[i]!);
        yield* this.#settled(scope, image, values, ended, seeds, unsure);
      } catch (error) {
        if (error instanceof FoveolaError && error.code === 'out-of-memory') return;
        throw error;
      }
    }
  }

  /**
   * Uses the results from these positions if their confidence is very high. Such an eye is then no longer uncertain.
   */
  *#settled(
    scope: Scope,
    image: Plane,
    values: PupilValues,
    ended: (Found | null)[],
    seeds: SeedList,
    unsure: boolean[],
  ): Plan<void> {
    if (!seeds.some(Boolean)) return;
    yield* this.#frame!.begin(image, values);
    for (const [i, seed] of seeds.entries()) {
      if (!seed) continue;
      const one = yield* this.#findFrom(scope, i, image, values, seed);
      const other = one && (yield* this.#measured(scope, i, image, values, one, seed));
      const believed = other?.last ? other : seed;
      if (!this.#coarse.beyondDoubt(believed)) continue;
      ended[i] = believed;
      unsure[i] = false;
    }
  }

  reset(): void {
    for (const eye of this.#eyes) {
      eye.last = null;
      eye.lost = eye.shownAt = eye.size = 0;
    }
  }

  /** Frees all buffers. The next frame allocates them again. */
  dispose(): void {
    for (const { detector } of this.#eyes) detector.dispose();
    this.#eyes = [];
    this.#frame?.dispose();
    this.#second?.dispose();
    this.#frame = this.#second = null;
  }
}
