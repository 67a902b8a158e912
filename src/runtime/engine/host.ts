/**
 * The engine itself, the same in its worker and on the page's own thread: the dispatch table of what it answers. It knows
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
  /** Loads the GPU half; null once that was begun, and where there is none to load. */
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
    /** What the backends took so far; null where nothing is compared. */
    profile: (_: null) => this.#operations.profile(),
    /** A kept image is wanted no more; calls that have it go on. */
    drop: (image: number) => this.#images.drop(image),
    /** `abort` ends what is under way. */
    dispose: (_: null, { abort }: Call) => this.#dispose(abort),
  };

  private constructor(images: Images, capabilities: Capabilities, init: EngineInit, open?: () => Promise<void>) {
    const queue = new Queue();
    this.capabilities = capabilities;
    this.#images = images;
    this.#openGpu = open ?? null;
    this.#operations = new Operations(images, queue, init.profile, capabilities.sides);
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

  /** The linear memory's buffer: results must not be views of it. */
  get memory(): ArrayBufferLike {
    return this.#images.runtime.arena.memory.buffer;
  }

  /** For tests of leaks: blocks of the arena in use. */
  get blocks(): number {
    return this.#images.runtime.arena.blocks;
  }

  /** The same of textures that are lent. */
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
      const { sides } = this.capabilities;
      if (sides[call.name]) context.aside = { sides: { [call.name]: sides[call.name]! } };
    }
  }

  #frame(call: FrameCall, context: Call): Promise<unknown> {
    const packet = call.packets[0]!;
    // The memory of its samples goes back with the answer.
    if (packet.kind === 'gray' || packet.kind === 'rgba') context.aside = { spare: packet.data.buffer as ArrayBuffer };
    return this.#trackers.frame(call, context.signal);
  }

  /** The first operation under 'auto' on graphics hardware brings the GPU half; until it is there, calls run in WASM. */
  async #loadGpu(open: () => Promise<void>): Promise<void> {
    const { runtime } = this.#images;
    this.#openGpu = null;
    try {
      await open();
      if (this.#disposed) runtime.dispose();
    } catch (error) {
      runtime.preferred = 'wasm';
      const why = error instanceof Error ? error.message : String(error);
      const { sides } = this.capabilities;
      Object.assign(sides, Object.fromEntries(Object.keys(sides).map((name) => [name, { side: 'wasm', why }])));
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

/** The dispatch table's type: what a page may ask for. */
export type EngineHandlers = Host['handlers'];
