/**
 * Canny and the Hough transform for circles (paper 000, section 2.4), on the smoothed image with filled reflections.
 * The paper's variant uses smoothing and the derivative of Gaussian, normalized by its maximum. Every edge pixel of the
 * region votes for every radius. The center and radius with the most votes are the pupil. The default uses the Sobel
 * gradient of the image, which is already smooth, and votes on a smaller image. It chooses among the best circles by
 * the outline around them. It searches around the last pupil first, for about its radius.
 */
import { cannyOf } from '../../edges/canny.ts';
import { directionsOf } from '../../edges/parameters.ts';
import { circle, circles, type CircleQuestion, edgeOctants } from '../../edges/circles-stages.ts';
import { distinctCircles, type VotedCircle } from '../../edges/circles.ts';
import { circleBestPass, circleVotesPass, edgeBitsPass } from '../../edges/circles.gpu.ts';
import { pyramidDown } from '../../image/pyramid-down.ts';
import { onlyGpu } from '../../runtime/error.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import type { PupilValues } from '../parameters.ts';
import { cropped } from '../preparation/prepared-frame.ts';
import { findStage, noLast, type Detector, type Found, type Method, type View } from '../search/method.ts';
import { around, centersAround, type Region } from '../search/region.ts';
import { foundBy } from '../search/result.ts';
import { LEAD, PupilSearch, radiusLimits } from '../search/search.ts';
import { edgePasses, GpuEdges } from './edges.gpu.ts';

/** Range of radii in tracking, in radii of the last pupil, plus a margin in pixels for small pupils. */
const SHRINK = 0.9;
const GROW = 1.11;
const SLACK = 3;
/** Minimum share of the directions that vote for a pupil. A search that must find more ends earlier. */
const LEAST = 0.2;
const LEAST_TRACKED = 0.4;
/**
 * Minimum votes of further circles, as a share of the best one's votes, and maximum number of circles to try, including
 * the best one.
 */
const NEAR = 0.8;
const TRIED = 6;
/** Circles from this many times the minimum radius upwards get a separate search. */
const LARGE = 2;
/** Circles closer than this share of the minimum radius count as one. */
const APART = 0.5;

/** In pixels of the frame. */
interface Radii {
  readonly least: number;
  readonly most: number;
}

/** Search area for circles: edges in the box, centers in a part of it. */
interface Place {
  readonly box: Region;
  readonly centers: Region;
  readonly radii: Radii;
  /** Minimum votes, as a share of all directions. */
  readonly share: number;
}

/**
 * Largest radius that can be found: a little more than half of the region's short side. Without its sides, a pupil has
 * no circle.
 */
const largestIn = ({ x0, y0, x1, y1 }: Region): number => 0.6 * Math.min(x1 - x0, y1 - y0);

/** Converts a part of the box to coordinates of the box's smaller image. */
const smaller = (box: Region, { x0, y0, x1, y1 }: Region, halvings: number) => ({
  x: (x0 - box.x0) >> halvings,
  y: (y0 - box.y0) >> halvings,
  width: ((x1 - x0) >> halvings) + 1,
  height: ((y1 - y0) >> halvings) + 1,
});

/** Returns the circle with the most votes, counted on the faster backend. */
function* mostVoted(scope: Scope, edges: Plane, question: CircleQuestion): Plan<VotedCircle | undefined> {
  return circlesIn(yield* scope.run(circle, [edges, question]))[0];
}

/** Reads circles from a list of x, y, radius and votes. */
function circlesIn([list]: readonly [Int32Array]): VotedCircle[] {
  return Array.from({ length: list.length >> 2 }, (_, i) => {
    const [x, y, r, votes] = list.subarray(4 * i) as unknown as [number, number, number, number];
    return { x, y, r, votes };
  });
}

interface Edges {
  readonly edges: Plane;
  /** Null in the paper's variant. */
  readonly octants: Plane | null;
}

class HoughDetector implements Detector {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #search: PupilSearch;
  #radii: Radii = { least: 0, most: 0 };
  readonly #directions: number;
  readonly #capacity: number;
  readonly #lead: number;
  #gpu: GpuEdges | null = null;
  /** Whether the edges of the current frame are made on the GPU. */
  #onGpu = false;

  constructor(runtime: Runtime, values: PupilValues, width: number, height: number, lead: number) {
    this.#runtime = runtime;
    this.#values = values;
    this.#lead = lead;
    this.#directions = directionsOf(values.angleStep).count;
    const [, most] = radiusLimits(values, width, height);
    // Edges are thin, so a ring of this width has room for several turns.
    this.#capacity = Math.ceil(2 * Math.PI * most * (2 * values.voteDistance + 1));
    this.#search = new PupilSearch(runtime, values, width, { capacity: this.#capacity });
  }

  *find(scope: Scope, view: View): Plan<Found> {
    const onGpu = () => isOnGpu(scope, view.source, this.#values);
    return yield* onEither(onGpu, (gpu) => this.#find(scope, view, gpu));
  }

  *#find(scope: Scope, view: View, onGpu: boolean): Plan<Found> {
    this.#onGpu = onGpu;
    const { source, frame, region, last } = view;
    const values = this.#values;
    const search = this.#search;
    search.begin(source, frame, region);
    const [least, most] = radiusLimits(values, source.width, source.height);
    this.#radii = { least, most };
    if (values.variant === 'paper') {
      yield* scope.part((part) => this.#mostVotes(part, view, region));
      return foundBy(search, values);
    }
    if (last) {
      const radii = {
        least: Math.max(this.#radii.least, SHRINK * last.r - SLACK),
        most: Math.min(this.#radii.most, GROW * last.r + SLACK),
      };
      if (radii.least < radii.most) {
        const [box, centers] = [around(last, region), centersAround(last, region)];
        const here = { box, centers, radii, share: LEAST_TRACKED };
        yield* scope.part((part) => this.#mostCertain(part, view, here, last.dark));
        const found = foundBy(search, values);
        if (found.last) return found;
      }
    }
    const radii = { least: this.#radii.least, most: Math.min(this.#radii.most, largestIn(region)) };
    const everywhere = { box: region, centers: region, radii, share: LEAST };
    yield* search.measureDark();
    yield* scope.part((part) => this.#mostCertain(part, view, everywhere, search.get('dark')));
    yield* search.lookAgain(this.#lead);
    return foundBy(search, values);
  }

  /** Finds the circle with the most votes. The ellipse is fitted to the edges at this circle. */
  *#mostVotes(scope: Scope, view: View, box: Region): Plan<void> {
    const { gaussianSigma: sigma, gaussianSize: size } = this.#values;
    const { edges } = yield* this.#edges(scope, view, box, 0, { derivative: 'gaussian', norm: 'L2', sigma, size });
    const best = yield* mostVoted(scope, edges, { ...this.#wanted(this.#radii, 0), least: 1 });
    const search = this.#search;
    yield* search.beginContest(0);
    if (best) yield* this.#propose(scope, best, edges, box, 0);
    yield* search.endContest();
  }

  /**
   * Finds the outline with the highest confidence around the circles with the most votes, or the first one that is
   * sufficient.
   */
  *#mostCertain(scope: Scope, view: View, { box, centers, radii, share }: Place, dark: number): Plan<void> {
    const search = this.#search;
    const halvings = this.#halvings(box);
    const wanted = { ...this.#wanted(radii, halvings), region: smaller(box, centers, halvings), oriented: true };
    const planes = yield* this.#edges(scope, view, box, halvings, {});
    const octants = planes.octants!;
    const least = Math.ceil(share * this.#directions);
    const best = yield* mostVoted(scope, octants, { ...wanted, least });
    yield* search.beginContest(dark);
    if (best && !(yield* this.#propose(scope, best, octants, box, halvings))) {
      let sure = false;
      const near = circlesIn(yield* scope.run(circles, [octants, { ...wanted, least: Math.ceil(NEAR * best.votes) }]));
      const distinct = distinctCircles([best, ...near], { max: TRIED, separation: APART * wanted.minRadius });
      for (const other of distinct)
        if (other !== best && (sure = yield* this.#propose(scope, other, octants, box, halvings))) break;
      // There are many small circles by chance. They may have more votes than a larger one that is partly hidden.
      const minRadius = LARGE * wanted.minRadius;
      if (!sure && best.r < minRadius && minRadius <= wanted.maxRadius) {
        const large = yield* mostVoted(scope, octants, { ...wanted, minRadius, least });
        if (large) yield* this.#propose(scope, large, octants, box, halvings);
      }
    }
    yield* search.endContest();
  }

  /** Proposes a circle of the box's smaller image. Returns whether no other circle needs to be tried. */
  *#propose(scope: Scope, { x, y, r, votes }: VotedCircle, edges: Plane, box: Region, halvings: number): Plan<boolean> {
    const search = this.#search;
    const scale = 2 ** halvings;
    search.takeCircle(box.x0 + scale * x, box.y0 + scale * y, scale * r);
    // Edges of a smaller image are too coarse to start the outline from.
    if (halvings === 0) {
      const { width, height } = yield* scope.onArena(edges);
      const place = { width, height, originX: box.x0, originY: box.y0, capacity: this.#capacity };
      yield* scope.kernels.circleEdges({ search: search.state, edges, ...place });
    } else search.state.set({ votes: 0, points: 0 });
    return yield* search.proposeCircle(0, votes, this.#directions);
  }

  /** Number of pyramid levels to reduce the box before Canny. */
  #halvings({ x0, y0, x1, y1 }: Region): number {
    return Math.max(0, Math.round(Math.log2(Math.sqrt((x1 - x0) * (y1 - y0)) / this.#values.houghSide)));
  }

  /** Integer radii of the smaller image. */
  #wanted({ least, most }: Radii, halvings: number): { minRadius: number; maxRadius: number; angleStep: number } {
    const minRadius = Math.max(1, Math.floor(least / 2 ** halvings));
    const maxRadius = Math.max(minRadius, Math.ceil(most / 2 ** halvings));
    return { minRadius, maxRadius, angleStep: this.#values.angleStep };
  }

  /** Runs Canny over a box, and adds the edges' directions of increasing brightness. */
  *#edges(
    scope: Scope,
    { source, frame }: View,
    box: Region,
    halvings: number,
    rule: Parameters<typeof cannyOf>[2],
  ): Plan<Edges> {
    const params = { ...rule, thresholds: 'auto' as const };
    if (this.#onGpu)
      return yield* (this.#gpu ??= new GpuEdges(this.#runtime, this.#values)).find(
        scope,
        source,
        box,
        halvings,
        params,
      );
    const smooth = yield* frame.filled(box);
    let image = cropped(scope, smooth, { x0: 0, y0: 0, x1: box.x1 - box.x0, y1: box.y1 - box.y0 });
    for (let i = 0; i < halvings; i++) {
      const [half] = yield* scope.run(pyramidDown, [image], { border: 'replicate' }, 'wasm');
      scope.free(image);
      image = half;
    }
    const edges = yield* cannyOf(scope, image, params);
    const octants = this.#values.variant === 'paper' ? null : yield* edgeOctants(scope, image, edges);
    scope.free(image);
    return { edges, octants };
  }

  dispose(): void {
    this.#search.dispose();
    this.#gpu?.dispose();
  }
}

/** Runs a search on the GPU, if requested. If the context is lost, searches the whole frame in WASM. */
function* onEither<T>(asked: () => boolean, find: (gpu: boolean) => Plan<T>): Plan<T> {
  const gpu = asked();
  try {
    return yield* find(gpu);
  } catch (error) {
    if (!gpu || !onlyGpu(error)) throw error;
    return yield* find(false);
  }
}

const isOnGpu = (scope: Scope, source: Plane, { variant, smoothing, reflections }: PupilValues): boolean =>
  scope.backendOf(hough, [source, noLast], { variant, smoothing, reflections }) === 'gpu';

/**
 * Edges and votes run on one backend, on the GPU if it was requested. Votes are sums of bits (no blending, so no float
 * targets). The outline and its confidence are computed in WASM.
 */
export class HoughMethod implements Method {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #lead: number;

  constructor(runtime: Runtime, values: PupilValues, lead = LEAD) {
    this.#runtime = runtime;
    this.#values = values;
    this.#lead = lead;
  }

  detector(width: number, height: number): Detector {
    return new HoughDetector(this.#runtime, this.#values, width, height, this.#lead);
  }

  onGpu(scope: Scope, source: Plane): boolean {
    return isOnGpu(scope, source, this.#values);
  }

  async prepare(scope: Scope): Promise<void> {
    if (this.onGpu(scope, scope.plane(1, 1, 'u8')))
      await scope.gpu.prepare([edgeBitsPass, circleVotesPass, circleBestPass, ...edgePasses(this.#values)]);
  }

  dispose(): void {}
}

export const hough = defineStage({
  ...findStage({ name: 'hough', make: (runtime, values) => new HoughMethod(runtime, values) }),
});
