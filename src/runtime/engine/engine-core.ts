/**
 * The engine itself, the same in its worker and on the page's own thread: turns packets into planes, runs operations
 * and trackers, keeps order, cancels. It knows capabilities only through their registries.
 */
import { CallQueue } from './call-queue.ts';
import { KeptImages, type ImageUse } from './kept-images.ts';
import { closePacket, ownPacket, packetSize, SpareBuffers, type FramePacket, type ReadablePacket } from './packet.ts';
import type { Capabilities } from '../../results/types.ts';
import {
  operations,
  trackerMethods,
  trackers,
  type AnyTrackerKind,
  type NamedOperation,
  type SourceFormat,
  type Tracker,
} from '../capability.ts';
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
import { Scope, type ScopeOptions } from '../scope.ts';
import { sidesOf, type Side } from '../side.ts';
import { callKey, SideProfile, type SideProfileData } from '../side-profile.ts';
import { drive } from '../stage.ts';
import { Runtime, type InsideModel } from '../runtime.ts';
import type { ThreadStart } from '../wasm/thread-pool.ts';

/** What becomes of a packet; given by whoever puts the engine together, so that this folder stays below the others. */
export type PacketReader = (
  runtime: Runtime,
  packet: ReadablePacket,
  format: SourceFormat,
  options: { side?: 'wasm' },
) => Promise<Plane> | Plane;

/** What the engine is told of sources by whoever puts it together. */
export interface EngineReaders {
  readPacket: PacketReader;
  /** A new plane, gray of color or color of gray. */
  planeAs(runtime: Runtime, plane: Plane, format: 'gray' | 'rgba' | 'color'): Promise<Plane>;
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
/** The side that each operation and tracker takes, and why. */
function sidesByMethod(runtime: Runtime, reason = 'There is no GPU side.'): Capabilities['sides'] {
  const { preferred, gpuForced } = runtime;
  const measured = {
    side: 'measured',
    why: 'The side that was faster on this device for such a call; engine.profile() has the times.',
  } as const;
  const forced = { side: 'gpu', why: "backend: 'gpu'; stages that have no GPU side run in WASM." } as const;
  const wasm = { side: 'wasm', why: reason } as const;
  const all: Record<string, Capabilities['sides'][string]> = {};
  const usual = preferred === 'wasm' ? wasm : gpuForced ? forced : measured;
  for (const { name, sources } of operations.values()) if (sources.length) all[name] = usual;
  for (const [method, { autoWasm }] of trackerMethods)
    all[method] =
      preferred === 'wasm'
        ? wasm
        : gpuForced
          ? forced
          : autoWasm
            ? { side: 'wasm', why: autoWasm }
            : { side: 'gpu', why: 'Its stages take the GPU where they have it.' };
  return all;
}

const disposed = () => new FoveolaError('disposed', 'The engine was disposed of; create a new one.');

export class EngineCore implements EnginePort {
  readonly capabilities: Capabilities;
  readonly #runtime: Runtime;
  readonly #home: EngineHome;
  readonly #scheduler = new Scheduler();
  readonly #calls = new Map<number, AbortController>();
  readonly #trackers = new Map<number, TrackerEntry>();
  readonly #images: KeptImages;
  /** Where the sides are compared: 'auto' on graphics hardware. */
  readonly #profile: SideProfile | null;
  #disposed = false;

  private constructor(runtime: Runtime, home: EngineHome, capabilities: Capabilities, profile?: SideProfileData) {
    this.#runtime = runtime;
    this.#home = home;
    this.#images = new KeptImages((plane, format) =>
      home.planeAs(runtime, plane, format === 'pixels' ? 'gray' : format),
    );
    this.capabilities = capabilities;
    const device = `${capabilities.gpu}, ${runtime.pool.threads} threads`;
    this.#profile = runtime.preferred === 'gpu' && !runtime.gpuForced ? new SideProfile(device, profile) : null;
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
      return new EngineCore(
        runtime,
        home,
        {
          backend: gpu.preferred,
          gpu: gpu.renderer,
          softwareGpu: gpu.software,
          threads: runtime.pool.threads,
          simd: true, // both builds use SIMD; without it they do not compile
          crossOriginIsolated: globalThis.crossOriginIsolated === true,
          worker: home.worker,
          sides: sidesByMethod(runtime, init.backend === 'wasm' ? "backend: 'wasm'." : gpu.reasons[0]),
          reasons: [...init.reasons, ...gpu.reasons, ...exceptions, ...home.reasons()],
        },
        init.profile,
      );
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
    given: Pick<ScopeOptions, 'give' | 'keep' | 'memory' | 'side'>,
    sides: Set<Side>,
    body: (scope: Scope) => Plan<unknown>,
  ): Promise<unknown> {
    const pauses = this.#pauses(signal, true);
    const options = { ...given, pauses, progress, signal, took: (side: Side) => void sides.add(side) };
    const result = await drive(this.#runtime, body, options);
    throwIfAborted(signal); // cancelled after the last pause
    // A list has no place for it: each of what it lists names the side.
    for (const named of Array.isArray(result) ? (result as unknown[]) : [result])
      if (typeof named === 'object' && named && !('side' in named)) Object.assign(named, { side: sidesOf(sides) });
    return result;
  }

  /** The operations before the last, each with a scope of its own; gives the planes that the last one works on. */
  *#chain(
    scope: Scope,
    steps: readonly { readonly name: string; readonly params: object }[],
    planes: readonly Plane[],
    last: NamedOperation,
  ): Plan<readonly Plane[]> {
    let sources = planes;
    const chain = steps.map(({ name, params }) => ({ operation: this.#operation(name), params }));
    for (const [i, { operation, params }] of chain.entries()) {
      const inner = new Scope(this.#runtime, { ...scope.options, give: (plane) => plane });
      let made: Plane;
      try {
        made = scope.own((yield* operation.plan(inner, sources, params)) as Plane);
      } finally {
        inner.dispose();
      }
      for (const source of sources) scope.free(source); // of a step before
      const format = (chain[i + 1]?.operation ?? last).sources[0]!;
      const fits = format === 'pixels' || made.format === (format === 'gray' ? 'u8' : 'rgba8');
      if (!fits) {
        const other = scope.own(
          yield* scope.wait(this.#home.planeAs(this.#runtime, made, format === 'gray' ? 'gray' : 'rgba')),
        );
        scope.free(made);
        made = other;
      }
      sources = [made];
    }
    return sources;
  }

  #operation(name: string): NamedOperation {
    const operation = operations.get(name);
    if (!operation) throw new FoveolaError('internal', `This engine has no operation '${name}'.`);
    return operation;
  }

  #read(packet: FramePacket, use: ImageUse | null, format: SourceFormat, side?: 'wasm'): Promise<Plane> | Plane {
    if (packet.kind !== 'image') return this.#home.readPacket(this.#runtime, packet, format, { side });
    const plane = use!.plane(format);
    return side && (plane instanceof Promise || plane.on === 'gpu')
      ? Promise.resolve(plane).then((there) => there.arena().then(() => there))
      : plane;
  }

  #use(packet: FramePacket): ImageUse | null {
    return packet.kind === 'image' ? this.#images.use(packet.image) : null;
  }

  /** What the sides took so far; null where nothing is compared. */
  async profile(): Promise<SideProfileData | null> {
    return this.#profile?.toJSON() ?? null;
  }

  /** A kept image is wanted no more; calls that have it go on. */
  drop(image: number): void {
    this.#images.drop(image);
  }

  async operation(call: OperationCall, progress?: Progress): Promise<unknown> {
    const { name, params, chain = [], keep = false } = call;
    // In a worker everything is a copy already; here the caller may write to his arrays while the call waits.
    const packets = this.#home.worker ? call.packets : call.packets.map((packet) => ownPacket(packet));
    const data = this.#home.worker ? call.data : structuredClone(call.data);
    let left = packets; // packets that nobody has taken over yet
    const uses: (ImageUse | null)[] = [];
    /** Planes of this call alone; its plan takes them over. */
    let own: Plane[] = [];
    const give = (plane: Plane) => this.#images.keep(plane);
    const spare = new SpareBuffers();
    const given = { ...(keep && { give, keep }), memory: (bytes: number) => spare.take(bytes) };
    try {
      const operation = this.#operation(name);
      const { signal } = this.#begin(call.call);
      // Now, not in its turn: the image may be dropped meanwhile.
      for (const packet of packets) uses.push(this.#use(packet));
      // Without a picture there is nothing to wait for: models are loaded while everything else goes on.
      const sides = new Set<Side>();
      const answer = (planes: readonly Plane[], side?: Side) => {
        const taken = own;
        own = [];
        return this.#plan(signal, progress, { ...given, side }, sides, (scope) => {
          for (const plane of taken) scope.own(plane);
          return this.#last(scope, operation, chain, planes, params, data);
        });
      };
      if (!operation.sources.length) return await answer([]);
      const first = chain[0] ? this.#operation(chain[0].name) : operation;
      const formats = (chain.length ? undefined : operation.formats?.(params)) ?? first.sources;
      const pixels = packets.map(packetSize).reduce((sum, { width, height }) => sum + width * height, 0);
      return await this.#scheduler.operation(pixels, signal, async () => {
        const names = [...chain.map((step) => step.name), name].join('.');
        const place = uses[0]?.on ?? packets[0]!.kind;
        const key = this.#profile && callKey(names, { ...params, ...chain.map((step) => step.params) }, pixels, place);
        const side = key === null ? undefined : this.#profile!.choose(key, place === 'gpu' ? 'gpu' : 'wasm');
        // Where the GPU has its turn, the stages choose as ever.
        const forced = side === 'wasm' ? side : undefined;
        const begun = performance.now();
        const planes: Plane[] = [];
        for (const [i, format] of formats.entries()) {
          const packet = left[0]!;
          left = left.slice(1);
          const plane = await this.#read(packet, uses[i]!, format, forced);
          planes.push(plane);
          if (!uses[i]) own.push(plane);
          // Its samples are on the arena now: the result's may have their place.
          if (packet.kind === 'gray' || packet.kind === 'rgba') spare.give(packet.data.buffer as ArrayBuffer);
        }
        throwIfAborted(signal);
        const result = await answer(planes, forced);
        const { gpu } = this.#runtime;
        // A picture that stays on the GPU is only under way: its time is that of its end.
        if (key !== null && keep && sides.has('gpu')) await gpu?.fence().catch(none);
        if (key !== null && !gpu?.lost) this.#profile!.told(key, side!, performance.now() - begun, sides.has('gpu'));
        return result;
      });
    } catch (error) {
      throw asFoveolaError(error, name);
    } finally {
      left.forEach(closePacket);
      for (const plane of own) plane.dispose();
      for (const use of uses) use?.done();
      this.#calls.delete(call.call);
    }
  }

  *#last(
    scope: Scope,
    operation: NamedOperation,
    chain: NonNullable<OperationCall['chain']>,
    planes: readonly Plane[],
    params: object,
    data: readonly unknown[],
  ): Plan<unknown> {
    const sources = chain.length ? yield* this.#chain(scope, chain, planes, operation) : planes;
    return yield* operation.plan(scope, sources, params, ...data);
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
    let use: ImageUse | null = null;
    try {
      entry = this.#entry(id);
      use = this.#use(packet);
      const { kind, abort } = entry;
      const { signal } = this.#begin(call);
      const read = () => {
        const own = frame!;
        frame = null;
        plane = (async () => this.#read(own, use, kind.sources, kind.gpu ? undefined : 'wasm'))();
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
      if (use) (use as ImageUse).done();
      else (plane as Promise<Plane> | null)?.then((image) => image.dispose(), none);
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
    this.#images.clear();
    this.#runtime.dispose();
  }
}
