/** The two halves of one engine and which of them it prefers. Lives in the engine's worker, or on the page's thread. */
import { Arena } from './arena.ts';
import { Kernels } from './kernels.ts';
import { Plane, type PlaneFormat, type PlaneHost } from './plane.ts';
import { ThreadPool, type ThreadStart } from './thread-pool.ts';
import { WasmSide } from './wasm-side.ts';
import type { GpuSide } from './gpu-side.ts';

export interface RuntimeOptions {
  /** The compiled single-thread kernels, or the shared-memory build when `threads` > 1. */
  module: WebAssembly.Module;
  threads?: number;
  /** Starts a helper thread; needed when threads > 1. */
  spawn?: (start: ThreadStart) => Promise<{ terminate(): unknown }>;
  /** Limit of the arena in bytes. */
  maximum?: number;
  places?: Places;
}

/** Where models come from. */
export interface Places {
  /** The folder of models/; undefined in a build that knows none. */
  readonly assets?: string;
  /** The page, for addresses that its script gives. */
  readonly page?: string;
  /** Shipped models that the build has inside, by name: base64 of their deflated bytes. */
  readonly models?: Readonly<Record<string, string>>;
}

export class Runtime implements PlaneHost {
  readonly arena: Arena;
  readonly wasm: WasmSide;
  /** Set when there is a usable GPU side. */
  gpu: GpuSide | null = null;
  /** What `run` prefers when nothing else decides. */
  preferred: 'wasm' | 'gpu' = 'wasm';
  /** The caller asked for the GPU: what is faster on the WASM side goes to the GPU all the same. */
  gpuForced = false;
  readonly places: Places;

  private constructor(arena: Arena, kernels: Kernels, pool: ThreadPool, places: Places) {
    this.arena = arena;
    this.places = places;
    this.wasm = new WasmSide(this, kernels, pool);
  }

  static async create({ module, threads = 1, spawn, maximum, places = {} }: RuntimeOptions): Promise<Runtime> {
    const arena = new Arena({ shared: threads > 1, maximum });
    const kernels = new Kernels(module, arena.memory);
    const pool =
      threads > 1 && spawn
        ? await ThreadPool.start(arena, kernels, module, threads, spawn)
        : ThreadPool.single(arena, kernels);
    return new Runtime(arena, kernels, pool, places);
  }

  /** A plane from tightly packed samples. */
  plane(width: number, height: number, format: PlaneFormat, data: ArrayBufferView): Plane {
    return Plane.from(this, width, height, format, data);
  }

  dispose(): void {
    this.wasm.pool.dispose();
    this.gpu?.dispose();
    this.gpu = null;
  }
}
