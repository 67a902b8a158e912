/**
 * The pupil tracker: one Starburst search per eye over shared preprocessing, the last pupil as the next start, the
 * whole frame after a loss (paper 000, sections 2.3 and 2.5).
 */
import type { Pupil, PupilResult } from '../results/types.ts';
import { defineTracker, type Tracker } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { resolveParameters } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { BlinkDetector } from './blink.ts';
import { paperStart, regionOf, regionsToTry, remember, trackingStart, type Eye } from './eye.ts';
import { Flight, type Landing } from './gpu/flight.ts';
import { GpuStarburst } from './gpu/starburst-gpu.ts';
import { GpuTracking, type GpuCounts } from './gpu/gpu-tracking.ts';
import { allOptimisations, type Ladder } from './gpu/ladder.ts';
import { pupilParameters, type PupilValues, type Roi } from './parameters.ts';
import { prepareWholeFrame } from './prepare.ts';
import { nothingFound, readPupil } from './pupil-result.ts';
import { PreparedFrame, StarburstSearch, type Region } from './starburst-search.ts';

function resolve(given: Record<string, unknown>): PupilValues {
  const { roi, ...rest } = given;
  const numbers = rest as Partial<PupilValues> & Record<string, unknown>;
  if (numbers.millimetresPerPixel === null) numbers.millimetresPerPixel = 0;
  const values: PupilValues = resolveParameters(pupilParameters, numbers, 'createPupilTracker');
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

export class PupilTrackerCore implements Tracker {
  readonly #runtime: Runtime;
  #given: Record<string, unknown>;
  #values: PupilValues;
  #eyes: Eye[] = [];
  #frame: PreparedFrame | null = null;
  #gpu: GpuTracking | null = null;
  readonly #ladder: Ladder;
  readonly #flight = new Flight();

  /** `ladder`: optimisations to switch off, for the benchmarks. */
  constructor(runtime: Runtime, given: Record<string, unknown>, ladder: Partial<Ladder> = {}) {
    this.#runtime = runtime;
    this.#ladder = { ...allOptimisations, ...ladder };
    this.#given = given;
    this.#values = resolve(given);
  }

  /** Frames may overlap on the GPU; their results come in order. On the WASM side the result is there at once. */
  process(source: Plane, timestamp: number): PupilResult | Promise<PupilResult> {
    const here = source.on !== 'gpu' && !this.#usesGpu(source);
    if (here && !this.#flight.busy) return this.track(source, timestamp);
    return this.#flight.add((before) => this.#enter(source, timestamp, before));
  }

  /** Resolves when another frame may come. */
  ready(): Promise<void> {
    return this.#flight.ready(this.#ladder.depth);
  }

  #gpuTracking(): GpuTracking {
    return (this.#gpu ??= new GpuTracking(this.#runtime, this.#runtime.gpu!, this.#values, this.#ladder));
  }

  #usesGpu(source: { width: number; height: number }): boolean {
    const { gpu, preferred } = this.#runtime;
    return (
      preferred === 'gpu' &&
      gpu !== null &&
      !gpu.lost &&
      gpu.fits(source.width, source.height) &&
      !GpuStarburst.refuses(this.#values)
    );
  }

  /** Compiles the GPU's programs, if it will be used, so that the first frame need not wait for them. */
  async prepare(): Promise<void> {
    if (!this.#usesGpu({ width: 1, height: 1 })) return;
    await this.#gpuTracking()
      .starburst.compile()
      .catch((error) => {
        if (!this.#runtime.gpu?.lost) throw error;
      });
  }

  /** The GPU's part is enqueued; the WASM side ends the search when all frames before have landed. */
  async #enter(source: Plane, timestamp: number, before: Promise<unknown>): Promise<Landing<PupilResult>> {
    const { width, height } = source;
    if (source.on === 'gpu') await source.arena(); // the WASM side reads it, too
    if (!this.#usesGpu(source)) return () => this.track(source, timestamp);
    if (!this.#hasRoom(source)) await before;
    const frame = this.#makeRoom(source);
    const gpu = this.#gpuTracking();
    const launched = this.#eyes.map((eye, i) => {
      const region = regionOf(width, height, this.#values, i);
      return region && gpu.launch(eye, source, frame, region);
    });
    return async () => {
      this.#prepare(source, frame);
      const found: Pupil[] = [];
      for (const [i, eye] of this.#eyes.entries()) {
        if (launched[i]) await gpu.land(eye, source, frame, launched[i]);
        found.push(launched[i] ? this.#read(eye) : nothingFound());
      }
      return this.#result(source, timestamp, found);
    };
  }

  /** The whole search on the WASM side, at once. */
  track(source: Plane, timestamp: number): PupilResult {
    const frame = this.#makeRoom(source);
    this.#prepare(source, frame);
    const found = this.#eyes.map((eye, i) => {
      const region = regionOf(source.width, source.height, this.#values, i);
      if (!region) return nothingFound();
      this.#find(eye, source, frame, region);
      return this.#read(eye);
    });
    return this.#result(source, timestamp, found);
  }

  #find({ search, last, lost }: Eye, source: Plane, frame: PreparedFrame, region: Region): void {
    const values = this.#values;
    search.begin(source, frame, region);
    if (values.variant === 'paper') {
      const { x, y } = paperStart(last, region, values);
      search.paper(x, y);
      return;
    }
    if (values.tracking && last) {
      const { x, y, reach, gradient } = trackingStart(last, values);
      search.attempt(x, y, reach, gradient, last.dark);
      if (readPupil(search, values).found) return;
    }
    search.search(regionsToTry(lost, values));
  }

  #read(eye: Eye): Pupil {
    const pupil = readPupil(eye.search, this.#values);
    remember(eye, pupil);
    return pupil;
  }

  #result({ width, height }: Plane, timestamp: number, pupils: Pupil[]): PupilResult {
    const blinks: PupilResult['blinks'] = [];
    pupils.forEach((pupil, i) => {
      const { blink, ended } = this.#eyes[i]!.blinks.update(pupil.found, timestamp);
      pupil.blink = blink;
      if (ended) blinks.push(ended);
    });
    return { timestamp, width, height, pupils, blinks, dropped: 0 };
  }

  #hasRoom({ width, height }: Plane): boolean {
    return this.#frame?.width === width && this.#frame.height === height && this.#eyes.length === this.#values.eyes;
  }

  /** Makes room for frames of this size. */
  #makeRoom(source: Plane): PreparedFrame {
    const { width, height } = source;
    if (!this.#hasRoom(source)) {
      this.#release();
      this.#frame = new PreparedFrame(this.#runtime, width, height);
      for (let i = 0; i < this.#values.eyes; i++)
        this.#eyes.push({
          search: new StarburstSearch(this.#runtime, this.#values, width),
          blinks: new BlinkDetector(),
          last: null,
          lost: 0,
        });
    }
    return this.#frame!;
  }

  /** Preprocesses: nothing yet, or the whole frame. */
  #prepare(source: Plane, frame: PreparedFrame): void {
    const values = this.#values;
    if (values.tilesOnDemand && values.smoothing === 'gaussian' && values.reflections !== 'interpolate') frame.mark(0);
    else {
      const { blurred, mask } = prepareWholeFrame(this.#runtime.wasm, source, values);
      frame.take(blurred, mask);
      blurred.dispose();
      mask?.dispose();
    }
  }

  /** What the GPU path did so far, or null without one. */
  get gpuCounts(): GpuCounts | null {
    return this.#gpu?.counts ?? null;
  }

  reset(): void | Promise<void> {
    if (this.#flight.busy) return this.#flight.landed().then(() => this.reset());
    for (const eye of this.#eyes) {
      eye.last = null;
      eye.lost = 0;
      eye.blinks.reset();
    }
  }

  /** New values from the next frame on; where the pupils are is kept. */
  setParameters(params: Record<string, unknown>): void | Promise<void> {
    if (this.#flight.busy) return this.#flight.landed().then(() => this.setParameters(params));
    const given = { ...this.#given, ...params };
    this.#values = resolve(given);
    this.#given = given;
    this.#releaseGpu();
    if (!this.#frame) return;
    const old = this.#eyes;
    this.#eyes = []; // without memory for all of them the next frame begins anew
    for (const eye of old) eye.search.dispose();
    for (let i = 0; i < this.#values.eyes; i++)
      this.#eyes.push({
        search: new StarburstSearch(this.#runtime, this.#values, this.#frame.width),
        blinks: old[i]?.blinks ?? new BlinkDetector(),
        last: old[i]?.last ?? null,
        lost: 0,
      });
  }

  /** What the GPU path holds; after a loss of the context there is nothing to give back. */
  #releaseGpu(): void {
    this.#gpu?.dispose();
    this.#gpu = null;
  }

  #release(): void {
    this.#releaseGpu();
    for (const eye of this.#eyes) eye.search.dispose();
    this.#eyes = [];
    this.#frame?.dispose();
    this.#frame = null;
  }

  dispose(): void | Promise<void> {
    if (this.#flight.busy) return this.#flight.landed().then(() => this.dispose());
    this.#release();
  }
}

export const pupilTracker = defineTracker({
  name: 'pupil',
  params: pupilParameters,
  sources: 'gray',
  resolve: (given) => resolve(given) as never,
  async create(runtime, params) {
    const core = new PupilTrackerCore(runtime, params);
    await core.prepare();
    return core;
  },
});
