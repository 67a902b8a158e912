/** The WASM half: arena, kernels and threads behind the few calls that stages need. */
import type { Arena } from './arena.ts';
import type { Kernels } from './kernels.ts';
import { Plane, type PlaneFormat, type PlaneHost } from './plane.ts';
import type { Plan } from './kernel-step.ts';
import type { Runtime } from './runtime.ts';
import { isPlane, Scope } from './scope.ts';
import type { ThreadPool } from './thread-pool.ts';

export class WasmSide {
  readonly arena: Arena;
  readonly kernels: Kernels;
  readonly pool: ThreadPool;
  readonly #host: PlaneHost;
  /** Planes of the stage that runs now, to be given back should it fail. */
  #made: Plane[] | null = null;

  constructor(host: PlaneHost, kernels: Kernels, pool: ThreadPool) {
    this.#host = host;
    this.arena = host.arena;
    this.kernels = kernels;
    this.pool = pool;
  }

  get threads(): number {
    return this.pool.threads;
  }

  /** Runs a plan at once; planes among what it returns belong to the caller. */
  now<T>(body: (scope: Scope) => Plan<T>): T {
    const runtime = this.#host as Runtime;
    const scope = new Scope(runtime, { side: 'wasm' });
    try {
      const result = runtime.driver.now(body(scope));
      const results: unknown[] = Array.isArray(result) ? result : [result];
      for (const value of [...results, ...Object.values(Object(result) as object)]) {
        if (!isPlane(value)) continue;
        scope.giveAway(value);
        this.#made?.push(value);
      }
      return result;
    } finally {
      scope.dispose();
    }
  }

  /** A new, uninitialised plane on the arena. */
  plane(width: number, height: number, format: PlaneFormat): Plane {
    const plane = Plane.onArena(this.#host, width, height, format);
    this.#made?.push(plane);
    return plane;
  }

  /** A copy of columns x0..x1-1 and rows y0..y1-1 of a plane of single bytes. */
  crop(
    source: { address: number; stride: number },
    { x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number },
  ): Plane {
    const out = this.plane(x1 - x0, y1 - y0, 'u8');
    const { u8 } = this.arena;
    for (let y = y0; y < y1; y++) {
      const from = source.address + y * source.stride + x0;
      u8.copyWithin(out.address + (y - y0) * out.stride, from, from + out.width);
    }
    return out;
  }

  /** Runs a stage's body; the planes that it made do not outlive its failure (no memory, as a rule). */
  guarded<T>(body: () => T): T {
    const outer = this.#made;
    const made: Plane[] = (this.#made = []);
    try {
      const result = body();
      outer?.push(...made);
      return result;
    } catch (error) {
      for (const plane of made) plane.dispose();
      throw error;
    } finally {
      this.#made = outer;
    }
  }

  /** kernel(...args, y0, y1, scratch) over rows first..rows-1, split into `each` bands a thread. */
  bands(
    name: string,
    rows: number,
    args: readonly number[],
    {
      scratch = 64,
      minimumBand = 16,
      first = 0,
      each = 2,
    }: { scratch?: number; minimumBand?: number; first?: number; each?: number } = {},
  ): void {
    this.pool.bands(name, rows, args, minimumBand, scratch, first, each);
  }

  /** kernel(...list) for each list, side by side where there are threads; what one writes no other one may touch. */
  each(name: string, lists: readonly (readonly number[])[]): void {
    this.pool.each(name, lists);
  }

  /** kernel(...args, scratch) once, on this thread. */
  once(name: string, args: readonly number[], scratch = 64): void {
    const address = this.pool.scratch(scratch);
    this.kernels.call(name, ...args, address);
  }

  /** Runs `body` with `bytes` of temporary memory. */
  temporary<T>(bytes: number, body: (address: number) => T): T {
    const address = this.arena.allocate(bytes);
    try {
      return body(address);
    } finally {
      this.arena.free(address);
    }
  }
}
