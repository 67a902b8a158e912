/**
 * Starburst behind the common interface (paper 000, section 2.3): rays from the last pupil, then from the dark regions.
 * Everything runs in WASM, or rays and RANSAC run on the GPU.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import type { PupilValues } from '../parameters.ts';
import {
  type Detector,
  type Found,
  type PendingSearch,
  type Method,
  type View,
  findStage,
  noLast,
} from '../search/method.ts';
import { foundBy } from '../search/result.ts';
import { LEAD, PupilSearch } from '../search/search.ts';
import { shippedRays, type MakeRays, GpuTracking, type GpuCounts } from './starburst.gpu.ts';
import { paperStart, regionsToTry } from './start.ts';

class StarburstDetector implements Detector {
  readonly #search: PupilSearch;
  readonly #values: PupilValues;
  readonly #gpu: () => GpuTracking;
  readonly #lead: number;

  constructor(runtime: Runtime, values: PupilValues, width: number, gpu: () => GpuTracking, lead: number) {
    this.#values = values;
    this.#gpu = gpu;
    this.#lead = lead;
    this.#search = new PupilSearch(runtime, values, width);
  }

  readonly sideBySide = true;
  readonly sameStarts = true;

  *find(_: Scope, { source, frame, region, last, lost }: View): Plan<Found> {
    const values = this.#values;
    const search = this.#search;
    search.begin(source, frame, region);
    if (values.variant === 'paper') {
      const { x, y } = paperStart(last, region, values);
      yield* search.startAt(x, y);
      yield* search.tryStarts();
      return foundBy(search, values);
    }
    if (last) {
      yield* search.startAtLast(last);
      yield* search.tryStarts();
      const found = foundBy(search, values);
      if (found.last) return found;
    }
    yield* search.startInDark(regionsToTry(lost, values));
    yield* search.tryStarts();
    yield* search.lookAgain(this.#lead);
    return foundBy(search, values);
  }

  *enqueue(_: Scope, view: View): Plan<PendingSearch> {
    const gpu = this.#gpu();
    const search = this.#search;
    const enqueued = yield* gpu.enqueue(search, view);
    return (scope, now) => gpu.finish(scope, search, enqueued, now);
  }

  dispose(): void {
    this.#search.dispose();
  }
}

export class StarburstMethod implements Method {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #makeRays: MakeRays;
  readonly #lead: number;
  #gpu: GpuTracking | null = null;

  /** `makeRays` makes the GPU part. The benchmark of the paper has slower versions of it. */
  constructor(runtime: Runtime, values: PupilValues, makeRays: MakeRays = shippedRays, lead = LEAD) {
    this.#runtime = runtime;
    this.#values = values;
    this.#makeRays = makeRays;
    this.#lead = lead;
  }

  detector(width: number): Detector {
    return new StarburstDetector(this.#runtime, this.#values, width, () => this.#tracking(), this.#lead);
  }

  /** Otherwise the position of the rays, and their circle, would depend on the number of frames in flight. */
  get startsFromLast(): boolean {
    return this.#values.tracking;
  }

  #tracking(): GpuTracking {
    return (this.#gpu ??= new GpuTracking(this.#runtime, this.#values, this.#makeRays, this.#lead));
  }

  onGpu(scope: Scope, source: Plane): boolean {
    const { variant, smoothing, reflections } = this.#values;
    return scope.backendOf(starburst, [source, noLast], { variant, smoothing, reflections }) === 'gpu';
  }

  async prepare(scope: Scope): Promise<void> {
    const pixel = scope.plane(1, 1, 'u8');
    if (!this.onGpu(scope, pixel)) return;
    await this.#tracking()
      .rays.compile()
      .catch((error) => {
        if (!this.#runtime.gpu?.lost) throw error;
      });
  }

  /** Counts of the GPU path so far, or null without one. */
  get counts(): GpuCounts | null {
    return this.#gpu?.counts ?? null;
  }

  /** After a lost context there is nothing to free. */
  dispose(): void {
    this.#gpu?.dispose();
    this.#gpu = null;
  }
}

export const starburst = defineStage({
  ...findStage({
    name: 'starburst',
    make: (runtime, values) => new StarburstMethod(runtime, values),
  }),
});
