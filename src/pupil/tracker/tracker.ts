/**
 * The pupil tracker: one detector per eye over shared preprocessing, the last pupil as the next start, the whole frame
 * after a loss (paper 000, sections 2.3 and 2.5).
 */
import type { Pupil, PupilResult } from '../../results/types.ts';
import { defineTrackers, toTheEnd, trackerKind, type CallContext, type Tracker } from '../../runtime/capability.ts';
import { FoveolaError } from '../../runtime/error.ts';
import { together, type Plan } from '../../runtime/wasm/kernel-step.ts';
import { resolveParameters } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope } from '../../runtime/scope.ts';
import { sidesOf, type Side } from '../../runtime/side.ts';
import { BlinkDetector } from '../../series/blink.ts';
import type { Detector, Found, PendingSearch, Last, Method, View } from '../search/method.ts';
import type { GpuCounts } from '../starburst/starburst.gpu.ts';
import { FramesInFlight, type FrameEnd } from '../../runtime/frames-in-flight.ts';
import { shippedMethods, type Methods } from './methods.ts';
import { pupilParameters, type PupilValues, type Roi } from '../parameters.ts';
import { onDemand, PreparedFrame } from '../preparation/prepared-frame.ts';
import { glintsOf } from '../glints/glints.ts';
import { nothingFound } from '../search/result.ts';
import { regionOf } from '../search/region.ts';
import { enlarged, workingFactor, workingImage, workingSize, workingValues, type Size } from './working-size.ts';
import { StarburstMethod } from '../starburst/starburst.ts';
import type { PupilParameters, PupilTracker } from '../tracker-handle.ts';

function resolve(given: Record<string, unknown>): PupilValues {
  const { roi, ...rest } = given;
  const numbers = rest as Partial<PupilValues> & Record<string, unknown>;
  if (numbers.millimetresPerPixel === null) numbers.millimetresPerPixel = 0;
  const values: PupilValues = resolveParameters(pupilParameters, numbers, 'createPupilTracker');
  if (values.thresholdFrom > values.thresholdTo)
    throw new FoveolaError(
      'invalid-argument',
      `createPupilTracker: thresholdFrom (${values.thresholdFrom}) must not be above thresholdTo (${values.thresholdTo}).`,
    );
  if (roi !== undefined && roi !== null) {
    const box = roi as Roi;
    if (![box.x, box.y, box.width, box.height].every(Number.isFinite) || box.width < 8 || box.height < 8)
      throw new FoveolaError(
        'invalid-argument',
        'createPupilTracker: roi must be { x, y, width, height } in pixels, at least 8 wide and high, or null.',
      );
    values.roi = { x: box.x, y: box.y, width: box.width, height: box.height };
  }
  return values;
}

/** Colors this far from gray, levels in the mean, are not an infrared camera's (src/frames/chroma.ts). */
const COLORED = 8;
const visibleLight =
  'The picture is in color, so it was taken in visible light: a dark iris then hardly differs from the pupil, and daylight mirrors in the cornea. Use an infrared camera and light.';

/** What is known of one eye between frames. */
interface Eye {
  detector: Detector;
  blinks: BlinkDetector;
  last: Last | null;
  /** Frames since the pupil was last seen, 0 at the start. */
  lost: number;
}

/** Keeps what the next frame starts from. */
function remember(eye: Eye, { pupil, last }: Found): Pupil {
  eye.last = last;
  eye.lost = last ? 0 : eye.lost + 1;
  return pupil;
}

export class PupilTrackerCore implements Tracker {
  readonly #runtime: Runtime;
  readonly #methods: Methods;
  #given: Record<string, unknown>;
  #values: PupilValues;
  #eyes: Eye[] = [];
  #frame: PreparedFrame | null = null;
  #second: PreparedFrame | null = null;
  #method: Method;
  /** By which the frames of now are reduced. */
  #factor = 1;
  readonly #inFlight = new FramesInFlight();

  constructor(runtime: Runtime, given: Record<string, unknown>, methods = shippedMethods) {
    this.#runtime = runtime;
    this.#methods = methods;
    this.#given = given;
    this.#values = resolve(given);
    this.#method = this.#makeMethod();
  }

  #makeMethod(): Method {
    return this.#methods[this.#values.method](this.#runtime, this.#values);
  }

  /**
   * Frames may overlap on the GPU; their results come in order. On the WASM side the result is there at once where it
   * takes less than a slice; without a context in any case.
   */
  process(source: Plane, timestamp: number, context?: CallContext): PupilResult | Promise<PupilResult> {
    if (source.on === 'gpu' || this.#inFlight.busy || this.#onGpu(source))
      return this.#inFlight.add((before) => this.#enter(source, timestamp, before, context));
    const answer = this.track(source, timestamp, context);
    return answer instanceof Promise ? this.#inFlight.hold(answer) : answer;
  }

  /** Resolves when another frame may come. */
  ready(): Promise<void> {
    return this.#inFlight.ready(this.#values.depth);
  }

  #onGpu(source: Plane): boolean {
    return this.#method.onGpu(new Scope(this.#runtime), source);
  }

  /** Compiles the GPU's programs, if it will be used, so that the first frame need not wait for them. */
  async prepare(): Promise<void> {
    const scope = new Scope(this.#runtime);
    try {
      await this.#method.prepare(scope);
    } finally {
      scope.dispose();
    }
  }

  /** The GPU's part is enqueued; the WASM side ends the search when all frames before have landed. */
  async #enter(
    source: Plane,
    timestamp: number,
    before: Promise<unknown>,
    context?: CallContext,
  ): Promise<FrameEnd<PupilResult>> {
    if (source.on === 'gpu') await source.arena(); // the WASM side reads it, too
    if (!this.#onGpu(source)) return () => this.track(source, timestamp, context);
    if (!this.#hasRoom(workingSize(source, this.#values))) await before;
    const { driver } = this.#runtime;
    const sides = new Set<Side>();
    const scope = new Scope(this.#runtime, { took: (side) => sides.add(side) });
    try {
      const { image, pending } = await driver.run(this.#enqueue(scope, source));
      return async () => {
        try {
          const pupils = await driver.run(this.#finish(scope, source, image, pending));
          return this.#result(source, timestamp, pupils, sides);
        } finally {
          scope.dispose();
        }
      };
    } catch (error) {
      scope.dispose();
      throw error;
    }
  }

  *#enqueue(scope: Scope, source: Plane): Plan<{ image: Plane; pending: (PendingSearch | null)[] }> {
    const image = yield* workingImage(scope, source, this.#measure(source), this.#values.polarity);
    const frame = this.#makeRoom(image);
    const pending: (PendingSearch | null)[] = [];
    for (const [i, { detector }] of this.#eyes.entries()) {
      const view = this.#view(i, image, frame);
      pending.push(view && detector.enqueue ? yield* detector.enqueue(scope, view) : null);
    }
    return { image, pending };
  }

  *#finish(scope: Scope, source: Plane, image: Plane, pending: readonly (PendingSearch | null)[]): Plan<Pupil[]> {
    const frame = this.#makeRoom(image);
    yield* frame.begin(image, this.#values);
    const pupils: Pupil[] = [];
    for (const [i, eye] of this.#eyes.entries()) {
      const view = this.#view(i, image, frame);
      const finish = pending[i] ?? ((s: Scope, v: View) => eye.detector.find(s, v));
      pupils.push(view ? remember(eye, yield* finish(scope, view)) : nothingFound());
    }
    return yield* this.#withGlints(scope, source, pupils);
  }

  /** Glints are looked for in the frame as it is, with pixels to spare for their centers. */
  *#withGlints(scope: Scope, source: Plane, pupils: Pupil[]): Plan<Pupil[]> {
    const values = this.#values;
    if (!values.glints) return pupils;
    const factor = workingFactor(source, values); // this frame's: others may have entered since
    for (const pupil of pupils) pupil.glints = yield* glintsOf(scope, source, enlarged(pupil, factor), values);
    return pupils;
  }

  /** The whole search on the WASM side: at once, or with a context in slices. */
  track(source: Plane, timestamp: number): PupilResult;
  track(source: Plane, timestamp: number, context?: CallContext): PupilResult | Promise<PupilResult>;
  track(source: Plane, timestamp: number, context?: CallContext): PupilResult | Promise<PupilResult> {
    const { driver } = this.#runtime;
    const plan = this.#tracked(source, timestamp);
    return context ? driver.start(plan, toTheEnd(context)) : driver.now(plan);
  }

  *#tracked(source: Plane, timestamp: number): Plan<PupilResult> {
    const scope = new Scope(this.#runtime, { side: 'wasm' });
    try {
      const pupils = yield* this.#withGlints(scope, source, yield* this.#find(scope, source));
      return this.#result(source, timestamp, pupils, new Set());
    } finally {
      scope.dispose();
    }
  }

  *#find(scope: Scope, source: Plane): Plan<Pupil[]> {
    const image = yield* workingImage(scope, source, this.#measure(source), this.#values.polarity);
    const frame = this.#makeRoom(image);
    yield* frame.begin(image, this.#values);
    if (this.#searchesBoth()) return yield* this.#findBoth(scope, image, frame);
    const pupils: Pupil[] = [];
    for (const [i, eye] of this.#eyes.entries()) {
      const view = this.#view(i, image, frame);
      pupils.push(view ? remember(eye, yield* eye.detector.find(scope, view)) : nothingFound());
    }
    return pupils;
  }

  /** By which this frame is reduced. */
  #measure(source: Plane): number {
    return (this.#factor = workingFactor(source, this.#values));
  }

  #view(index: number, source: Plane, frame: PreparedFrame): View | null {
    const { last, lost } = this.#eyes[index]!;
    const region = regionOf(source.width, source.height, workingValues(this.#values, this.#factor), index);
    return region && { source, frame, region, last, lost };
  }

  /** Whether the two searches run side by side. */
  #searchesBoth(): boolean {
    const { threads } = this.#runtime.pool;
    return this.#eyes.length > 1 && threads > 1 && this.#eyes.every(({ detector }) => detector.sideBySide);
  }

  /** Both eyes on threads. A tile that is made on demand belongs to one of them, so the second has tiles of its own. */
  *#findBoth(scope: Scope, source: Plane, frame: PreparedFrame): Plan<Pupil[]> {
    const values = this.#values;
    let second = frame;
    if (onDemand(values)) {
      second = this.#second ??= new PreparedFrame(this.#runtime, source.width, source.height);
      yield* second.begin(source, values);
    }
    const searches = this.#eyes.map(({ detector }, i) => {
      const view = this.#view(i, source, i ? second : frame);
      return view && detector.find(scope, view);
    });
    const found = yield* together(searches);
    return found.map((one, i) => (one ? remember(this.#eyes[i]!, one) : nothingFound()));
  }

  #result(source: Plane, timestamp: number, found: readonly Pupil[], sides: ReadonlySet<Side>): PupilResult {
    const { width, height, chroma = 0 } = source;
    const factor = workingFactor(source, this.#values);
    const pupils = found.map((pupil) => enlarged(pupil, factor));
    const blinks: PupilResult['blinks'] = [];
    pupils.forEach((pupil, i) => {
      const { blink, ended } = this.#eyes[i]!.blinks.update(pupil, timestamp);
      pupil.blink = blink;
      if (ended) blinks.push({ ...ended, eye: i });
    });
    const result: PupilResult = { timestamp, width, height, pupils, blinks, dropped: 0, side: sidesOf(sides) };
    if (chroma > COLORED) result.warnings = [visibleLight];
    return result;
  }

  /** Whether there is room for an image of this size, as it is searched. */
  #hasRoom({ width, height }: Size): boolean {
    return this.#frame?.width === width && this.#frame.height === height && this.#eyes.length === this.#values.eyes;
  }

  #makeRoom(image: Size): PreparedFrame {
    const { width, height } = image;
    if (!this.#hasRoom(image)) {
      this.#release();
      this.#frame = new PreparedFrame(this.#runtime, width, height);
      this.#openEyes(this.#frame, []);
    }
    return this.#frame!;
  }

  /** The eyes with detectors of the current method and values, going on from `old`. */
  #openEyes({ width, height }: PreparedFrame, old: readonly Eye[]): void {
    for (let i = 0; i < this.#values.eyes; i++)
      this.#eyes.push({
        detector: this.#method.detector(width, height),
        blinks: old[i]?.blinks ?? new BlinkDetector(),
        last: old[i]?.last ?? null,
        lost: 0,
      });
  }

  /** What the GPU path did so far, or null without one. */
  get gpuCounts(): GpuCounts | null {
    return this.#method instanceof StarburstMethod ? this.#method.counts : null;
  }

  reset(): void | Promise<void> {
    if (this.#inFlight.busy) return this.#inFlight.landed().then(() => this.reset());
    for (const eye of this.#eyes) {
      eye.last = null;
      eye.lost = 0;
      eye.blinks.reset();
    }
  }

  /** New values from the next frame on; where the pupils are is kept. */
  setParameters(params: Record<string, unknown>): void | Promise<void> {
    if (this.#inFlight.busy) return this.#inFlight.landed().then(() => this.setParameters(params));
    const given = { ...this.#given, ...params };
    this.#values = resolve(given);
    this.#given = given;
    const old = this.#eyes;
    this.#eyes = []; // without memory for all of them the next frame begins anew
    for (const { detector } of old) detector.dispose();
    this.#method.dispose();
    this.#method = this.#makeMethod();
    if (this.#frame) this.#openEyes(this.#frame, old);
  }

  #release(): void {
    for (const { detector } of this.#eyes) detector.dispose();
    this.#eyes = [];
    this.#frame?.dispose();
    this.#second?.dispose();
    this.#frame = this.#second = null;
  }

  dispose(): void | Promise<void> {
    if (this.#inFlight.busy) return this.#inFlight.landed().then(() => this.dispose());
    this.#release();
    this.#method.dispose();
  }
}

const pupilTracker = trackerKind<(parameters?: Partial<PupilParameters>) => PupilTracker>()({
  name: 'pupil',
  params: pupilParameters,
  sources: 'gray',
  // docs/performance-tables.md: WASM alone was faster than rays and RANSAC on every GPU that was measured, whose results wait for
  // a fence and whose end, the outline, is on the WASM side in any case.
  autoWasm: "Pupil tracking runs on the WASM side, which measured faster; backend 'gpu' forces its GPU path.",
  resolve,
  async create(runtime, params) {
    const core = new PupilTrackerCore(runtime, params);
    await core.prepare();
    return core;
  },
});

export const pupilTrackers = defineTrackers({
  /**
   * A tracker of one pupil or two, at once. Places and diameters are in source pixels, angles in radians, `diameterMm` in
   * millimetres where `millimetresPerPixel` is given. Source: "Parallel pupil tracking" (J. Real-Time Image Processing);
   * methods: docs/pupil-methods.md.
   * @throws {FoveolaError} 'invalid-argument' (a parameter out of range) and 'disposed'
   */
  createPupilTracker: pupilTracker,
});
