/**
 * Thresholding and labeling (paper 000, section 2.2). It follows Rankin et al. 2004, with the largest component instead
 * of the central one. For every threshold: the largest dark component, its outer border, and the RANSAC circle of that
 * border. The paper's variant uses the circle with the most votes over all thresholds.
 *
 * The default removes the half pixel by which the border is outside the edge, skips components that cannot be a pupil
 * (`guard`), and searches around the last pupil first. It chooses the circle whose outline has the highest confidence.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { ComponentRecord, ComponentRunsRecord } from '../../runtime/wasm/records.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope, type Block } from '../../runtime/scope.ts';
import type { Plane } from '../../runtime/plane.ts';
import { defineStage } from '../../runtime/stage.ts';
import type { PupilValues } from '../parameters.ts';
import {
  findStage,
  noLast,
  type Detector,
  type Found,
  type Method,
  type PendingSearch,
  type View,
} from '../search/method.ts';
import { around, type Region } from '../search/region.ts';
import { foundBy } from '../search/result.ts';
import { LEAD, PupilSearch, radiusLimits } from '../search/search.ts';
import { GpuRanks, rankPasses, type Ranked } from './ranks.gpu.ts';

// Dark components of an image for one threshold after another (paper 000, section 2.2): 8-connected labeling by runs,
// areas and boxes. No label image is written, because a component's border can be traced from its runs. Memory is for
// images up to the initial size.

/** Bytes in linear memory. `address` is the first pixel. */
export interface Pixels {
  readonly address: number;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** Box that includes its last column and row. */
export interface Component {
  /** Number of the component. */
  readonly label: number;
  readonly area: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export class DarkComponents {
  readonly #scope: Scope;
  readonly #runs: Block;
  readonly #counts: Block;
  readonly #parents: Block;
  readonly #image;
  /** Statistics of the last labeling. */
  #table: Block | null = null;

  constructor(runtime: Runtime, width: number, height: number) {
    const scope = (this.#scope = new Scope(runtime));
    try {
      this.#runs = scope.block(runStride(width) * height);
      this.#counts = scope.block(4 * height);
      this.#parents = scope.block(4 * (((width + 1) >> 1) * ((height + 1) >> 1) + 1));
      const mask = runtime.driver.now(maskBytes(scope, width, height));
      this.#image = scope.record(ComponentRunsRecord, {
        runs: this.#runs.address,
        counts: this.#counts.address,
        parents: this.#parents.address,
        mask: scope.block(mask).address,
      });
    } catch (error) {
      scope.dispose(); // out of memory
      throw error;
    }
  }

  /** Finds the components of the samples that are at most `level`. */
  *label(source: Pixels, level: number): Plan<Component[]> {
    const scope = this.#scope;
    const { width, height } = source;
    const labels = { address: this.#runs.address, stride: runStride(width) };
    const [counts, parents] = [this.#counts, this.#parents];
    this.#image.set({ stride: labels.stride, width, height });
    if (this.#table) scope.free(this.#table);
    this.#table = null;
    const count = yield* scope.kernels.componentsScanDark({ source, labels, width, height, level, counts, parents });
    if (!count) return [];
    const stats = (this.#table = scope.zeros(count * ComponentRecord.bytes));
    yield* scope.kernels.componentsStats({ labels, height, counts, parents, stats });
    return Array.from({ length: count }, (_, n) => {
      const of = scope.view(ComponentRecord, stats.address + n * ComponentRecord.bytes);
      const [left, top, right, bottom] = [of.get('left'), of.get('top'), of.get('right'), of.get('bottom')];
      return { label: n + 1, area: of.get('area'), left, top, right, bottom };
    });
  }

  /**
   * Writes the outer border of a component of the last labeling as border points of a search, in pixels of the frame.
   * (originX, originY) is the image's origin in the frame. Returns their number, or -1 if there are more than
   * `capacity`.
   */
  *border(
    { label }: Component,
    search: { readonly address: number },
    originX: number,
    originY: number,
    capacity: number,
  ): Plan<number> {
    const image = this.#image.set({ originX, originY });
    const component = this.#table!.address + (label - 1) * ComponentRecord.bytes;
    return yield* this.#scope.kernels.componentOutline({ search, image, component, label, capacity });
  }

  dispose(): void {
    this.#scope.dispose();
  }
}

/** Bytes of a row's runs. */
const runStride = (width: number): number => 16 * ((width + 3) >> 2);

function* maskBytes(scope: Scope, width: number, height: number): Plan<number> {
  return yield* scope.kernels.componentMask({ width, height });
}

/** Distance of the outer border from the edge. */
const OUTSIDE = 0.5;
/** Minimum number of border points to vote for a circle. */
const LEAST_POINTS = 8;
/** Minimum share of its box's ellipse that a pupil's component fills, with lids and lashes over it. */
const LEAST_FILL = 0.5;
/** Minimum aspect ratio of the box of a pupil's component. */
const LEAST_ASPECT = 0.3;

/**
 * Number of image edges that a component reaches. A cropped pupil reaches one, the shadow of the frame usually more.
 */
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
    // A circle has no longer border: a circle that fills the frame has less than a quarter of it.
    this.#capacity = 16 * (width + height);
    this.#search = new PupilSearch(runtime, values, width, { capacity: this.#capacity });
    try {
      this.#components = new DarkComponents(runtime, width, height);
    } catch (error) {
      this.#search.dispose(); // out of memory
      throw error;
    }
  }

  /** `ranked` returns ranks of boxes, made on the GPU. */
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

  /** Tries the circles of all thresholds, until one is certain enough. */
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

  /**
   * Returns the largest component. The guard accepts only components that may be a pupil, and one at the image border
   * only if no other one exists.
   */
  #largest(components: readonly Component[], image: Pixels): Component | null {
    const guard = this.#values.variant !== 'paper' && this.#values.guard;
    const best: (Component | undefined)[] = [];
    for (const component of components) {
      const edges = guard ? edgesReached(component, image) : 0;
      if (component.area > (best[edges]?.area ?? 0) && (!guard || this.#mayBePupil(component))) best[edges] = component;
    }
    return best[0] ?? best[1] ?? null;
  }

  /** Whether it has the size and shape of a pupil. Lashes are thin. */
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
    return scope.backendOf(threshold, [source, noLast], given) === 'gpu';
  }

  async prepare(scope: Scope): Promise<void> {
    if (this.onGpu(scope, scope.plane(1, 1, 'u8'))) await scope.gpu.prepare(rankPasses(this.#values));
  }

  dispose(): void {}
}

/** Components are joined run by run in WASM. The steps before can also run on the GPU. */
export const threshold = defineStage({
  ...findStage({
    name: 'threshold',
    make: (runtime, values) => new ThresholdMethod(runtime, values),
  }),
});
