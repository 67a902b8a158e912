/**
 * The engine itself, the same in its worker and on the page's own thread: turns packets into planes, runs operations
 * and trackers, keeps order, cancels. It knows capabilities only through their registries.
 */
import type { Capabilities } from '../../results/types.ts';
import { Runtime } from '../runtime.ts';
import type { SideProfileData } from '../side-profile.ts';
import { capabilitiesOf } from './engine-capabilities.ts';
import { disposed, EngineContext, type EngineHome } from './engine-context.ts';
import { openGpu } from './engine-gpu.ts';
import type {
  CheckedParameters,
  EngineInit,
  EnginePort,
  OperationCall,
  ProcessCall,
  Progress,
  TrackerCall,
} from './engine-protocol.ts';
import { OperationCalls } from './operation-calls.ts';
import { TrackerCalls } from './tracker-calls.ts';

export type { EngineHome, EngineReaders } from './engine-context.ts';

export class EngineCore implements EnginePort {
  readonly capabilities: Capabilities;
  readonly #context: EngineContext;
  readonly #operations: OperationCalls;
  /** Loads the GPU half; null once that was begun, and where there is none to load. */
  #openGpu: (() => Promise<void>) | null;
  readonly #trackers: TrackerCalls;

  private constructor(
    context: EngineContext,
    capabilities: Capabilities,
    profile?: SideProfileData,
    openGpu: (() => Promise<void>) | null = null,
  ) {
    this.capabilities = capabilities;
    this.#context = context;
    this.#openGpu = openGpu;
    this.#operations = new OperationCalls(context, profile, capabilities.sides);
    this.#trackers = new TrackerCalls(context);
  }

  static async create(init: EngineInit, home: EngineHome): Promise<EngineCore> {
    const { module, threads, maximum, places } = init;
    const { spawn, failed, insideModel } = home;
    const runtime = await Runtime.create({ module, threads, maximum, places, spawn, failed, insideModel });
    try {
      const gpu = await openGpu(runtime, init.backend, (init.images ?? 0) > 0);
      const context = new EngineContext(runtime, home, init.images);
      return new EngineCore(context, capabilitiesOf(runtime, init, home, gpu), init.profile, gpu.open);
    } catch (error) {
      runtime.dispose();
      throw error;
    }
  }

  /** The linear memory's buffer: results must not be views of it. */
  get memory(): ArrayBufferLike {
    return this.#context.runtime.arena.memory.buffer;
  }

  /** For tests of leaks: blocks of the arena in use. */
  get blocks(): number {
    return this.#context.runtime.arena.blocks;
  }

  /** The same of textures that are lent. */
  get textures(): number {
    return this.#context.runtime.gpu?.textures.lent ?? 0;
  }

  operation(call: OperationCall, progress?: Progress): Promise<unknown> {
    if (this.#openGpu) void this.#loadGpu(this.#openGpu);
    return this.#operations.run(call, progress);
  }

  /** The first operation under 'auto' on graphics hardware brings the GPU half; until it is there, calls run in WASM. */
  async #loadGpu(open: () => Promise<void>): Promise<void> {
    this.#openGpu = null;
    try {
      await open();
      if (this.#context.disposed) this.#context.runtime.dispose();
    } catch (error) {
      this.#context.runtime.preferred = 'wasm';
      const why = error instanceof Error ? error.message : String(error);
      const { sides } = this.capabilities;
      Object.assign(sides, Object.fromEntries(Object.keys(sides).map((name) => [name, { side: 'wasm', why }])));
    }
  }

  /** What the sides took so far; null where nothing is compared. */
  async profile(): Promise<SideProfileData | null> {
    return this.#operations.profile();
  }

  /** A kept image is wanted no more; calls that have it go on. */
  drop(image: number): void {
    this.#context.images.drop(image);
  }

  createTracker(id: number, name: string, params: CheckedParameters, turn?: number): Promise<void> {
    return this.#trackers.create(id, name, params, turn);
  }

  process(call: ProcessCall): Promise<unknown> {
    return this.#trackers.process(call);
  }

  trackerCall(call: TrackerCall): Promise<unknown> {
    return this.#trackers.trackerCall(call);
  }

  skip(id: number, turn: number): void {
    this.#trackers.skip(id, turn);
  }

  abort(call: number): void {
    this.#context.abort(call);
  }

  async dispose(): Promise<void> {
    if (this.#context.disposed) return;
    this.#context.disposed = true;
    this.#context.abortAll(disposed());
    await this.#trackers.disposeAll();
    this.#context.images.clear();
    this.#context.runtime.dispose();
  }
}
