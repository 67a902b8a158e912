/**
 * Thresholding and labelling (paper 000, section 2.2; after Rankin et al. 2004, with the largest component instead of
 * the central one): for every threshold the largest dark component, its outer border, the RANSAC circle of that border.
 * The paper's variant takes the circle with the most votes over all thresholds. The default removes the half pixel by
 * which the outer border lies outside, leaves out components that are no pupil's (`guard`), looks around the last pupil
 * first, and takes the circle whose outline is the most certain.
 */
import type { Pupil } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Blobs, type Blob, type Bytes } from './dark-components.ts';
import type { Detector, Last, Method } from '../search/method.ts';
import type { PupilValues } from '../parameters.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import { outlineEllipse, readPupil } from '../search/result.ts';
import { around, type Region } from '../search/region.ts';
import { ENOUGH, radiusLimits, StarburstSearch } from '../search/search.ts';

/** The outer border lies this far outside of the edge. */
const OUTSIDE = 0.5;
/** Fewer border points vote for no circle. */
const LEAST_POINTS = 8;
/** The least share of its box's ellipse that a pupil's component fills, lids and lashes over it. */
const LEAST_FILL = 0.5;
/** The narrowest box of a pupil's component. */
const LEAST_ASPECT = 0.3;

class ThresholdDetector implements Detector {
  readonly #values: PupilValues;
  readonly #search: StarburstSearch;
  readonly #blobs: Blobs;
  readonly #capacity: number;
  readonly #radii: readonly [number, number];

  constructor(runtime: Runtime, values: PupilValues, width: number, height: number) {
    this.#values = values;
    this.#radii = radiusLimits(values, width, height);
    // A longer border is no circle's: a circle that fills the frame has less than a quarter of it.
    this.#capacity = 16 * (width + height);
    this.#search = new StarburstSearch(runtime, values, width, this.#capacity);
    try {
      this.#blobs = new Blobs(runtime, width, height);
    } catch (error) {
      this.#search.dispose(); // no memory for all of it
      throw error;
    }
  }

  find(source: Plane, frame: PreparedFrame, region: Region, last: Last | null): Pupil {
    const values = this.#values;
    const search = this.#search;
    search.begin(source, frame, region);
    if (values.variant === 'paper') this.#mostVotes(frame, region);
    else {
      const here = values.tracking && last ? last : null;
      if (here) this.#mostCertain(frame, around(here, region), here.dark);
      if (!here || !readPupil(search, values).found) this.#mostCertain(frame, region, search.measureDark());
    }
    return readPupil(search, values);
  }

  /** The circle with the most votes over all thresholds; the ellipse is on its border points. */
  #mostVotes(frame: PreparedFrame, region: Region): void {
    const search = this.#search;
    search.clear(0);
    search.keep();
    let most = 0;
    this.#eachCircle(frame, region, () => {
      const votes = search.get('votes');
      if (votes > most) {
        most = votes;
        search.fitInliers();
        search.keep();
      }
      return false;
    });
    search.takeBack();
  }

  /** The most certain outline over all thresholds, or the first one that is certain enough. */
  #mostCertain(frame: PreparedFrame, region: Region, dark: number): void {
    const search = this.#search;
    search.clear(dark);
    search.keep();
    let top = search.get('score');
    this.#eachCircle(frame, region, () => {
      search.outlineAround(OUTSIDE);
      if (search.get('score') > top) {
        top = search.get('score');
        search.keep();
      }
      return top >= ENOUGH;
    });
    search.takeBack();
  }

  /** Calls `each` with the RANSAC circle of every threshold in the search, until it answers true. */
  #eachCircle(frame: PreparedFrame, region: Region, each: () => boolean): void {
    const { thresholdFrom, thresholdTo, thresholdStep } = this.#values;
    const { x0, y0, x1, y1 } = region;
    const image = { ...frame.filled(region), width: x1 - x0, height: y1 - y0 };
    for (let level = thresholdFrom; level <= thresholdTo; level += thresholdStep) {
      const blob = this.#largest(this.#blobs.label(image, level), image);
      if (!blob) continue;
      const points = this.#blobs.border(blob, this.#search.address, x0, y0, this.#capacity);
      if (points < LEAST_POINTS || !this.#search.ransac()) continue;
      if (each()) return;
    }
  }

  #largest(blobs: readonly Blob[], image: Bytes): Blob | null {
    const guard = this.#values.variant !== 'paper' && this.#values.guard;
    let best: Blob | null = null;
    for (const blob of blobs)
      if (blob.area > (best?.area ?? 0) && (!guard || this.#mayBePupil(blob, image))) best = blob;
    return best;
  }

  /** Neither the frame's shadow, which reaches its edge, nor lashes, which are thin. */
  #mayBePupil({ area, left, top, right, bottom }: Blob, { width, height }: Bytes): boolean {
    const w = right - left + 1;
    const h = bottom - top + 1;
    const [least, most] = this.#radii;
    return (
      left > 0 &&
      top > 0 &&
      right < width - 1 &&
      bottom < height - 1 &&
      Math.max(w, h) >= 2 * least &&
      Math.min(w, h) <= 2 * most &&
      Math.min(w, h) >= LEAST_ASPECT * Math.max(w, h) &&
      area >= (LEAST_FILL * Math.PI * w * h) / 4
    );
  }

  next({ x, y, diameter }: Pupil): Last {
    const search = this.#search;
    const ellipse = outlineEllipse(search);
    return { x, y, r: diameter / 2, ellipse, contrast: search.get('contrast'), dark: search.get('dark') };
  }

  launch(): null {
    return null;
  }

  dispose(): void {
    this.#search.dispose();
    this.#blobs.dispose();
  }
}

/**
 * All of it on the WASM side: joining runs is serial, labels that spread over textures need as many passes as the longest
 * path, and what comes before it takes less time there than the way to the GPU and back.
 */
export class ThresholdMethod implements Method {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;

  constructor(runtime: Runtime, values: PupilValues) {
    this.#runtime = runtime;
    this.#values = values;
  }

  detector(width: number, height: number): Detector {
    return new ThresholdDetector(this.#runtime, this.#values, width, height);
  }

  usesGpu(): boolean {
    return false;
  }

  async prepare(): Promise<void> {}
  dispose(): void {}
}
