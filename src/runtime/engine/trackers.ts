/** The trackers of an engine. Each has a queue, so that frames and methods run in the order of their calls. */
import { trackers, type AnyTrackerKind, type CallContext, type Tracker } from '../capability.ts';
import { asFoveolaError, FoveolaError } from '../error.ts';
import type { Plane } from '../plane.ts';
import type { Images, ImageUse } from './images.ts';
import {
  closePacket,
  ownPacket,
  snapshot,
  type CheckedParameters,
  type FrameCall,
  type FramePacket,
  type TrackerCall,
} from './protocol.ts';
import { throwIfAborted, TrackerQueue, type Queue } from './queue.ts';

interface TrackerEntry {
  readonly kind: AnyTrackerKind;
  readonly coming: Promise<Tracker>;
  readonly line: TrackerQueue;
  /** Set when it has been created. */
  tracker: Tracker | null;
  /** Frames in the queue. */
  frames: number;
  /** Whether it was disposed. */
  over: boolean;
}

/**
 * Number of frames whose planes are made ahead of their turn. The asynchronous read of a video frame then overlaps with
 * other work.
 */
const READ_AHEAD = 2;

/**
 * Samples that only this thread owns wait for their turn, because freshly copied data is still in the processor's
 * cache.
 */
const canWait = ({ kind }: FramePacket, worker: boolean): boolean => worker && (kind === 'gray' || kind === 'rgba');

const none = () => {};
const gone = () => new FoveolaError('disposed', 'The tracker was disposed of. Create a new one.');

function ownMethod({ kind, tracker }: TrackerEntry, name: string): (...args: unknown[]) => unknown {
  const own = tracker!.methods?.[name] as ((...args: unknown[]) => unknown) | undefined;
  if (!own) throw new FoveolaError('internal', `The ${kind.name} tracker has no method '${name}'.`);
  return own;
}

export class Trackers {
  readonly #images: Images;
  readonly #queue: Queue;
  readonly #trackers = new Map<number, TrackerEntry>();

  constructor(images: Images, queue: Queue) {
    this.#images = images;
    this.#queue = queue;
  }

  /** Runs once. A call that waited for an engine restart finds that the tracker was restored with it. */
  async create(id: number, name: string, params: CheckedParameters): Promise<void> {
    const kind = trackers.get(name);
    if (!kind) throw new FoveolaError('internal', `This engine has no tracker '${name}'.`);
    let entry = this.#trackers.get(id);
    if (!entry) {
      const coming = (async () => kind.create(this.#images.runtime, params))();
      const made = { kind, coming, line: new TrackerQueue(coming), tracker: null, frames: 0, over: false };
      coming.then((tracker) => Object.assign(made, { tracker }), none); // every later call reports it
      this.#trackers.set(id, (entry = made));
    }
    try {
      await entry.coming;
    } catch (error) {
      throw asFoveolaError(error, `${name} tracker`);
    }
  }

  #entry(id: number): TrackerEntry {
    const entry = this.#trackers.get(id);
    if (!entry) throw gone();
    return entry;
  }

  /** Arguments as they are now. In a worker they are already copies. */
  #own<T>(given: T): T {
    return this.#images.home.worker ? given : snapshot(given);
  }

  /** The answer to a frame, in its turn. */
  async frame({ packets, ...given }: FrameCall, signal: AbortSignal): Promise<unknown> {
    const call = { ...given, method: given.method && this.#own(given.method) };
    const packet = packets[0]!;
    let entry: TrackerEntry;
    let picture: Picture;
    try {
      entry = this.#entry(call.tracker);
      picture = new Picture(this.#images, packet, entry.kind);
    } catch (error) {
      closePacket(packet);
      throw error;
    }
    try {
      const { worker } = this.#images.home;
      if (entry.frames++ < READ_AHEAD && !canWait(packet, worker))
        picture.read().catch(none); // reported below
      else if (!worker) picture.own(); // the caller may write to the array after the call
      const depth = () => entry.tracker?.depth ?? 1;
      const result = await this.#queue.frame(entry.line, depth, async (slot) => {
        await entry.coming; // throws if the tracker could not be created
        if (entry.over) throw gone();
        throwIfAborted(signal);
        const plane = await picture.read();
        throwIfAborted(signal);
        const context = { ...slot, pauses: this.#queue.pauses(signal, false) };
        return answerOf(entry, call, plane, context);
      });
      if (call.dropped && typeof result === 'object' && result && 'dropped' in result)
        result.dropped = Number(result.dropped) + call.dropped;
      return result;
    } catch (error) {
      throw asFoveolaError(error, call.method?.name ?? 'process');
    } finally {
      entry.frames--;
      picture.end();
    }
  }

  async call({ tracker: id, method, ...given }: TrackerCall): Promise<unknown> {
    const entry = this.#entry(id);
    try {
      const data = this.#own(given.data);
      return await entry.line.call(async () => {
        const tracker = await entry.coming;
        if (method === 'reset') return tracker.reset();
        if (method === 'setParameters') return tracker.setParameters(data[0] as Record<string, unknown>);
        return ownMethod(entry, method)(...data);
      });
    } catch (error) {
      throw asFoveolaError(error, method);
    }
  }

  /** Waiting calls reject with 'disposed'. */
  async dispose(id: number): Promise<void> {
    const entry = this.#trackers.get(id);
    if (!entry) return;
    this.#trackers.delete(id);
    entry.over = true;
    await entry.line.call(async () => (await entry.coming).dispose()).catch(none);
  }

  async disposeAll(): Promise<void> {
    await Promise.all([...this.#trackers.keys()].map((id) => this.dispose(id)));
  }
}

/** A special method that receives a frame runs alone. */
async function answerOf(
  entry: TrackerEntry,
  { method, timestamp }: Omit<FrameCall, 'packets'>,
  plane: Plane,
  context: CallContext,
): Promise<unknown> {
  if (!method) return entry.tracker!.process(plane, timestamp, context);
  await context.before;
  return ownMethod(entry, method.name)(plane, timestamp, ...method.data);
}

/** The packet of a frame, and the plane made from it once. */
class Picture {
  readonly #images: Images;
  readonly #kind: AnyTrackerKind;
  readonly #use: ImageUse | null;
  /** Null after it has been read. */
  #packet: FramePacket | null;
  #plane: Promise<Plane> | null = null;

  constructor(images: Images, packet: FramePacket, kind: AnyTrackerKind) {
    this.#images = images;
    this.#kind = kind;
    this.#packet = packet;
    this.#use = images.used(packet);
  }

  own(): void {
    this.#packet = ownPacket(this.#packet!);
  }

  read(): Promise<Plane> {
    if (this.#plane) return this.#plane;
    const packet = this.#packet!;
    const { gpu, sources } = this.#kind;
    this.#packet = null;
    return (this.#plane = (async () =>
      this.#images.read(packet, this.#use, sources, gpu ? {} : { backend: 'wasm' }))());
  }

  end(): void {
    if (this.#packet) closePacket(this.#packet);
    if (this.#use) this.#use.done();
    else this.#plane?.then((plane) => plane.dispose(), none);
  }
}
