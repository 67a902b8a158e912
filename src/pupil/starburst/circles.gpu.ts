/**
 * Starburst's data-parallel part on the GPU: upload, preprocessing, rays and RANSAC of one frame in one go, then one
 * small asynchronous read-back. Start candidates, outline and judgement stay with the WASM side.
 */
import type { GpuSide } from '../../runtime/gpu-side.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { PupilValues } from '../parameters.ts';
import type { Region } from '../search/region.ts';
import { radiusLimits } from '../search/search.ts';
import type { Ladder } from './ladder.ts';
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

export class GpuStarburst {
  readonly #side: GpuSide;
  readonly #values: PupilValues;
  readonly #ladder: Ladder;
  readonly #preparation: GpuPreparation;
  readonly #search: RaySearch;

  constructor(runtime: Runtime, side: GpuSide, values: PupilValues, ladder: Ladder) {
    this.#side = side;
    this.#values = values;
    this.#ladder = ladder;
    this.#preparation = new GpuPreparation(runtime, side, values, ladder);
    this.#search = new RaySearch(side, values, ladder);
  }

  /** Why these parameters are for the WASM side, or null. */
  static refuses(values: PupilValues): string | null {
    if (values.polarity === 'bright') return 'an inverted image';
    return values.smoothing === 'median' && values.reflections === 'interpolate'
      ? 'a median of an image with filled reflections'
      : null;
  }

  /** Compiles ahead of the first frame. */
  compile(): Promise<void> {
    return this.#side.prepare([...this.#preparation.passes(), ...this.#search.passes()]);
  }

  /** Enqueues at once; resolves with one outcome for each start. Rejects with 'context-lost'. */
  async find(request: Request): Promise<Outcome[]> {
    const outcomes = await this.#once(request, request.starts);
    // Not done with the rounds that were enqueued: on from there, over the same frame.
    for (;;) {
      const open = outcomes.flatMap((outcome, i) => (outcome.status === 'running' ? [i] : []));
      if (!open.length) return outcomes;
      const starts = open.map((i) => ({ ...request.starts[i]!, ...place(outcomes[i]!) }));
      const further = await this.#once(request, starts);
      open.forEach((i, k) => (outcomes[i] = further[k]!));
    }
  }

  #once({ source, limits, local, rounds }: Request, starts: readonly Start[]): Promise<Outcome[]> {
    const side = this.#side;
    const { width, height } = source;
    const window = local && !this.#preparation.whole ? windowAround(starts[0]!, limits, this.#ladder.window) : limits;
    const piece = this.#preparation.piece(width, height, window);
    const radii = radiusLimits(this.#values, width, height);
    return side.scope((lend) => {
      const prepared = this.#preparation.prepare(source, piece, lend);
      const result = this.#search.enqueue(prepared, piece, limits, radii, starts, rounds, lend);
      const all = { x: 0, y: 0, width: result.width, height: result.height };
      const bytes = this.#ladder.read ? this.#ladder.read(side, result, all) : side.read(result);
      return bytes.then((read) => this.#search.outcomes(read, starts.length));
    });
  }

  /** Levels plus 256 where a reflection is, over a window of a frame, for tests. */
  async prepared(source: Plane, window: Region): Promise<{ piece: Piece; samples: Uint16Array; stride: number }> {
    const piece = this.#preparation.piece(source.width, source.height, window);
    return this.#side.scope((lend) => {
      const texture = this.#preparation.prepare(source, piece, lend);
      const stride = texture.width * (texture.format === 'u16' ? 1 : 4);
      return this.#side.read(texture).then((bytes) => ({ piece, samples: new Uint16Array(bytes.buffer), stride }));
    });
  }

  dispose(): void {
    this.#preparation.dispose();
    this.#search.dispose();
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
