/**
 * Finds the approximate position of a pupil in the frame at a quarter and at half of the working size. A pupil that is
 * large, or in an image that is soft for its size, matches the pixel sizes of the methods there, without noise, lashes
 * and reflections. Small pupils are not accepted there. The final search runs at the full working size.
 */
import { enlarge, shrink } from '../../image/resize.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope } from '../../runtime/scope.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import type { PupilValues } from '../parameters.ts';
import type { Detector, Found, Last, View } from '../search/method.ts';
import { regionOf, type Region } from '../search/region.ts';
import { COARSE_DIAGONAL, enlarged, resized, workingValues } from './working-size.ts';

/** Factors of enlargement and then of reduction, the coarsest first. */
type Resized = readonly [larger: number, smaller: number];
export const COARSE: readonly Resized[] = [
  [1, 4],
  [1, 2],
];
/** Tried one by one after an uncertain search, because pixels, borders and blocks are sampled differently there. */
export const BETWEEN: readonly Resized[] = [
  [1, 3],
  [2, 3],
];
/** Acceptance limits. */
export interface Belief {
  /** Minimum diagonal of a frame for a coarse pupil. */
  readonly diagonal: number;
  /** Minimum diameter of a coarse pupil, in pixels of its frame. */
  readonly diameter: number;
  /** Minimum confidence of a coarse pupil. */
  readonly confidence: number;
  /** Minimum confidence of a final result to be used whatever the confidence of the coarse pupil is. */
  readonly sure: number;
  /**
   * A final result is also used if it differs from the coarse pupil by at most this, in position and radius, in units
   * of its radius.
   */
  readonly apart: number;
  /** Minimum confidence to return a coarse pupil that the final search did not find. */
  readonly alone: number;
  /**
   * Such a coarse pupil is also returned from this softness of the image upwards, because finer detail does not exist.
   */
  readonly soft: number;
  /**
   * Minimum confidence to use the result of another size after an uncertain search. Above 1: other sizes are never
   * tried.
   */
  readonly again: number;
  /**
   * Minimum confidence to try other sizes if a search starts in the same places at any size. Below this, the search saw
   * nothing there, and other sizes would not find a pupil either.
   */
  readonly seen: number;
  /** A lost pupil counts as absent if the image size that first showed it now has a confidence below this. */
  readonly absent: number;
}
export const BELIEF: Belief = {
  diagonal: COARSE_DIAGONAL,
  diameter: 16,
  confidence: 0.9,
  sure: 0.9,
  apart: 0.25,
  alone: 0.98,
  soft: 3,
  again: 0.99,
  seen: 0.3,
  absent: 0.05,
};
/** Radius of the area around a pupil's center to measure softness, in radii of the pupil. */
const AROUND = 1.4;
/** Maximum number of rows to measure softness. */
const ROWS = 64;

interface Eye {
  readonly detector: Detector;
  readonly lost: number;
  /** For a lost pupil: reduction factor of the image that showed it. 0 if none is known. */
  readonly shownAt: number;
  /** Diameter of the pupil when it was lost. */
  readonly size: number;
}

/** A pupil from a smaller image, in pixels of the whole image. It has no position if the pupil is absent. */
export interface Seed extends Found {
  /** Reduction factor of the first image where the pupil was accepted. */
  readonly times: number;
}

export class CoarseSearch {
  readonly #scope: Scope;
  readonly #belief: Belief;

  constructor(runtime: Runtime, belief: Belief) {
    this.#scope = new Scope(runtime, { backend: 'wasm' });
    this.#belief = belief;
  }

  /**
   * Finds the pupils of the requested eyes, each with a separate detector, in the pixels of `whole` and `values`. Null
   * if no pupil is accepted, without a position if the pupil is absent. Uses `frame` and leaves it unprepared. The
   * paper's variant searches only the original size of the frame.
   */
  *find(
    sizes: readonly Resized[],
    whole: Plane,
    frame: PreparedFrame,
    values: PupilValues,
    eyes: readonly Eye[],
    wanted: (index: number) => boolean,
  ): Plan<(Seed | null)[]> {
    const found = eyes.map((): Seed | null => null);
    if (values.variant === 'paper' || !eyes.some((_, i) => wanted(i))) return found;
    const { diagonal } = this.#belief;
    const findIn = this.#findIn.bind(this);
    return yield* this.#scope.part(function* (scope) {
      for (const [larger, smaller] of sizes) {
        const times = smaller / larger;
        const [width, height] = [Math.floor(whole.width / times), Math.floor(whole.height / times)];
        const scaled = workingValues(values, times);
        const regions = eyes.map((_, i) => (wanted(i) ? regionOf(width, height, scaled, i) : null));
        const asked = (region: Region | null, i: number) =>
          !!region && diagonalOf(region) >= diagonal && !isAbsent(found[i]);
        if (!regions.some(asked)) continue;
        const [large] = larger > 1 ? yield* scope.run(enlarge, [whole], { factor: larger }) : [whole];
        const [source] = yield* scope.run(shrink, [large], { factor: smaller });
        yield* frame.begin(source, values);
        for (const [i, region] of regions.entries())
          if (asked(region, i)) {
            const view = { source, frame, region: region!, lost: eyes[i]!.lost };
            found[i] = yield* findIn(scope, view, times, eyes[i]!, found[i]!);
          }
      }
      return found;
    });
  }

  /** Whether another size may improve this result of an eye. */
  unsure({ detector }: Eye, { pupil: { confidence } }: Found): boolean {
    const { sure, again, seen } = this.#belief;
    return confidence < sure && again <= 1 && (confidence >= seen || !detector.sameStarts);
  }

  /** Whether to accept the result of another size. */
  beyondDoubt({ pupil }: Found): boolean {
    return pupil.confidence >= this.#belief.again;
  }

  /**
   * Finds the pupil of an eye in a reduced frame, starting from the pupil that was accepted in an even smaller frame.
   */
  *#findIn(
    scope: Scope,
    view: Omit<View, 'last'>,
    times: number,
    { detector, shownAt, size }: Eye,
    before: Seed | null,
  ): Plan<Seed | null> {
    const { diameter, confidence, absent } = this.#belief;
    const last = before && resized(before.last!, 1 / times);
    const found = yield* detector.find(scope, { ...view, last });
    const here = {
      pupil: enlarged(found.pupil, times),
      last: found.last && resized(found.last, times),
      times: before?.times ?? times,
    };
    const believed = found.pupil.confidence >= confidence && found.pupil.diameter >= diameter;
    if (!before) {
      const none = !found.last && found.pupil.confidence < absent && times === shownAt && size >= diameter * times;
      return believed || none ? here : null;
    }
    const seed = { ...before, last };
    const better = this.finished(found, seed, view.source);
    if (better === seed) return before;
    return better.last && here;
  }

  /**
   * Measures how soft an image is around a pupil: the mean squared difference of pixels two apart, divided by the mean
   * squared difference of neighbors. It is 1 in noise, 2 at a sharp step, 4 on a slope.
   */
  #softness(source: Plane, { x, y, r }: Last): number {
    const { u8 } = this.#scope.arena;
    const [x0, y0] = [x - AROUND * r, y - AROUND * r].map((v) => Math.max(0, Math.round(v))) as [number, number];
    const x1 = Math.min(source.width - 2, x + AROUND * r);
    const y1 = Math.min(source.height, y + AROUND * r);
    let [near, far] = [0, 0];
    for (let row = y0; row < y1; row += Math.max(1, Math.floor((y1 - y0) / ROWS)))
      for (let at = source.address + row * source.stride + x0, end = at + x1 - x0; at < end; at++) {
        const v = u8[at]!;
        near += (u8[at + 1]! - v) ** 2;
        far += (u8[at + 2]! - v) ** 2;
      }
    return near ? far / near : 0;
  }

  /**
   * Chooses between the final result and the coarse one. The final result is more precise. It is used unless it is
   * another pupil with a lower confidence.
   */
  finished(found: Found, seed: Found | null | undefined, source: Plane): Found {
    if (!seed?.last) return found;
    const { sure, apart, alone, soft } = this.#belief;
    const [fine, coarse] = [found.pupil.confidence, seed.pupil.confidence];
    if (!found.last) return coarse >= alone || this.#softness(source, seed.last) >= soft ? seed : found;
    const { x, y, r } = seed.last;
    const far = Math.max(Math.hypot(found.last.x - x, found.last.y - y), Math.abs(found.last.r - r));
    return far <= apart * r || fine >= sure || fine >= coarse ? found : seed;
  }
}

/** Whether the search determined that the pupil is absent. */
export const isAbsent = (found: Found | null | undefined): boolean => !!found && !found.last;

const diagonalOf = ({ x0, y0, x1, y1 }: Region): number => Math.hypot(x1 - x0, y1 - y0);
