/** What long work of one flow field is done with: its calls in pieces, its planes. */
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

/** Pixels between two looks at the clock, for one thread: 2 to 3 ms of work. */
const PIXELS = 400_000;

/** What long work needs of its caller; see CallContext. */
export interface Pace {
  slice(): Promise<void>;
  progress(done: number): void;
}

/** Runs row kernels in pieces. */
export class Pieces {
  readonly side: WasmSide;
  readonly #pace: Pace;
  readonly #total: number;
  #done = 0;

  /** `total`: pixels that all calls together will have. */
  constructor(side: WasmSide, pace: Pace, total: number) {
    this.side = side;
    this.#pace = pace;
    this.#total = total;
  }

  async rows(name: string, width: number, height: number, args: readonly number[], scratch = 64): Promise<void> {
    const rows = Math.max(64, Math.floor((PIXELS * this.side.threads) / width));
    for (let first = 0; first < height; first += rows) {
      const last = Math.min(height, first + rows);
      this.side.bands(name, last, args, { scratch, minimumBand: 32, first });
      await this.done(width * (last - first));
    }
  }

  /** So many pixels are done: tells the progress, and gives the thread back when its time is up. */
  async done(pixels: number): Promise<void> {
    this.#done += pixels;
    this.#pace.progress(Math.min(1, this.#done / this.#total));
    await this.#pace.slice();
  }
}

/** Planes that live until `end`, in whatever way that comes. */
export class Planes {
  readonly #side: WasmSide;
  readonly #planes = new Set<Plane>();

  constructor(side: WasmSide) {
    this.#side = side;
  }

  /** `fill`: the byte that it begins with; else its content is undefined. */
  make(width: number, height: number, format: 'f32' | 'u8', fill?: number): Plane {
    const plane = this.own(this.#side.plane(width, height, format));
    if (fill !== undefined) this.#side.arena.u8.fill(fill, plane.address, plane.address + plane.stride * height);
    return plane;
  }

  own<P extends Plane>(plane: P): P {
    this.#planes.add(plane);
    return plane;
  }

  /** Hands a plane over to the caller. */
  release(plane: Plane): Plane {
    this.#planes.delete(plane);
    return plane;
  }

  drop(...planes: Plane[]): void {
    for (const plane of planes) if (this.#planes.delete(plane)) plane.dispose();
  }

  end(): void {
    this.drop(...this.#planes);
  }
}
