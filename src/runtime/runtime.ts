/**
 * The two backends of one engine, which of them it prefers, and the choice for each stage. Used in the engine's worker
 * or on the page's thread.
 */
import { Arena } from './wasm/arena.ts';
import { Driver } from './driver.ts';
import { Kernels } from './wasm/kernels.ts';
import { Plane, type PlaneFormat, type PlaneHost } from './plane.ts';
import { ThreadPool, type ThreadSpawn } from './wasm/thread-pool.ts';
import type { GpuBackend } from './gpu/gpu-backend.ts';
import type { ResultBackend } from '../results/types.ts';

export interface RuntimeOptions {
  /** The compiled single-thread kernels, or the shared-memory build if `threads` > 1. */
  module: WebAssembly.Module;
  threads?: number;
  /** Starts a helper thread. Required if threads > 1. */
  spawn?: ThreadSpawn;
  /** Called when a helper thread is lost. The memory must not be used after that. */
  failed?: (why: string) => void;
  /** Limit of the arena in bytes. */
  maximum?: number;
  places?: Places;
  insideModel?: InsideModel;
}

/** Location of one shipped model, and the hash of its file if the build knows it. */
export interface ModelPlace {
  /** If missing, the model is embedded in the package. */
  readonly url?: string;
  readonly integrity?: string;
}

/** Locations of models. */
export interface Places {
  /** Shipped models by name. */
  readonly models?: Readonly<Record<string, ModelPlace>>;
  /** The page's URL, to resolve the URLs that its script passes. */
  readonly page?: string;
}

/** Reads a model embedded in the package. Runs on the page, which has the package's modules. */
export type InsideModel = (name: string) => Promise<Uint8Array>;

export class Runtime implements PlaneHost {
  readonly arena: Arena;
  readonly kernels: Kernels;
  readonly pool: ThreadPool;
  readonly driver: Driver;
  /** Set if there is a usable GPU backend. */
  gpu: GpuBackend | null = null;
  /** Name of the hardware GPU, known even before the GPU code has loaded. Null if there is none. */
  renderer: string | null = null;
  /** The backend that `run` prefers if nothing else decides. */
  preferred: 'wasm' | 'gpu' = 'wasm';
  /** The caller requested the GPU. Work that is faster in WASM still runs on the GPU. */
  gpuForced = false;
  readonly places: Places;
  readonly insideModel?: InsideModel;

  private constructor(arena: Arena, kernels: Kernels, pool: ThreadPool, places: Places, insideModel?: InsideModel) {
    this.arena = arena;
    this.places = places;
    this.insideModel = insideModel;
    this.kernels = kernels;
    this.pool = pool;
    this.driver = new Driver(pool);
  }

  static async create({
    module,
    threads = 1,
    spawn,
    failed,
    maximum,
    places = {},
    insideModel,
  }: RuntimeOptions): Promise<Runtime> {
    const arena = new Arena({ shared: threads > 1, maximum });
    const kernels = new Kernels(module, arena.memory);
    const pool =
      threads > 1 && spawn
        ? await ThreadPool.start(arena, kernels, module, threads, spawn, failed)
        : ThreadPool.single(arena, kernels);
    return new Runtime(arena, kernels, pool, places, insideModel);
  }

  /** A plane from tightly packed samples. */
  plane(width: number, height: number, format: PlaneFormat, data: ArrayBufferView): Plane {
    return Plane.from(this, width, height, format, data);
  }

  dispose(): void {
    this.pool.dispose();
    this.gpu?.dispose();
    this.gpu = null;
  }
}

/**
 * The only place that chooses the backend of a stage. The caller's choice has priority. After that, the decision
 * depends on whether the context is available, what fits into this device's textures and what is faster. Otherwise the
 * runtime's preference is used.
 */

export type Backend = 'wasm' | 'gpu';
/** Backends as results name them. Work without a choice of backend counts as WASM. */
export const resultBackend = (backends: ReadonlySet<Backend>): ResultBackend =>
  backends.size > 1 ? 'both' : backends.has('gpu') ? 'gpu' : 'wasm';

/** The inputs of the choice, see Stage. */
export interface BackendNeeds {
  readonly gpu?: unknown;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  fits?(gpu: GpuBackend, inputs: readonly unknown[], params: unknown): boolean;
  pays?(inputs: readonly unknown[], params: unknown): boolean;
}

const isPlane = (value: unknown): value is Plane => typeof value === 'object' && value !== null && 'dispose' in value;

/** The GPU, if images of this size should be uploaded as textures immediately because stages will need them there. */
export function gpuForPictures(runtime: Runtime, width: number, height: number): GpuBackend | null {
  const { gpu, preferred } = runtime;
  return gpu && preferred === 'gpu' && !gpu.lost && gpu.fits(width, height) ? gpu : null;
}

export function backendOf(
  runtime: Runtime,
  stage: BackendNeeds,
  inputs: readonly unknown[],
  forced?: Backend,
  params: unknown = {},
): Backend {
  const { gpu, gpuForced, preferred } = runtime;
  if (!gpu || !stage.gpu || forced === 'wasm' || stage.fits?.(gpu, inputs, params) === false) return 'wasm';
  if (forced) return forced;
  if (gpu.lost) return 'wasm';
  const { floatTargets } = gpu.capabilities;
  if (!floatTargets && (stage.inputs.includes('f32') || stage.outputs.includes('f32'))) return 'wasm';
  // Results are up to one pixel larger than the source.
  if (inputs.some((input) => isPlane(input) && !gpu.fits(input.width + 1, input.height + 1))) return 'wasm';
  return !gpuForced && stage.pays?.(inputs, params) === false ? 'wasm' : preferred;
}
