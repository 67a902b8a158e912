/**
 * The engine itself, the same in its worker and on the page's own thread: turns packets into planes, runs operations
 * and trackers, keeps order, cancels. It knows capabilities only through their registries.
 */
import { CallQueue } from './call-queue.ts';
import { closePacket, ownPacket, packetSize, type FramePacket } from './packet.ts';
import type { Capabilities } from '../../results/types.ts';
import { operations, trackers, type AnyTrackerKind, type Tracker, type SourceFormat } from '../capability.ts';
import { asFoveolaError, FoveolaError } from '../error.ts';
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
import { Scheduler, throwIfAborted } from './engine-scheduler.ts';
import type { Pauses } from '../driver.ts';
import type { Plane } from '../plane.ts';
import type { Plan } from '../wasm/kernel-step.ts';
import type { Scope } from '../scope.ts';
import { sidesOf, type Side } from '../side.ts';
import { drive } from '../stage.ts';
import { Runtime, type InsideModel } from '../runtime.ts';
import type { ThreadStart } from '../wasm/thread-pool.ts';

/** What becomes of a packet; given by whoever puts the engine together, so that this folder stays below the others. */
export type PacketReader = (
  runtime: Runtime,
  packet: FramePacket,
  format: SourceFormat,
  options: { side?: 'wasm' },
) => Promise<Plane> | Plane;

/** What the engine is told of sources by whoever puts it together. */
export interface EngineReaders {
  readPacket: PacketReader;
  /** What is wrong with reading sources here, for `capabilities.reasons`. */
  reasons(): string[];
}

export interface EngineHome extends EngineReaders {
  worker: boolean;
  insideModel?: InsideModel;
  /** Where Atomics.wait is allowed: starts a helper thread. */
  spawn?: (start: ThreadStart) => Promise<{ terminate(): unknown }>;
}

interface TrackerEntry {
  kind: AnyTrackerKind;
  tracker: Promise<Tracker>;
  queue: CallQueue;
  /** Frames in the queue. */
  frames: number;
  abort: AbortController;
}

/** Frames whose planes are made ahead of their turn: reading a video frame takes a wait that costs nothing then. */
const READ_AHEAD = 2;

const none = () => {};

function ownMethod({ kind }: TrackerEntry, tracker: Tracker, name: string): (...args: unknown[]) => unknown {
  const own = tracker.methods?.[name] as ((...args: unknown[]) => unknown) | undefined;
  if (!own) throw new FoveolaError('internal', `The ${kind.name} tracker has no method '${name}'.`);
  return own;
}
const disposed = () => new FoveolaError('disposed', 'The engine was disposed of; create a new one.');

export class EngineCore implements EnginePort {
  readonly capabilities: Capabilities;
  readonly #runtime: Runtime;
  readonly #home: EngineHome;
  readonly #scheduler = new Scheduler();
  readonly #calls = new Map<number, AbortController>();
  readonly #trackers = new Map<number, TrackerEntry>();
  #disposed = false;

  private constructor(runtime: Runtime, home: EngineHome, capabilities: Capabilities) {
    this.#runtime = runtime;
    this.#home = home;
    this.capabilities = capabilities;
  }

  static async create(init: EngineInit, home: EngineHome): Promise<EngineCore> {
    const { module, threads, maximum, places } = init;
    const runtime = await Runtime.create({
      module,
      threads,
      maximum,
      places,
      spawn: home.spawn,
      insideModel: home.insideModel,
    });
    try {
      const gpu = await openGpu(runtime, init.backend);
      const kept = runtime.preferred === 'gpu' && !runtime.gpuForced;
      const exceptions = kept ? [...trackers.values()].flatMap(({ autoWasm }) => autoWasm ?? []) : [];
      return new EngineCore(runtime, home, {
        backend: gpu.preferred,
        gpu: gpu.renderer,
        softwareGpu: gpu.software,
        threads: runtime.pool.threads,
        simd: true, // both builds use SIMD; without it they do not compile
        crossOriginIsolated: globalThis.crossOriginIsolated === true,
        worker: home.worker,
        reasons: [...init.reasons, ...gpu.reasons, ...exceptions, ...home.reasons()],
      });
    } catch (error) {
      runtime.dispose();
      throw error;
    }
  }

  /** The linear memory's buffer: results must not be views of it. */
  get memory(): ArrayBufferLike {
    return this.#runtime.arena.memory.buffer;
  }

  /** For tests of leaks: blocks of the arena in use. */
  get blocks(): number {
    return this.#runtime.arena.blocks;
  }

  #begin(call: number): AbortController {
    if (this.#disposed) throw disposed();
    const controller = new AbortController();
    this.#calls.set(call, controller);
    return controller;
  }

  #pauses(signal: AbortSignal, framesFirst: boolean): Pauses {
    return { pause: this.#scheduler.slicer(signal, framesFirst) };
  }

  /** Drives the plan of an operation; its result says which sides the stages ran on. */
  async #plan(
    signal: AbortSignal,
    progress: Progress | undefined,
    body: (scope: Scope) => Plan<unknown>,
  ): Promise<unknown> {
    const sides = new Set<Side>();
    const pauses = this.#pauses(signal, true);
    const options = { pauses, progress, signal, took: (side: Side) => void sides.add(side) };
    const result = await drive(this.#runtime, body, options);
    throwIfAborted(signal); // cancelled after the last pause
    // A list has no place for it: each of what it lists names the side.
    for (const named of Array.isArray(result) ? (result as unknown[]) : [result])
      if (typeof named === 'object' && named && !('side' in named)) Object.assign(named, { side: sidesOf(sides) });
    return result;
  }

  #read(packet: FramePacket, format: SourceFormat, side?: 'wasm'): Promise<Plane> | Plane {
    return this.#home.readPacket(this.#runtime, packet, format, { side });
  }

  async operation(call: OperationCall, progress?: Progress): Promise<unknown> {
    const { name, params } = call;
    // In a worker everything is a copy already; here the caller may write to his arrays while the call waits.
    const packets = this.#home.worker ? call.packets : call.packets.map((packet) => ownPacket(packet));
    const data = this.#home.worker ? call.data : structuredClone(call.data);
    const planes: Plane[] = [];
    let left = packets; // packets that nobody has taken over yet
    try {
      const operation = operations.get(name);
      if (!operation) throw new FoveolaError('internal', `This engine has no operation '${name}'.`);
      const { signal } = this.#begin(call.call);
      // Without a picture there is nothing to wait for: models are loaded while everything else goes on.
      const answer = (planes: readonly Plane[]) =>
        this.#plan(signal, progress, (scope) => operation.plan(scope, planes, params, ...data));
      if (!operation.sources.length) return await answer([]);
      const pixels = packets.map(packetSize).reduce((sum, { width, height }) => sum + width * height, 0);
      return await this.#scheduler.operation(pixels, signal, async () => {
        for (const format of operation.sources) {
          const packet = left[0]!;
          left = left.slice(1);
          planes.push(await this.#read(packet, format));
        }
        throwIfAborted(signal);
        return answer(planes);
      });
    } catch (error) {
      throw asFoveolaError(error, name);
    } finally {
      left.forEach(closePacket);
      for (const plane of planes) plane.dispose();
      this.#calls.delete(call.call);
    }
  }

  async createTracker(id: number, name: string, params: CheckedParameters): Promise<void> {
    if (this.#disposed) throw disposed();
    const kind = trackers.get(name);
    if (!kind) throw new FoveolaError('internal', `This engine has no tracker '${name}'.`);
    const tracker = (async () => kind.create(this.#runtime, params))();
    tracker.catch(none); // every later call reports it
    this.#trackers.set(id, { kind, tracker, queue: new CallQueue(tracker), frames: 0, abort: new AbortController() });
    try {
      await tracker;
    } catch (error) {
      throw asFoveolaError(error, `${name} tracker`);
    }
  }

  #entry(id: number): TrackerEntry {
    if (this.#disposed) throw disposed();
    const entry = this.#trackers.get(id);
    if (!entry) throw new FoveolaError('disposed', 'The tracker was disposed of; create a new one.');
    return entry;
  }

  async process({ tracker: id, turn, call, packet, timestamp, dropped, method }: ProcessCall): Promise<unknown> {
    let frame: FramePacket | null = packet;
    let entry: TrackerEntry | null = null;
    let plane: Promise<Plane> | null = null;
    try {
      entry = this.#entry(id);
      const { kind, abort } = entry;
      const { signal } = this.#begin(call);
      const read = () => {
        const own = frame!;
        frame = null;
        plane = (async () => this.#read(own, kind.sources, kind.gpu ? undefined : 'wasm'))();
        plane.catch(none);
      };
      if (entry.frames++ < READ_AHEAD) read();
      else if (!this.#home.worker) frame = ownPacket(packet); // the caller may write to his array after the call
      return await this.#scheduler.frame(async () => {
        const { answer } = await entry!.queue.run(turn, async () => {
          const tracker = await entry!.tracker;
          throwIfAborted(abort.signal);
          throwIfAborted(signal);
          if (!plane) read();
          const image = await plane!;
          throwIfAborted(signal);
          const answer = Promise.resolve(
            method
              ? ownMethod(entry!, tracker, method.name)(image, timestamp, ...method.data)
              : tracker.process(image, timestamp, { pauses: this.#pauses(signal, false) }),
          );
          answer.catch(none); // reported below
          await (tracker.ready ? tracker.ready() : answer);
          return { answer };
        });
        const result = await answer;
        if (dropped && typeof result === 'object' && result && 'dropped' in result)
          result.dropped = Number(result.dropped) + dropped;
        return result;
      });
    } catch (error) {
      throw asFoveolaError(error, method?.name ?? 'process');
    } finally {
      if (entry) entry.frames--;
      entry?.queue.skip(turn); // where it was not to be begun
      if (frame) closePacket(frame);
      (plane as Promise<Plane> | null)?.then((image) => image.dispose(), none);
      this.#calls.delete(call);
    }
  }

  async trackerCall({ tracker: id, turn, method, data }: TrackerCall): Promise<unknown> {
    if (method === 'dispose') return this.#disposeTracker(id);
    const entry = this.#entry(id);
    try {
      return await entry.queue.run(turn, async () => {
        const tracker = await entry.tracker;
        if (method === 'reset') return tracker.reset();
        if (method === 'setParameters') return tracker.setParameters(data[0] as Record<string, unknown>);
        return ownMethod(entry, tracker, method)(...data);
      });
    } catch (error) {
      throw asFoveolaError(error, method);
    }
  }

  async #disposeTracker(id: number): Promise<void> {
    const entry = this.#trackers.get(id);
    if (!entry) return;
    this.#trackers.delete(id);
    entry.abort.abort(new FoveolaError('disposed', 'The tracker was disposed of; create a new one.'));
    entry.queue.close();
    await entry.queue.run(0, async () => (await entry.tracker).dispose()).catch(none);
  }

  skip(id: number, turn: number): void {
    this.#trackers.get(id)?.queue.skip(turn);
  }

  abort(call: number): void {
    this.#calls.get(call)?.abort();
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const controller of this.#calls.values()) controller.abort(disposed());
    await Promise.all([...this.#trackers.keys()].map((id) => this.#disposeTracker(id)));
    this.#runtime.dispose();
  }
}
