/** The trackers of an engine: each with its queue, so that frames and methods come in the order of their calls. */
import { trackers, type AnyTrackerKind, type Tracker } from '../capability.ts';
import { asFoveolaError, FoveolaError } from '../error.ts';
import type { Plane } from '../plane.ts';
import { CallQueue } from './call-queue.ts';
import { disposed, type EngineContext } from './engine-context.ts';
import type { CheckedParameters, ProcessCall, TrackerCall } from './engine-protocol.ts';
import { throwIfAborted } from './engine-scheduler.ts';
import type { ImageUse } from './kept-images.ts';
import { closePacket, ownPacket, snapshot, type FramePacket } from './packet.ts';

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

/** Samples that are this thread's alone wait for their turn: what was copied just before is still in the processor's cache. */
const canWait = ({ kind }: FramePacket, worker: boolean): boolean => worker && (kind === 'gray' || kind === 'rgba');

const none = () => {};

function ownMethod({ kind }: TrackerEntry, tracker: Tracker, name: string): (...args: unknown[]) => unknown {
  const own = tracker.methods?.[name] as ((...args: unknown[]) => unknown) | undefined;
  if (!own) throw new FoveolaError('internal', `The ${kind.name} tracker has no method '${name}'.`);
  return own;
}

export class TrackerCalls {
  readonly #context: EngineContext;
  readonly #trackers = new Map<number, TrackerEntry>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async create(id: number, name: string, params: CheckedParameters, turn?: number): Promise<void> {
    if (this.#context.disposed) throw disposed();
    const kind = trackers.get(name);
    if (!kind) throw new FoveolaError('internal', `This engine has no tracker '${name}'.`);
    const tracker = (async () => kind.create(this.#context.runtime, params))();
    tracker.catch(none); // every later call reports it
    const queue = new CallQueue(tracker, turn);
    this.#trackers.set(id, { kind, tracker, queue, frames: 0, abort: new AbortController() });
    try {
      await tracker;
    } catch (error) {
      throw asFoveolaError(error, `${name} tracker`);
    }
  }

  #entry(id: number): TrackerEntry {
    if (this.#context.disposed) throw disposed();
    const entry = this.#trackers.get(id);
    if (!entry) throw new FoveolaError('disposed', 'The tracker was disposed of; create a new one.');
    return entry;
  }

  /** Arguments as they are now: in a worker they are copies already. */
  #own<T>(given: T): T {
    return this.#context.home.worker ? given : snapshot(given);
  }

  async process({ tracker: id, turn, call, packet, timestamp, dropped, ...given }: ProcessCall): Promise<unknown> {
    const method = given.method && this.#own(given.method);
    let frame: FramePacket | null = packet;
    let entry: TrackerEntry | null = null;
    let plane: Promise<Plane> | null = null;
    let use: ImageUse | null = null;
    try {
      entry = this.#entry(id);
      use = this.#context.use(packet);
      const { kind, abort } = entry;
      const signal = this.#context.begin(call);
      const read = () => {
        const own = frame!;
        frame = null;
        plane = (async () => this.#context.read(own, use, kind.sources, kind.gpu ? {} : { side: 'wasm' }))();
        plane.catch(none);
      };
      const { worker } = this.#context.home;
      if (entry.frames++ < READ_AHEAD && !canWait(packet, worker)) read();
      else if (!worker) frame = ownPacket(packet); // the caller may write to his array after the call
      return await this.#context.scheduler.frame(async () => {
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
              : tracker.process(image, timestamp, { pauses: this.#context.pauses(signal, false) }),
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
      this.#context.end(call);
    }
  }

  async trackerCall({ tracker: id, turn, method, ...given }: TrackerCall): Promise<unknown> {
    if (method === 'dispose') return this.#disposeTracker(id);
    const entry = this.#entry(id);
    try {
      const data = this.#own(given.data);
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

  async disposeAll(): Promise<void> {
    await Promise.all([...this.#trackers.keys()].map((id) => this.#disposeTracker(id)));
  }
}
