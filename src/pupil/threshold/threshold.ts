/**
 * Thresholding and labeling (paper 000, section 2.2; after Rankin et al. 2004, with the largest component instead of
 * the central one): for every threshold the largest dark component, its outer border, the RANSAC circle of that border.
 * The paper's variant takes the circle with the most votes over all thresholds. The default removes the half pixel by
 * which the outer border lies outside, leaves out components that are no pupil's (`guard`), looks around the last pupil
 * first, and takes the circle whose outline is the most certain.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import type { PupilValues } from '../parameters.ts';
import { findStage, noLast } from '../search/find.ts';
import type { Detector, Found, Method, PendingSearch, View } from '../search/method.ts';
import { around, type Region } from '../search/region.ts';
import { foundBy } from '../search/result.ts';
import { LEAD, PupilSearch, radiusLimits } from '../search/search.ts';
import { DarkComponents, type Component, type Pixels } from './dark-components.ts';
import { GpuRanks, rankPasses, type Ranked } from './ranks.gpu.ts';

/** The outer border lies this far outside of the edge. */
const OUTSIDE = 0.5;
/** Fewer border points vote for no circle. */
const LEAST_POINTS = 8;
/** The least share of its box's ellipse that a pupil's component fills, lids and lashes over it. */
const LEAST_FILL = 0.5;
/** The narrowest box of a pupil's component. */
const LEAST_ASPECT = 0.3;

/** How many edges of the image a component reaches: a pupil that is cut reaches one, the frame's shadow mostly more. */
const edgesReached = ({ left, top, right, bottom }: Component, { width, height }: Pixels): number =>
  +!left + +!top + +(right === width - 1) + +(bottom === height - 1);

class ThresholdDetector implements Detector {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #search: PupilSearch;
  readonly #components: DarkComponents;
  readonly #capacity: number;
  readonly #lead: number;
  #ranks: GpuRanks | null = null;
  #radii: readonly [number, number] = [0, 0];

  constructor(runtime: Runtime, values: PupilValues, width: number, height: number, lead: number) {
    this.#runtime = runtime;
    this.#values = values;
    this.#lead = lead;
    // A longer border is no circle's: a circle that fills the frame has less than a quarter of it.
    this.#capacity = 16 * (width + height);
    this.#search = new PupilSearch(runtime, values, width, { capacity: this.#capacity });
    try {
      this.#components = new DarkComponents(runtime, width, height);
    } catch (error) {
      this.#search.dispose(); // no memory for all of it
      throw error;
    }
  }

  /** `ranked`: of boxes, made on the GPU. */
  *find(scope: Scope, view: View, ranked?: Ranked): Plan<Found> {
    const { source, frame, region, last } = view;
    const values = this.#values;
    const search = this.#search;
    search.begin(source, frame, region);
    this.#radii = radiusLimits(values, source.width, source.height);
    if (values.variant === 'paper') yield* this.#contest(scope, view, region, 0, ranked);
    else {
      if (last) {
        yield* this.#contest(scope, view, around(last, region), last.dark, ranked);
        const found = foundBy(search, values);
        if (found.last) return found;
      }
      yield* search.measureDark();
      yield* this.#contest(scope, view, region, search.get('dark'), ranked);
      yield* search.lookAgain(this.#lead);
    }
    return foundBy(search, values);
  }

  *enqueue(_: Scope, view: View): Plan<PendingSearch> {
    const ranked = (this.#ranks ??= new GpuRanks(this.#runtime, this.#values)).enqueue(view);
    return (scope, now) => this.find(scope, now, ranked);
  }

  /** The circles of all thresholds, until one is certain enough. */
  *#contest(scope: Scope, { source, frame }: View, box: Region, dark: number, ranked?: Ranked): Plan<void> {
    const { thresholdFrom, thresholdTo, thresholdStep } = this.#values;
    const search = this.#search;
    const { x0, y0, x1, y1 } = box;
    const ranks = ranked ? yield* ranked(scope, source, box) : null;
    const image = { ...(ranks ?? (yield* frame.filled(box))), width: x1 - x0, height: y1 - y0 };
    yield* search.beginContest(dark);
    for (let k = 0, level = thresholdFrom; level <= thresholdTo; k++, level += thresholdStep) {
      const component = this.#largest(yield* this.#components.label(image, ranks ? k : level), image);
      if (!component) continue;
      const points = yield* this.#components.border(component, search.state, x0, y0, this.#capacity);
      if (points < LEAST_POINTS || !(yield* scope.kernels.ransacPoints({ search: search.state }))) continue;
      if (yield* search.proposeCircle(OUTSIDE)) break;
    }
    yield* search.endContest();
  }

  /** The largest component; with a guard of those that may be a pupil, and one that an edge cuts where no other may be one. */
  #largest(components: readonly Component[], image: Pixels): Component | null {
    const guard = this.#values.variant !== 'paper' && this.#values.guard;
    const best: (Component | undefined)[] = [];
    for (const component of components) {
      const edges = guard ? edgesReached(component, image) : 0;
      if (component.area > (best[edges]?.area ?? 0) && (!guard || this.#mayBePupil(component))) best[edges] = component;
    }
    return best[0] ?? best[1] ?? null;
  }

  /** Of a pupil's size and form; lashes are thin. */
  #mayBePupil({ area, left, top, right, bottom }: Component): boolean {
    const w = right - left + 1;
    const h = bottom - top + 1;
    const [least, most] = this.#radii;
    return (
      Math.max(w, h) >= 2 * least &&
      Math.min(w, h) <= 2 * most &&
      Math.min(w, h) >= LEAST_ASPECT * Math.max(w, h) &&
      area >= (LEAST_FILL * Math.PI * w * h) / 4
    );
  }

  dispose(): void {
    this.#search.dispose();
    this.#components.dispose();
    this.#ranks?.dispose();
  }
}

export class ThresholdMethod implements Method {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #lead: number;

  constructor(runtime: Runtime, values: PupilValues, lead = LEAD) {
    this.#runtime = runtime;
    this.#values = values;
    this.#lead = lead;
  }

  detector(width: number, height: number): Detector {
    return new ThresholdDetector(this.#runtime, this.#values, width, height, this.#lead);
  }

  onGpu(scope: Scope, source: Plane): boolean {
    const { variant, smoothing, reflections } = this.#values;
    const given = { variant, smoothing, reflections };
    return scope.sideOf(threshold, [source, noLast], given) === 'gpu';
  }

  async prepare(scope: Scope): Promise<void> {
    if (this.onGpu(scope, scope.plane(1, 1, 'u8'))) await scope.gpu.prepare(rankPasses(this.#values));
  }

  dispose(): void {}
}

/** Components, which are joined run by run, in WASM; what comes before also on the GPU. */
export const threshold = defineStage({
  ...findStage({
    name: 'threshold',
    make: (runtime, values) => new ThresholdMethod(runtime, values),
  }),
});
