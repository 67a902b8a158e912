/**
 * The engine itself, identical in its worker and on the page's thread: the dispatch table of its requests. It knows
 * capabilities only through their registries.
 */
import type { Capabilities } from '../../results/types.ts';
import { FoveolaError } from '../error.ts';
import { Runtime } from '../runtime.ts';
import { capabilitiesOf, openGpu } from './backends.ts';
import { Images, type EngineHome } from './images.ts';
import { Operations } from './operations.ts';
import type { Call } from './port.ts';
import {
  closePacket,
  type CheckedParameters,
  type EngineInit,
  type FrameCall,
  type OperationCall,
  type TrackerCall,
} from './protocol.ts';
import { Queue } from './queue.ts';
import { Trackers } from './trackers.ts';

const disposed = () => new FoveolaError('disposed', 'The engine was disposed of. Create a new one.');

export class Host {
  readonly capabilities: Capabilities;
  readonly #images: Images;
  readonly #operations: Operations;
  readonly #trackers: Trackers;
  /** Loads the GPU code. Null once loading has begun, or if there is none to load. */
  #openGpu: (() => Promise<void>) | null;
  #disposed = false;

  /** A method of the engine is an entry here and a method of EngineBase (engine.ts). */
  readonly handlers = {
    operation: (call: OperationCall, context: Call) => this.#operation(call, context),
    createTracker: (call: { tracker: number; kind: string; params: CheckedParameters }) =>
      this.#living().create(call.tracker, call.kind, call.params),
    frame: (call: FrameCall, context: Call) => this.#frame(call, context),
    tracker: (call: TrackerCall) => this.#living().call(call),
    disposeTracker: (tracker: number) => this.#trackers.dispose(tracker),
    /** Returns the measured times of the backends. Null if they are not compared. */
    profile: (_: null) => this.#operations.profile(),
    /** A kept image is no longer needed. Calls that use it continue. */
    drop: (image: number) => this.#images.drop(image),
    /** `abort` cancels the calls in flight. */
    dispose: (_: null, { abort }: Call) => this.#dispose(abort),
  };

  private constructor(images: Images, capabilities: Capabilities, init: EngineInit, open?: () => Promise<void>) {
    const queue = new Queue();
    this.capabilities = capabilities;
    this.#images = images;
    this.#openGpu = open ?? null;
    this.#operations = new Operations(images, queue, init.profile, capabilities.backends);
    this.#trackers = new Trackers(images, queue);
  }

  static async create(init: EngineInit, home: EngineHome): Promise<Host> {
    const { module, threads, maximum, places, images = 0 } = init;
    const { spawn, failed, insideModel } = home;
    const runtime = await Runtime.create({ module, threads, maximum, places, spawn, failed, insideModel });
    try {
      const gpu = await openGpu(runtime, init.backend, images > 0);
      return new Host(new Images(runtime, home, images), capabilitiesOf(runtime, init, home, gpu), init, gpu.open);
    } catch (error) {
      runtime.dispose();
      throw error;
    }
  }

  /** The linear memory's buffer. Results must not be views of it. */
  get memory(): ArrayBufferLike {
    return this.#images.runtime.arena.memory.buffer;
  }

  /** For leak tests: blocks of the arena in use. */
  get blocks(): number {
    return this.#images.runtime.arena.blocks;
  }

  /** For leak tests: textures in use. */
  get textures(): number {
    return this.#images.runtime.gpu?.textures.lent ?? 0;
  }

  #living(): Trackers {
    if (this.#disposed) throw disposed();
    return this.#trackers;
  }

  async #operation(call: OperationCall, context: Call): Promise<unknown> {
    if (this.#disposed) {
      call.packets.forEach(closePacket);
      throw disposed();
    }
    if (this.#openGpu) void this.#loadGpu(this.#openGpu);
    try {
      return await this.#operations.run(call, context);
    } finally {
      const { backends: sides } = this.capabilities;
      if (sides[call.name]) context.aside = { backends: { [call.name]: sides[call.name]! } };
    }
  }

  #frame(call: FrameCall, context: Call): Promise<unknown> {
    const packet = call.packets[0]!;
    // The memory of its samples is returned with the answer.
    if (packet.kind === 'gray' || packet.kind === 'rgba') context.aside = { spare: packet.data.buffer as ArrayBuffer };
    return this.#trackers.frame(call, context.signal);
  }

  /** For 'auto' with a hardware GPU, the first operation loads the GPU code. Until it has loaded, calls run in WASM. */
  async #loadGpu(open: () => Promise<void>): Promise<void> {
    const { runtime } = this.#images;
    this.#openGpu = null;
    try {
      await open();
      if (this.#disposed) runtime.dispose();
    } catch (error) {
      runtime.preferred = 'wasm';
      const why = error instanceof Error ? error.message : String(error);
      const { backends: sides } = this.capabilities;
      Object.assign(sides, Object.fromEntries(Object.keys(sides).map((name) => [name, { backend: 'wasm', why }])));
    }
  }

  async #dispose(abort: (reason: FoveolaError) => void): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    abort(disposed());
    await this.#trackers.disposeAll();
    this.#images.clear();
    this.#images.runtime.dispose();
  }
}

/** Type of the dispatch table: the requests that a page may send. */
export type EngineHandlers = Host['handlers'];
