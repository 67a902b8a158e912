/**
 * The robust detector behind the common interface. Edge segments, dark regions and the last outline propose outlines,
 * which are refined and scored by one measure (assembly/pupil/robust/robust.ts lists the sources).
 */
import type { Ellipse } from '../../results/types.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { strideOf, type Plane } from '../../runtime/plane.ts';
import type { RecordView } from '../../runtime/wasm/record.ts';
import { RobustRecord } from '../../runtime/wasm/records.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope, type Block } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import { rayDirections, PupilSearch } from '../search/search.ts';
import { type Last, type Detector, type Found, type Method, type View, findStage } from '../search/method.ts';
import type { Region } from '../search/region.ts';
import { robustWeights } from './weights.ts';
import { defineStage } from '../../runtime/stage.ts';
import { foundBy } from '../search/result.ts';
import { regionsToTry } from '../starburst/start.ts';

// Memory of the segment search, in addition to the memory of the eye's search, and the call. Everything is allocated
// once for a region size. Frames allocate nothing.

type RobustView = typeof RobustRecord extends { fields: ReadonlyMap<infer F extends string, unknown> }
  ? RecordView<F>
  : never;
type RobustField = Parameters<RobustView['get']>[0];

// Limits of the search. They were kept or removed by `npm run bench -- methods pupil` and `-- hard pupil`
// (lab/results/accuracy.md, "all methods"). The log-odds SURE and SURE_HERE were set by hand, for speed. The weights
// are in weights.ts.

/** Number of normals of the last refinement. They are between the normals of the first refinements. */
const FINE = 128;
/** Minimum short side of the reduced region for the edge search, in reduced pixels. */
const SMALL = 200;
/** Maximum number of reduced pixels. */
const MOST = 6 * SMALL * SMALL;
const EDGES = 16384;
const SEGMENTS = 1024;
const SEGMENT_BYTES = 32;
const ELLIPSES = 6;
const ELLIPSE_BYTES = 32;
/** Log-odds that end the search for more proposals: in the whole region, and around the last pupil. */
const SURE = 4;
const SURE_HERE = 1.5;
/** Segments of an arc are flatter than the whole, so edges of pupils smaller by this factor are searched for. */
const MARGIN = 0.8;
/** Number of outlines per frame that are remembered as refined. */
const REFINED = 48;
const LOG = 64;

interface Judged {
  readonly x: number;
  readonly y: number;
  /** Semi-axes. */
  readonly a: number;
  readonly b: number;
  readonly score: number;
  readonly features: Float32Array;
}

export class RobustSearch {
  readonly search: PupilSearch;
  /** Record that the kernels use as `robust`. */
  readonly state: RobustView;
  readonly #scope: Scope;

  /** Accepts frames up to this size. */
  constructor(runtime: Runtime, values: PupilValues, width: number, height: number) {
    this.#scope = new Scope(runtime);
    this.search = new PupilSearch(runtime, values, width, { capacity: FINE, enough: SURE });
    try {
      this.state = this.#scope.record(RobustRecord);
      this.#lay();
      const { roi, eyes } = values;
      const most = reduced(
        Math.ceil(Math.min(width, roi?.width ?? width) / eyes),
        Math.min(height, roi?.height ?? height),
      );
      this.#reserve(strideOf(most.width, 'u8') * most.height);
    } catch (error) {
      this.dispose(); // out of memory
      throw error;
    }
  }

  #lay(): void {
    const scope = this.#scope;
    const block = (bytes: number) => scope.block(bytes).address;
    this.state.set({
      edgeX: block(4 * EDGES),
      edgeY: block(4 * EDGES),
      normalX: block(4 * EDGES),
      normalY: block(4 * EDGES),
      used: block(EDGES),
      maxEdges: EDGES,
      order: block(2 * EDGES),
      segments: block(SEGMENTS * SEGMENT_BYTES),
      maxSegments: SEGMENTS,
      ellipses: block((ELLIPSES + 1) * ELLIPSE_BYTES),
      maxEllipses: ELLIPSES,
      refined: block(12 * REFINED),
      maxRefined: REFINED,
      // These are between the normals of the first refinements.
      fine: scope.table(rayDirections(FINE, 0.5)).address,
      fineCount: FINE,
    });
  }

  get(name: RobustField): number {
    return this.state.get(name);
  }

  /**
   * Planes of the reduced region. They fit the largest region of the eye, because smaller frames may be searched
   * earlier.
   */
  #planes: Block[] = [];
  #reserve(pixels: number): void {
    if (this.#planes.length && pixels + 64 <= this.#planes[0]!.bytes) return;
    const scope = this.#scope;
    for (const plane of this.#planes.splice(0)) scope.free(plane);
    const bytes = 2 * pixels + 64;
    const planes = [pixels + 64, bytes, bytes, bytes, bytes, bytes].map((size) => scope.block(size));
    const [image, smooth, gradientX, gradientY, magnitude, index] = planes.map(({ address }) => address);
    this.state.set({ image, smooth, gradientX, gradientY, magnitude, index });
    this.#planes = planes;
  }

  begin(source: Plane, frame: PreparedFrame, region: Region): void {
    this.search.begin(source, frame, region);
    const { factor, width, height } = reduced(region.x1 - region.x0, region.y1 - region.y0);
    const stride = strideOf(width, 'u8');
    this.#reserve(stride * height);
    this.state.set({
      factor,
      width,
      height,
      stride,
      minRadius: (MARGIN * this.search.get('minRadius')) / factor,
      maxRadius: this.search.get('maxRadius') / factor,
      sigma: 0,
    });
  }

  /** Searches around the last pupil, then in the region with at most `candidates` dark regions. */
  *find(last: Last | null, candidates: number): Plan<void> {
    const { search } = this;
    if (last) {
      search.takeLast(last);
      search.takeOutline(last.ellipse ?? circle(last));
    }
    search.limit(candidates);
    const tracked = last !== null;
    yield* this.#scope.kernels.robustFind({ search: search.state, robust: this.state, tracked, enough: SURE_HERE });
  }

  /** Logs every scored outline for `judged`, and does not end the search early. For the benchmarks. */
  keepAll(): void {
    if (this.get('log')) return;
    this.state.set({ log: this.#scope.block(4 * LOG * (6 + robustWeights.length)).address, maxLog: LOG });
    this.search.state.set({ enough: Infinity });
  }

  /** Returns the outlines that the last search scored. */
  judged(): Judged[] {
    const size = 6 + robustWeights.length;
    const log = this.#scope.f32({ address: this.get('log') }, size * this.get('logCount'));
    return Array.from({ length: this.get('logCount') }, (_, k) => {
      const [x, y, a, b, score] = log.subarray(k * size) as unknown as [number, number, number, number, number];
      return { x, y, a, b, score, features: log.slice(k * size + 6, (k + 1) * size) };
    });
  }

  dispose(): void {
    this.#scope.dispose();
    this.search.dispose();
  }
}

const circle = ({ x, y, r }: Last): Ellipse => ({ x, y, major: 2 * r, minor: 2 * r, angle: 0 });

/** Size of the reduced region: side of a block, number of blocks across and down. */
function reduced(width: number, height: number): { factor: number; width: number; height: number } {
  const factor = Math.max(
    1,
    Math.floor(Math.min(width, height) / SMALL),
    Math.ceil(Math.sqrt((width * height) / MOST)),
  );
  return { factor, width: Math.floor(width / factor), height: Math.floor(height / factor) };
}

class RobustDetector implements Detector {
  readonly #search: RobustSearch;
  readonly #values: PupilValues;

  constructor(runtime: Runtime, values: PupilValues, width: number, height: number) {
    this.#values = values;
    this.#search = new RobustSearch(runtime, values, width, height);
  }

  readonly sideBySide = true;
  readonly sameStarts = true;

  get blur(): number {
    return this.#search.get('sigma');
  }

  *find(_: Scope, { source, frame, region, last, lost, any }: View): Plan<Found> {
    const values = any ? { ...this.#values, minConfidence: 0 } : this.#values;
    this.#search.begin(source, frame, region);
    yield* this.#search.find(last, regionsToTry(lost, values));
    return foundBy(this.#search.search, values);
  }

  dispose(): void {
    this.#search.dispose();
  }
}

export class RobustMethod implements Method {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;

  /** The paper's variant belongs to Starburst. This method has only one variant. */
  constructor(runtime: Runtime, values: PupilValues) {
    this.#runtime = runtime;
    this.#values = { ...values, variant: 'default' };
  }

  detector(width: number, height: number): Detector {
    return new RobustDetector(this.#runtime, this.#values, width, height);
  }

  onGpu(): boolean {
    return false;
  }

  async prepare(): Promise<void> {}
  dispose(): void {}
}

export const robust = defineStage({
  ...findStage({
    name: 'robust',
    make: (runtime, values) => new RobustMethod(runtime, values),
    wasmOnly:
      'Tracing, splitting and fitting a few hundred short lists is serial. The rest reads only pixels near possible outlines.',
  }),
});
