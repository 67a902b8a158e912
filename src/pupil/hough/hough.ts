/**
 * Canny and the Hough transform for circles (paper 000, section 2.4), on the smoothed image with its reflections filled.
 * The paper's variant: smoothing and derivative of Gaussian, normalised by its maximum; every edge pixel of the region
 * votes for every radius; centre and radius with the most votes are the pupil. The default takes the Sobel gradient of
 * the image, which is smooth already, votes on a smaller image, gives the outline around the best circles its say, and
 * looks around the last pupil first, for about its radius.
 */
import { cannyOf } from '../../edges/canny.ts';
import {
  bestCircle,
  circleCandidates,
  distinctCircles,
  type CircleSearch,
  type VotedCircle,
} from '../../edges/circles.ts';
import { bestCircleGpu, circleBestPass, circlesFit, circleVotesPass, edgeBitsPass } from '../../edges/circles.gpu.ts';
import { directionsOf } from '../../edges/circle-parameters.ts';
import { edgeOctants } from '../../edges/octants.ts';
import { pyramidDown } from '../../image/pyramid-down.ts';
import type { Pupil } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import { FoveolaError } from '../../runtime/error.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { drive } from '../../runtime/stage.ts';
import type { Detector, Landing, Last, Method } from '../search/method.ts';
import type { PupilValues } from '../parameters.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import { nothingFound, outlineEllipse, readPupil } from '../search/result.ts';
import { around, centresAround, type Region } from '../search/region.ts';
import { ENOUGH, radiusLimits, StarburstSearch } from '../search/search.ts';

/** Radii in tracking, in those of the last pupil, and pixels on top for small ones. */
const SHRINK = 0.9;
const GROW = 1.11;
const SLACK = 3;
/** Fewer of the directions vote for no pupil: a search that has to find more ends sooner. */
const LEAST = 0.2;
const LEAST_TRACKED = 0.4;
/** Further circles are tried down to this share of the best one's votes, and as many at most. */
const NEAR = 0.8;
const TRIED = 6;
/** Circles closer than this part of the smallest radius are one. */
const APART = 0.5;

/** Pixels of the frame. */
interface Radii {
  readonly least: number;
  readonly most: number;
}

/** Where circles are looked for: edges in the box, centres in a part of it. */
interface Scope {
  readonly box: Region;
  readonly centres: Region;
  readonly radii: Radii;
  /** Votes that count, in those of all directions. */
  readonly share: number;
}

/** A pupil that is not seen to its sides has no circle to find: a little more than half of the region's short side. */
const largestIn = ({ x0, y0, x1, y1 }: Region): number => 0.6 * Math.min(x1 - x0, y1 - y0);

/** A part of the box, in the box's smaller image. */
const smaller = (box: Region, { x0, y0, x1, y1 }: Region, halvings: number) => ({
  x: (x0 - box.x0) >> halvings,
  y: (y0 - box.y0) >> halvings,
  width: ((x1 - x0) >> halvings) + 1,
  height: ((y1 - y0) >> halvings) + 1,
});

/** Asked for on either side: the circle with the most votes. */
interface Question {
  readonly edges: Plane;
  readonly search: CircleSearch;
  readonly least: number;
}
type Asking<T> = Generator<Question, T, VotedCircle | null>;

interface Edges {
  readonly edges: Plane;
  /** Not in the paper's variant. */
  readonly octants: Plane | null;
  dispose(): void;
}

class HoughDetector implements Detector {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #search: StarburstSearch;
  readonly #radii: Radii;
  readonly #directions: number;
  readonly #capacity: number;

  constructor(runtime: Runtime, values: PupilValues, width: number, height: number) {
    this.#runtime = runtime;
    this.#values = values;
    const [least, most] = radiusLimits(values, width, height);
    this.#radii = { least, most };
    this.#directions = directionsOf(values.angleStep).count;
    // Edges are thin: a ring of this width has room for several around.
    this.#capacity = Math.ceil(2 * Math.PI * most * (2 * values.voteDistance + 1));
    this.#search = new StarburstSearch(runtime, values, width, this.#capacity);
  }

  find(source: Plane, frame: PreparedFrame, region: Region, last: Last | null): Pupil {
    const side = this.#runtime.wasm;
    const run = this.#find(source, frame, region, last);
    for (let step = run.next(); ;) {
      if (step.done) return step.value;
      const { edges, search, least } = step.value;
      step = run.next(side.now((scope) => bestCircle(scope, edges, search, least)));
    }
  }

  /** The votes are counted on the GPU; all else needs what the frames before have left, and waits for them. */
  launch(source: Plane, frame: PreparedFrame, region: Region): Landing {
    return async (_, last) => {
      const run = this.#find(source, frame, region, last);
      try {
        for (let step = run.next(); ;) {
          if (step.done) return step.value;
          step = run.next(await this.#ask(step.value));
        }
      } finally {
        run.return(nothingFound()); // gives back the planes if the votes failed
      }
    };
  }

  async #ask({ edges, search, least }: Question): Promise<VotedCircle | null> {
    const { gpu, wasm } = this.#runtime;
    try {
      if (gpu && !gpu.lost && circlesFit(gpu, edges, search))
        return await drive(this.#runtime, (scope) => bestCircleGpu(scope, edges, search, least));
    } catch (error) {
      if (!gpu!.lost && !(error instanceof FoveolaError && error.code === 'context-lost')) throw error;
    }
    return wasm.now((scope) => bestCircle(scope, edges, search, least));
  }

  /** The search, with the question for the circle that has the most votes left to whoever runs it. */
  *#find(source: Plane, frame: PreparedFrame, region: Region, last: Last | null): Asking<Pupil> {
    const values = this.#values;
    const search = this.#search;
    search.begin(source, frame, region);
    if (values.variant === 'paper') {
      yield* this.#mostVotes(frame, region);
      return readPupil(search, values);
    }
    if (values.tracking && last) {
      const radii = {
        least: Math.max(this.#radii.least, SHRINK * last.r - SLACK),
        most: Math.min(this.#radii.most, GROW * last.r + SLACK),
      };
      if (radii.least < radii.most) {
        const [box, centres] = [around(last, region), centresAround(last, region)];
        yield* this.#mostCertain(frame, { box, centres, radii, share: LEAST_TRACKED }, last.dark);
        const pupil = readPupil(search, values);
        if (pupil.found) return pupil;
      }
    }
    const radii = { least: this.#radii.least, most: Math.min(this.#radii.most, largestIn(region)) };
    yield* this.#mostCertain(frame, { box: region, centres: region, radii, share: LEAST }, search.measureDark());
    return readPupil(search, values);
  }

  /** The circle with the most votes; the ellipse is on the edges at it. */
  *#mostVotes(frame: PreparedFrame, box: Region): Asking<void> {
    const search = this.#search;
    const { gaussianSigma: sigma, gaussianSize: size } = this.#values;
    search.clear(0);
    const planes = this.#edges(frame, box, 0, { derivative: 'gaussian', norm: 'L2', sigma, size });
    try {
      const circle = yield { edges: planes.edges, search: this.#wanted(this.#radii, 0), least: 1 };
      if (!circle) return;
      search.takeCircle(box.x0 + circle.x, box.y0 + circle.y, circle.r);
      search.gatherEdges(planes.edges, box.x0, box.y0, this.#capacity);
      search.fitInliers();
      search.takeVotes(circle.votes, this.#directions);
    } finally {
      planes.dispose();
    }
  }

  /** The most certain outline around the circles with the most votes, or the first one that is certain enough. */
  *#mostCertain(frame: PreparedFrame, { box, centres, radii, share }: Scope, dark: number): Asking<void> {
    const search = this.#search;
    const directions = this.#directions;
    search.clear(dark);
    search.keep();
    let top = search.get('score');
    const halvings = this.#halvings(box);
    const tried = (circle: VotedCircle, edges: Plane): boolean => {
      const scale = 2 ** halvings;
      search.takeCircle(box.x0 + scale * circle.x, box.y0 + scale * circle.y, scale * circle.r);
      // Edges of a smaller image are too coarse to start the outline from.
      if (halvings === 0) search.gatherEdges(edges, box.x0, box.y0, this.#capacity);
      else search.takeVotes(0, 0);
      search.outlineAround(0);
      search.takeVotes(circle.votes, directions);
      if (search.get('score') > top) {
        top = search.get('score');
        search.keep();
      }
      return top >= ENOUGH;
    };
    const side = this.#runtime.wasm;
    const wanted = { ...this.#wanted(radii, halvings), region: smaller(box, centres, halvings), oriented: true };
    const planes = this.#edges(frame, box, halvings, {});
    try {
      const octants = planes.octants!;
      const best = yield { edges: octants, search: wanted, least: Math.ceil(share * directions) };
      if (best && !tried(best, octants)) {
        const near = side.now((scope) => circleCandidates(scope, octants, wanted, Math.ceil(NEAR * best.votes)));
        const distinct = distinctCircles([best, ...near], { max: TRIED, separation: APART * wanted.minRadius });
        for (const circle of distinct) if (circle !== best && tried(circle, octants)) break;
      }
    } finally {
      planes.dispose();
    }
    search.takeBack();
  }

  /** How often the box is halved before Canny. */
  #halvings({ x0, y0, x1, y1 }: Region): number {
    return Math.max(0, Math.round(Math.log2(Math.sqrt((x1 - x0) * (y1 - y0)) / this.#values.houghSide)));
  }

  /** Whole radii of the smaller image. */
  #wanted({ least, most }: Radii, halvings: number): { minRadius: number; maxRadius: number; angleStep: number } {
    const minRadius = Math.max(1, Math.floor(least / 2 ** halvings));
    const maxRadius = Math.max(minRadius, Math.ceil(most / 2 ** halvings));
    return { minRadius, maxRadius, angleStep: this.#values.angleStep };
  }

  /** Canny's edges over a box, and with the directions in which they get brighter. */
  #edges(frame: PreparedFrame, box: Region, halvings: number, params: Parameters<typeof cannyOf>[2]): Edges {
    const side = this.#runtime.wasm;
    const smooth = frame.filled(box);
    return side.guarded(() => {
      let image = side.crop(smooth, { x0: 0, y0: 0, x1: box.x1 - box.x0, y1: box.y1 - box.y0 });
      for (let i = 0; i < halvings; i++) {
        const [half] = side.now((scope) => pyramidDown.wasm(scope, [image], { border: 'replicate' }));
        image.dispose();
        image = half!;
      }
      const edges = side.now((scope) => cannyOf(scope, image, { thresholds: 'auto', ...params }));
      const octants = this.#values.variant === 'paper' ? null : side.now((scope) => edgeOctants(scope, image, edges));
      image.dispose();
      const dispose = () => {
        edges.dispose();
        octants?.dispose();
      };
      return { edges, octants, dispose };
    });
  }

  next({ x, y, diameter }: Pupil): Last {
    const search = this.#search;
    const ellipse = outlineEllipse(search);
    return { x, y, r: diameter / 2, ellipse, contrast: search.get('contrast'), dark: search.get('dark') };
  }

  dispose(): void {
    this.#search.dispose();
  }
}

/**
 * Edges on the WASM side, where the smoothed image is; votes there, too, or on a GPU that was asked for, as sums of bits
 * (no blending, so no float targets).
 */
export class HoughMethod implements Method {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;

  constructor(runtime: Runtime, values: PupilValues) {
    this.#runtime = runtime;
    this.#values = values;
  }

  detector(width: number, height: number): Detector {
    return new HoughDetector(this.#runtime, this.#values, width, height);
  }

  usesGpu(): boolean {
    const { gpu, gpuForced } = this.#runtime;
    return gpuForced && gpu !== null && !gpu.lost;
  }

  async prepare(): Promise<void> {
    if (this.usesGpu()) await this.#runtime.gpu!.prepare([edgeBitsPass, circleVotesPass, circleBestPass]);
  }

  dispose(): void {}
}
