/**
 * Starburst's data-parallel part on the GPU: upload, preprocessing, rays and RANSAC of one frame in one go, then one
 * small asynchronous read-back. Start candidates, outline and judgement stay with the WASM side.
 */
import type { Plan } from '../../runtime/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import type { Region } from '../search/region.ts';
import { radiusLimits } from '../search/search.ts';
import { allOptimisations, type Ladder } from './ladder.ts';
import { GpuPreparation, type Piece } from '../preparation/prepare.gpu.ts';
import { RaySearch, type Outcome, type Start } from './ray-search.gpu.ts';

/** Pixels of the window of a tracking search beyond the given share of the rays' length. */
const MARGIN = 24;

export interface Request {
  readonly source: Plane;
  /** Where rays end. */
  readonly limits: Region;
  readonly starts: readonly Start[];
  /** Only the surroundings of the start are uploaded; a ray that leaves them ends the search as 'escaped'. */
  readonly local: boolean;
  readonly rounds: number;
}

/** Makes the GPU's part of Starburst for a tracker. */
export type MakeRays = (runtime: Runtime, values: PupilValues) => GpuRays;

export const shippedRays: MakeRays = (runtime, values) => new GpuRays(runtime, values);

export class GpuRays {
  /** Rounds that are enqueued at once in tracking; further ones when that was not enough. */
  readonly rounds: number;
  readonly #scope: Scope;
  readonly #values: PupilValues;
  readonly #ladder: Ladder;
  readonly #preparation: GpuPreparation;
  readonly #search: RaySearch;

  constructor(runtime: Runtime, values: PupilValues, ladder: Ladder = allOptimisations) {
    this.#scope = new Scope(runtime);
    this.#values = values;
    this.#ladder = ladder;
    this.rounds = ladder.rounds;
    this.#preparation = new GpuPreparation(runtime, values, ladder);
    this.#search = new RaySearch(runtime, values, ladder);
  }

  /** Compiles ahead of the first frame. */
  compile(): Promise<void> {
    return this.#scope.gpu.prepare([...this.#preparation.passes(), ...this.#search.passes()]);
  }

  /** Enqueues at once; gives one outcome for each start. Errors: 'context-lost'. */
  *find(request: Request): Plan<Outcome[]> {
    const outcomes = yield* this.#once(request, request.starts);
    // Not done with the rounds that were enqueued: on from there, over the same frame.
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
    const window = local && !this.#preparation.whole ? windowAround(starts[0]!, limits, this.#ladder.window) : limits;
    const piece = this.#preparation.piece(width, height, window);
    const radii = radiusLimits(this.#values, width, height);
    const bytes = this.#scope.within((scope) => {
      const { gpu } = scope;
      const prepared = this.#preparation.prepare(scope, source, piece);
      const result = this.#search.enqueue(scope, prepared, piece, limits, radii, starts, rounds);
      const all = { x: 0, y: 0, width: result.width, height: result.height };
      return this.#ladder.read ? this.#ladder.read(gpu, result, all) : gpu.read(result);
    });
    return this.#search.outcomes(yield* this.#scope.wait(bytes), starts.length);
  }

  /** Levels plus 256 where a reflection is, over a window of a frame, for tests. */
  async prepared(source: Plane, window: Region): Promise<{ piece: Piece; samples: Uint16Array; stride: number }> {
    const piece = this.#preparation.piece(source.width, source.height, window);
    return this.#scope.within((scope) => {
      const texture = this.#preparation.prepare(scope, source, piece);
      const stride = texture.width * (texture.format === 'u16' ? 1 : 4);
      return scope.gpu.read(texture).then((bytes) => ({ piece, samples: new Uint16Array(bytes.buffer), stride }));
    });
  }

  dispose(): void {
    this.#preparation.dispose();
    this.#search.dispose();
    this.#scope.dispose();
  }
}

const place = ({ x, y, rounds }: Outcome) => ({ x, y, rounds });

function windowAround({ x, y, reach }: Start, limits: Region, share: number): Region {
  const half = share * reach + MARGIN;
  return {
    x0: Math.max(limits.x0, Math.floor(x - half)),
    y0: Math.max(limits.y0, Math.floor(y - half)),
    x1: Math.min(limits.x1, Math.ceil(x + half)),
    y1: Math.min(limits.y1, Math.ceil(y + half)),
  };
}
