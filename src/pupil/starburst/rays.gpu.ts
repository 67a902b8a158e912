/**
 * Starburst's data-parallel part on the GPU: upload, preprocessing, rays and RANSAC of one frame in one go, then one
 * small asynchronous read-back. Start candidates, outline and judgment stay with the WASM side.
 */
import type { GpuSide, Texture } from '../../runtime/gpu/gpu-side.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import type { Region } from '../search/region.ts';
import { radiusLimits } from '../search/search.ts';
import { GpuPreparation, type Piece } from '../preparation/prepare.gpu.ts';
import { RaySearch, type Outcome, type Start } from './ray-search.gpu.ts';

/** The window of a tracking search, to either side: a share of the longest rays, and pixels beyond. */
export const AROUND = 0.75;
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

/** What it is made of. */
export interface RayParts {
  readonly preparation: GpuPreparation;
  readonly search: RaySearch;
  /** Rounds that are enqueued at once in tracking; further ones when that was not enough. */
  readonly rounds: number;
  /** Reads a result: through a pixel-pack buffer and a fence. */
  read(gpu: GpuSide, texture: Texture): Promise<Uint8Array>;
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

  /** Compiles ahead of the first frame. */
  compile(): Promise<void> {
    return this.#scope.gpu.prepare([...this.#parts.preparation.passes(), ...this.#parts.search.passes()]);
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

  /** Levels plus 256 where a reflection is, over a window of a frame, for tests. */
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
