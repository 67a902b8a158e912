/**
 * Where a pupil is, roughly: found in the frame at a quarter and at half of the size at which it is searched otherwise. A large
 * pupil, or a picture that is soft for its size, shows there what a method knows in pixels, and noise, lashes and reflections
 * are gone; a small pupil is not believed there. The finish is at the full working size.
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

/** So many times larger and then so many times smaller, the coarsest first. */
type Resized = readonly [larger: number, smaller: number];
export const COARSE: readonly Resized[] = [
  [1, 4],
  [1, 2],
];
/** Asked one by one where the search ended without certainty: pixels, borders and blocks fall differently there. */
export const BETWEEN: readonly Resized[] = [
  [1, 3],
  [2, 3],
];
/** What is believed of what (`npm run bench -- coarse pupil`). */
export interface Belief {
  /** A coarse pupil in no frame below this diagonal, */
  readonly diagonal: number;
  /** from this diameter on, in its own pixels, */
  readonly diameter: number;
  /** and from this confidence on. */
  readonly confidence: number;
  /** A finish of this confidence is taken, whatever that of the coarse pupil is, */
  readonly sure: number;
  /** and one that is not further from it, or different in size, in its radii. */
  readonly apart: number;
  /** A coarse pupil that the finish does not find is given from this confidence on, */
  readonly alone: number;
  /** or where the picture is this soft, so that there is nothing finer to find. */
  readonly soft: number;
  /** Where a search ended without certainty, what another size leads to is taken from this confidence on; above 1: never asked. */
  readonly again: number;
  /** It is asked from this confidence on where a search starts in the same places at any size: where it saw nothing, nothing is there. */
  readonly seen: number;
  /** A pupil that is lost is not there where the picture that had shown it shows nothing of this confidence. */
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
/** Softness is measured so many radii around a pupil's center, */
const AROUND = 1.4;
/** in so many rows at most. */
const ROWS = 64;

interface Eye {
  readonly detector: Detector;
  readonly lost: number;
  /** Of a pupil that is lost, so many times smaller a picture showed it; 0: none is known to show it. */
  readonly shownAt: number;
  /** Its diameter when it was lost. */
  readonly size: number;
}

/** A pupil as a smaller picture shows it, in pixels of the whole; without a place where none can be. */
export interface Seed extends Found {
  /** How many times smaller the first picture was in which it was believed. */
  readonly times: number;
}

export class CoarseSearch {
  readonly #scope: Scope;
  readonly #belief: Belief;

  constructor(runtime: Runtime, belief: Belief) {
    this.#scope = new Scope(runtime, { side: 'wasm' });
    this.#belief = belief;
  }

  /**
   * The pupils of the eyes that are wanted, each by its own detector, in the pixels of `whole`, as are `values`; null where none
   * is believed, one without a place where none can be. Uses `frame`, in which nothing is prepared afterwards. The paper's variant knows no other size than the frame's.
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

  /** Whether another size may tell more than this search of an eye did. */
  unsure({ detector }: Eye, { pupil: { confidence } }: Found): boolean {
    const { sure, again, seen } = this.#belief;
    return confidence < sure && again <= 1 && (confidence >= seen || !detector.sameStarts);
  }

  /** Whether what another size led to is believed. */
  beyondDoubt({ pupil }: Found): boolean {
    return pupil.confidence >= this.#belief.again;
  }

  /** The pupil of an eye in a frame that was reduced so many times, from what was believed in one that is smaller still. */
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
   * How soft a picture is where a pupil is: the mean square of the difference of pixels that are two apart to that of
   * neighbors. 1 in noise, 2 at a sharp step, 4 on a slope.
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

  /** Of the finish and what was believed before: the finish, which is more precise, unless it is another pupil and less certain. */
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

/** Whether the search ended for sure without a pupil. */
export const isAbsent = (found: Found | null | undefined): boolean => !!found && !found.last;

const diagonalOf = ({ x0, y0, x1, y1 }: Region): number => Math.hypot(x1 - x0, y1 - y0);
