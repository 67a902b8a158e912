/**
 * One frame's search for a pupil, split between the backends. The GPU does upload, preprocessing, rays and RANSAC. WASM
 * does start candidates, outline and confidence, over the few tiles that the outline touches. Both backends share the
 * kernels after the circle step, so their results agree.
 */
import type { GpuBackend, Texture } from '../../runtime/gpu/gpu-backend.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import type { Region } from '../search/region.ts';
import { radiusLimits, type PupilSearch } from '../search/search.ts';
import { GpuPreparation, type Piece } from '../preparation/prepare.gpu.ts';
import { RaySearch, type Outcome, type Start } from './ray-search.gpu.ts';
import { onlyGpu } from '../../runtime/error.ts';
import type { Found, View } from '../search/method.ts';
import { foundBy } from '../search/result.ts';
import { paperStart, regionsToTry } from './start.ts';

// Starburst's data-parallel part on the GPU: upload, preprocessing, rays and RANSAC of one frame at once, then one
// small asynchronous read-back. Start candidates, outline and confidence run in WASM.

/** Reach of the window of a tracking search: a share of the longest rays, plus a margin in pixels. */
export const AROUND = 0.75;
const MARGIN = 24;

interface Request {
  readonly source: Plane;
  /** Limits of the rays. */
  readonly limits: Region;
  readonly starts: readonly Start[];
  /** If true, only the surroundings of the start are uploaded. A ray that leaves them ends the search as 'escaped'. */
  readonly local: boolean;
  readonly rounds: number;
}

/** Makes the GPU's part of Starburst for a tracker. */
export type MakeRays = (runtime: Runtime, values: PupilValues) => GpuRays;

export const shippedRays: MakeRays = (runtime, values) => new GpuRays(runtime, values);

/** Parts of the ray search. */
export interface RayParts {
  readonly preparation: GpuPreparation;
  readonly search: RaySearch;
  /** Number of rounds that are enqueued at once in tracking. More rounds follow if that was not enough. */
  readonly rounds: number;
  /** Reads a result through a pixel-pack buffer and a fence. */
  read(gpu: GpuBackend, texture: Texture): Promise<Uint8Array>;
}

export const shippedParts = (runtime: Runtime, values: PupilValues): RayParts => ({
  preparation: new GpuPreparation(runtime, values),
  search: new RaySearch(runtime, values),
  rounds: 2,
  read: (gpu, texture) => gpu.read(texture),
});

export class GpuRays {
  readonly #scope: Scope;
  readonly #values: PupilValues;
  readonly #parts: RayParts;

  constructor(runtime: Runtime, values: PupilValues, parts = shippedParts(runtime, values)) {
    this.#scope = new Scope(runtime);
    this.#values = values;
    this.#parts = parts;
  }

  get rounds(): number {
    return this.#parts.rounds;
  }

  /** Compiles the programs before the first frame. */
  compile(): Promise<void> {
    return this.#scope.gpu.prepare([...this.#parts.preparation.passes(), ...this.#parts.search.passes()]);
  }

  /** Enqueues the search at once. Returns one outcome for each start. Errors: 'context-lost'. */
  *find(request: Request): Plan<Outcome[]> {
    const outcomes = yield* this.#once(request, request.starts);
    // If the enqueued rounds were not enough, continue from there, over the same frame.
    for (;;) {
      const open = outcomes.flatMap((outcome, i) => (outcome.status === 'running' ? [i] : []));
      if (!open.length) return outcomes;
      const starts = open.map((i) => ({ ...request.starts[i]!, ...place(outcomes[i]!) }));
      const further = yield* this.#once(request, starts);
      open.forEach((i, k) => (outcomes[i] = further[k]!));
    }
  }

  *#once({ source, limits, local, rounds }: Request, starts: readonly Start[]): Plan<Outcome[]> {
    const { width, height } = source;
    const window = local && !this.#parts.preparation.whole ? windowAround(starts[0]!, limits) : limits;
    const piece = this.#parts.preparation.piece(width, height, window);
    const radii = radiusLimits(this.#values, width, height);
    const bytes = this.#scope.within((scope) => {
      const { gpu } = scope;
      const prepared = this.#parts.preparation.prepare(scope, source, piece);
      const result = this.#parts.search.enqueue(scope, prepared, piece, limits, radii, starts, rounds);
      return this.#parts.read(gpu, result);
    });
    return this.#parts.search.outcomes(yield* this.#scope.wait(bytes), starts.length);
  }

  /** Returns gray values, plus 256 on reflections, over a window of a frame, for tests. */
  async prepared(source: Plane, window: Region): Promise<{ piece: Piece; samples: Uint16Array; stride: number }> {
    const piece = this.#parts.preparation.piece(source.width, source.height, window);
    return this.#scope.within((scope) => {
      const texture = this.#parts.preparation.prepare(scope, source, piece);
      const stride = texture.width * (texture.format === 'u16' ? 1 : 4);
      return scope.gpu.read(texture).then((bytes) => ({ piece, samples: new Uint16Array(bytes.buffer), stride }));
    });
  }

  dispose(): void {
    this.#parts.preparation.dispose();
    this.#parts.search.dispose();
    this.#scope.dispose();
  }
}

const place = ({ x, y, rounds }: Outcome) => ({ x, y, rounds });

function windowAround({ x, y, reach }: Start, limits: Region): Region {
  const half = AROUND * reach + MARGIN;
  return {
    x0: Math.max(limits.x0, Math.floor(x - half)),
    y0: Math.max(limits.y0, Math.floor(y - half)),
    x1: Math.min(limits.x1, Math.ceil(x + half)),
    y1: Math.min(limits.y1, Math.ceil(y + half)),
  };
}

/** Number of rounds enqueued at once from a start candidate, or from the paper's start on a first frame. */
const FIRST_ROUNDS = 4;

/** Null if the context was lost in the meantime. */
type Answer = Promise<Outcome[] | null>;

interface Wide {
  readonly dark: number;
  /** Outcomes for the start regions. Null if the GPU is no longer available for them. */
  readonly answer: Answer;
}

/** Counts of events on the GPU path so far, for tests and benchmarks. */
export interface GpuCounts {
  /** Searches around a last pupil, over a whole region, and finished in WASM because rays left the window. */
  local: number;
  wide: number;
  escaped: number;
  /** Searches that ran in WASM because the context was lost. */
  lost: number;
}

/** One eye of one frame, between its first pass and its last read-back. */
interface Enqueued {
  /** View at the time of entry. */
  readonly view: View;
  readonly track: Answer | null;
  readonly paper: Answer | null;
  readonly wide: Wide | null;
}

export class GpuTracking {
  readonly rays: GpuRays;
  readonly counts: GpuCounts = { local: 0, wide: 0, escaped: 0, lost: 0 };
  readonly #values: PupilValues;
  readonly #runtime: Runtime;
  readonly #lead: number;

  constructor(runtime: Runtime, values: PupilValues, makeRays: MakeRays, lead: number) {
    this.#values = values;
    this.#runtime = runtime;
    this.#lead = lead;
    this.rays = makeRays(runtime, values);
  }

  /**
   * Enqueues the search from the last pupil. With `tracking: false`, every frame is searched like the first one, and
   * several are in flight.
   */
  *enqueue(search: PupilSearch, view: View): Plan<Enqueued> {
    const values = this.#values;
    const { source, frame, region, last } = view;
    const none = { view, track: null, paper: null, wide: null };
    search.begin(source, frame, region);
    if (values.variant === 'paper') {
      const { x, y } = paperStart(last, region, values);
      yield* search.startAt(x, y);
      const rounds = values.tracking && last ? this.rays.rounds : FIRST_ROUNDS;
      return { ...none, paper: this.#ask(search, view, false, rounds) };
    }
    if (!values.tracking || !last) return { ...none, wide: yield* this.#wide(search, view) };
    this.counts.local++;
    yield* search.startAtLast(last);
    return { ...none, track: this.#ask(search, view, true, this.rays.rounds) };
  }

  /** Ends a search, in frame order. */
  *finish(scope: Scope, search: PupilSearch, { view: before, track, paper, wide }: Enqueued, view: View): Plan<Found> {
    const values = this.#values;
    const { source, frame, region, lost } = view;
    if (paper) {
      const outcomes = yield* scope.wait(paper);
      search.begin(source, frame, region);
      if (outcomes) yield* contest(scope, search, outcomes);
      else {
        const { x, y } = paperStart(before.last, region, values);
        yield* search.startAt(x, y);
        yield* search.tryStarts();
      }
      return foundBy(search, values);
    }
    if (track) {
      const outcomes = yield* scope.wait(track);
      search.begin(source, frame, region);
      yield* search.startAtLast(before.last!);
      if (outcomes?.[0] && outcomes[0].status !== 'escaped') yield* contest(scope, search, outcomes);
      else {
        if (outcomes) this.counts.escaped++;
        yield* search.tryStarts();
      }
      const found = foundBy(search, values);
      if (found.last) return found;
    }
    const { answer, dark } = wide ?? (yield* this.#wide(search, view));
    const outcomes = yield* scope.wait(answer);
    search.begin(source, frame, region);
    if (outcomes) yield* contest(scope, search, outcomes, dark);
    else {
      yield* search.startInDark(regionsToTry(lost, values));
      yield* search.tryStarts();
    }
    yield* search.lookAgain(this.#lead);
    return foundBy(search, values);
  }

  /** Searches from the darkest compact regions, all at once. */
  *#wide(search: PupilSearch, view: View): Plan<Wide> {
    const { source, frame, region, lost } = view;
    this.counts.wide++;
    search.begin(source, frame, region);
    yield* search.startInDark(regionsToTry(lost, this.#values));
    return { dark: search.get('dark'), answer: this.#ask(search, view, false, FIRST_ROUNDS) };
  }

  /** Asks for outcomes from the starts in the search. Enqueues at once. */
  async #ask(search: PupilSearch, { source, region }: View, local: boolean, rounds: number): Answer {
    const starts = search.starts().map((start) => ({ ...start, rounds: 0 }));
    if (!starts.length) return [];
    const request: Request = { source, limits: region, starts, local, rounds };
    try {
      return await this.#runtime.driver.run(this.rays.find(request));
    } catch (error) {
      if (!this.#runtime.gpu?.lost && !onlyGpu(error)) throw error;
      this.counts.lost++;
      return null;
    }
  }

  dispose(): void {
    this.rays.dispose();
  }
}

/** Finds the best outline, in the order of the starts. */
function* contest(scope: Scope, search: PupilSearch, outcomes: readonly Outcome[], dark?: number): Plan<void> {
  scope.options.took?.('gpu');
  yield* search.beginContest(dark);
  for (const outcome of outcomes) if (outcome.status === 'converged' && (yield* search.proposeRays(outcome))) break;
  yield* search.endContest();
}
