/** The pupil tracker: frames in order, on both backends, at the working size, with blinks, glints and results. */
import type { PupilResult, Pupil } from '../../results/types.ts';
import type { TrackerHandle } from '../../runtime/engine/tracker-proxy.ts';
import { type PupilValues, type Roi, pupilParameters } from '../parameters.ts';
import { type Runtime, resultBackend, type Backend } from '../../runtime/runtime.ts';
import { HoughMethod } from '../hough/hough.ts';
import { RobustMethod } from '../robust/robust.ts';
import type { Method, PendingSearch } from '../search/method.ts';
import { StarburstMethod } from '../starburst/starburst.ts';
import { ThresholdMethod } from '../threshold/threshold.ts';
import { defineTrackers, toTheEnd, trackerKind, type CallContext, type Tracker } from '../../runtime/capability.ts';
import { EXTRAS_PART, loadEnginePart } from '../../runtime/engine-parts.ts';
import { FoveolaError } from '../../runtime/error.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { resolveParameters } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import { Scope } from '../../runtime/scope.ts';
import type { GpuCounts } from '../starburst/starburst.gpu.ts';
import { EyeEventDetector } from '../../series/eye-events.ts';
import { eyeOf } from '../../results/laterality.ts';
import { regionOf, type Region } from '../search/region.ts';
import { loadSecondOpinion } from '../second/opinion.ts';
import { BELIEF } from './coarse-search.ts';
import { Eyes } from './eyes.ts';
import { glintsOf } from '../glints/glints.ts';
import {
  enlarged,
  timesLarger,
  working,
  workingFactor,
  workingSize,
  type Working,
  EXPOSURE,
  type Exposure,
} from './working-size.ts';

// The public types of the pupil tracker.

/** Parameters as declared in their table. Calibration and region can also be null. */
export type PupilParameters = Omit<PupilValues, 'millimetresPerPixel' | 'roi'> & {
  millimetresPerPixel: number | null;
  roi: Roi | null;
};

export type PupilTracker = TrackerHandle<PupilResult, PupilParameters>;

// The methods by name. A new one needs a line here and in the choice in parameters.ts.

type MakeMethod = (runtime: Runtime, values: PupilValues) => Method;
export type Methods = Readonly<Record<PupilValues['method'], MakeMethod>>;

export const shippedMethods: Methods = {
  robust: (runtime, values) => new RobustMethod(runtime, values),
  starburst: (runtime, values) => new StarburstMethod(runtime, values),
  hough: (runtime, values) => new HoughMethod(runtime, values),
  threshold: (runtime, values) => new ThresholdMethod(runtime, values),
};

/** Loads what these values need in addition to the script. Returns undefined if that is nothing. */
function loadFor(runtime: Runtime, { method, secondOpinion }: PupilValues): Promise<void> | undefined {
  const asks = secondOpinion !== 'none';
  const part = asks || method !== 'robust' ? loadEnginePart(runtime, EXTRAS_PART) : undefined;
  return asks ? Promise.resolve(part).then(() => loadSecondOpinion(runtime)) : part;
}

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
        'createPupilTracker: roi must be { x, y, width, height } in pixels, 8 or more wide and high, or null.',
      );
    values.roi = { x: box.x, y: box.y, width: box.width, height: box.height };
  }
  return values;
}

/** Mean distance of colors from gray, in gray values, that is not an infrared camera's (src/frames/chroma.ts). */
const COLORED = 8;

/**
 * Compared with the maximum edge width that is measured, 5 px. An outline with that width may be anywhere in it. Sharp
 * rendered pupils have 2 to 3, and the recordings stored next to the checkout have 4 at most.
 */
const BLURRED = 4.7;

/** Whether a pupil reaches the border of its search region, so that it may be leaving. */
const atTheEdge = ({ x, y, diameter }: Pupil, region: Region | null): boolean =>
  region !== null && Math.min(x - region.x0, y - region.y0, region.x1 - 1 - x, region.y1 - 1 - y) <= diameter / 2;

export class PupilTrackerCore implements Tracker {
  readonly #runtime: Runtime;
  readonly #methods: Methods;
  #given: Record<string, unknown>;
  #values: PupilValues;
  readonly #eyes: Eyes;
  #method: Method;
  readonly #exposure: Exposure;
  /** One detector per eye. */
  #events: EyeEventDetector[] = [];

  constructor(
    runtime: Runtime,
    given: Record<string, unknown>,
    methods = shippedMethods,
    belief = BELIEF,
    exposure = EXPOSURE,
  ) {
    this.#runtime = runtime;
    this.#exposure = exposure;
    this.#eyes = new Eyes(runtime, belief);
    this.#methods = methods;
    this.#given = given;
    this.#values = resolve(given);
    this.#method = this.#makeMethod();
  }

  #makeMethod(): Method {
    return this.#methods[this.#values.method](this.#runtime, this.#values);
  }

  /**
   * Frames may overlap on the GPU. Their results arrive in order. In WASM, the result is returned at once if it needs
   * less than a slice, and always without a context.
   */
  process(source: Plane, timestamp: number, context?: CallContext): PupilResult | Promise<PupilResult> {
    if (!context && source.on !== 'gpu' && !this.#onGpu(source)) return this.track(source, timestamp);
    return this.#frame(source, timestamp, context);
  }

  get depth(): number {
    return this.#values.depth;
  }

  #onGpu(source: Plane): boolean {
    return this.#method.onGpu(new Scope(this.#runtime), source);
  }

  /** Compiles the GPU's programs if the GPU will be used, so that the first frame does not have to wait for them. */
  async prepare(): Promise<void> {
    const scope = new Scope(this.#runtime);
    try {
      await this.#method.prepare(scope);
    } finally {
      scope.dispose();
    }
  }

  /** Enqueues the GPU part. WASM finishes the search when all previous frames are done. */
  async #frame(source: Plane, timestamp: number, context?: CallContext): Promise<PupilResult> {
    const before = context?.before;
    if (source.on === 'gpu') await source.arena(); // WASM reads it too
    if (!this.#onGpu(source)) {
      await before;
      return this.track(source, timestamp, context);
    }
    const room = this.#eyes.hasRoom(workingSize(source, this.#values), this.#values.eyes);
    if (this.#method.startsFromLast || !room) await before;
    const { driver } = this.#runtime;
    const backends = new Set<Backend>();
    const scope = new Scope(this.#runtime, { took: (backend) => backends.add(backend) });
    try {
      const { pending, ...found } = await driver.run(this.#enqueue(scope, source));
      context?.entered?.();
      await before;
      const pupils = await driver.run(this.#finish(scope, source, found, pending));
      return this.#result(source, timestamp, pupils, backends, found.dim);
    } finally {
      scope.dispose();
    }
  }

  *#prepared(scope: Scope, source: Plane): Plan<Working> {
    const prepared = yield* working(scope, source, this.#values, this.#exposure);
    this.#eyes.makeRoom(prepared.image, this.#method, this.#values);
    return prepared;
  }

  *#enqueue(scope: Scope, source: Plane): Plan<Working & { pending: (PendingSearch | null)[] }> {
    const prepared = yield* this.#prepared(scope, source);
    return { ...prepared, pending: yield* this.#eyes.enqueue(scope, prepared.image, prepared.values) };
  }

  *#finish(scope: Scope, source: Plane, found: Working, pending: readonly (PendingSearch | null)[]): Plan<Pupil[]> {
    const { image, values, gain } = found;
    this.#eyes.makeRoom(image, this.#method, this.#values);
    return yield* this.#withGlints(scope, source, yield* this.#eyes.find(scope, image, values, pending), gain);
  }

  /**
   * Searches for glints in the original frame, which has more pixels for their centers. The threshold is scaled to the
   * original gray values.
   */
  *#withGlints(scope: Scope, source: Plane, pupils: Pupil[], gain: number): Plan<Pupil[]> {
    const values = this.#values;
    if (!values.glints) return pupils;
    const reflectionThreshold = Math.ceil(values.reflectionThreshold / gain);
    const limits = { ...values, reflectionThreshold };
    const factor = workingFactor(source, values); // of this frame, because others may have entered in the meantime
    for (const pupil of pupils) pupil.glints = yield* glintsOf(scope, source, enlarged(pupil, factor), limits);
    return pupils;
  }

  /** Runs the whole search in WASM: at once, or in slices if there is a context. */
  track(source: Plane, timestamp: number): PupilResult;
  track(source: Plane, timestamp: number, context?: CallContext): PupilResult | Promise<PupilResult>;
  track(source: Plane, timestamp: number, context?: CallContext): PupilResult | Promise<PupilResult> {
    const { driver } = this.#runtime;
    const plan = this.#tracked(source, timestamp);
    return context ? driver.start(plan, toTheEnd(context)) : driver.now(plan);
  }

  *#tracked(source: Plane, timestamp: number): Plan<PupilResult> {
    const scope = new Scope(this.#runtime, { backend: 'wasm' });
    try {
      const { image, values, gain, dim } = yield* this.#prepared(scope, source);
      const found = yield* this.#eyes.find(scope, image, values);
      const pupils = yield* this.#withGlints(scope, source, found, gain);
      return this.#result(source, timestamp, pupils, new Set(), dim);
    } finally {
      scope.dispose();
    }
  }

  #result(
    source: Plane,
    timestamp: number,
    found: readonly Pupil[],
    backends: ReadonlySet<Backend>,
    dim: boolean,
  ): PupilResult {
    const { width, height, chroma = 0 } = source;
    const factor = workingFactor(source, this.#values);
    const pupils = found.map((pupil, i) => ({ ...enlarged(pupil, factor), eye: eyeOf(i, this.#values) }));
    const events = this.#eventsOf(source, timestamp, pupils, dim);
    const result: PupilResult = {
      timestamp,
      width,
      height,
      pupils,
      events,
      dropped: 0,
      backend: resultBackend(backends),
    };
    const times = timesLarger(factor);
    const faults = [
      chroma > COLORED && 'in color, and visible light hides the pupil of dark eyes. Use an infrared camera',
      dim && 'too dark or flat. Use more light',
      times > 1 && `too small and was enlarged ${times} times`,
      this.#eyes.blur > BLURRED && 'too blurred. Focus the camera',
    ].filter(Boolean);
    if (faults.length) result.warnings = faults.map((fault) => `The image is ${fault}.`);
    return result;
  }

  /** Detects blinks and other events in this frame, and sets the pupils' flags. */
  #eventsOf({ width, height }: Plane, timestamp: number, pupils: Pupil[], dim: boolean): PupilResult['events'] {
    const values = this.#values;
    if (this.#events.length !== pupils.length) this.#events = pupils.map(() => new EyeEventDetector());
    return pupils.flatMap((pupil, i) => {
      const detector = this.#events[i]!;
      detector.limit = values.maxBlink;
      const unsure = pupil.found ? atTheEdge(pupil, regionOf(width, height, values, i)) : dim;
      const { blink, events } = detector.update({ ...pupil, unsure }, timestamp);
      pupil.blink = blink;
      return events.map((event) => ({ ...event, pupil: i, eye: pupil.eye }));
    });
  }

  /** Counts of the GPU path so far, or null without one. */
  get gpuCounts(): GpuCounts | null {
    return (this.#method as Partial<StarburstMethod>).counts ?? null;
  }

  reset(): void {
    this.#eyes.reset();
    for (const events of this.#events) events.reset();
  }

  /** Sets new values for the next frame, at once unless the method has to be loaded. Pupil positions are kept. */
  setParameters(params: Record<string, unknown>): void | Promise<void> {
    const given = { ...this.#given, ...params };
    const values = resolve(given);
    const change = () => {
      this.#values = values;
      this.#given = given;
      this.#eyes.change(() => {
        this.#method.dispose();
        return (this.#method = this.#makeMethod());
      }, values.eyes);
    };
    const loading = loadFor(this.#runtime, values);
    return loading ? loading.then(change) : change();
  }

  dispose(): void {
    this.#eyes.dispose();
    this.#method.dispose();
  }
}

const pupilTracker = trackerKind<(parameters?: Partial<PupilParameters>) => PupilTracker>()({
  name: 'pupil',
  params: pupilParameters,
  sources: 'gray',
  // lab/results/performance.md: WASM alone was faster than rays and RANSAC on every measured GPU. GPU results wait for
  // a fence, and the outline at the end runs in WASM in any case.
  autoWasm: "Pupil tracking runs in WASM, which measured faster. backend 'gpu' moves it to the GPU.",
  resolve,
  async create(runtime, params) {
    await loadFor(runtime, resolve(params));
    const core = new PupilTrackerCore(runtime, params);
    await core.prepare();
    return core;
  },
});

export const pupilTrackers = defineTrackers({
  /**
   * Creates a tracker for one or two pupils, synchronously. Positions and diameters are in source pixels, angles in
   * radians. `diameterMm` is in millimeters if `millimetresPerPixel` is set. Source: "Parallel pupil tracking" (J.
   * Real-Time Image Processing). Methods: docs/pupil-methods.md.
   * @throws {FoveolaError} 'invalid-argument' (a parameter out of range) and 'disposed'
   */
  createPupilTracker: pupilTracker,
});
