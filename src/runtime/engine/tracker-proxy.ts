/**
 * A tracker as the page sees it. It exists immediately and sends its calls in the order in which they were made, even
 * if one source takes longer to read than the next.
 */
import type { Source } from '../../results/types.ts';
import type { AnyTrackerKind, ModelRequest } from '../capability.ts';
import { asFoveolaError, FoveolaError, reading } from '../error.ts';
import type { Connection, Revivable } from './connection.ts';
import { checkFlag, readOptions, splitOptions, throwIfCancelled, type TransferOption } from './options.ts';
import { closePacket, snapshot, type CheckedParameters } from './protocol.ts';
import { takeSources } from './sources.ts';

export interface ProcessOptions extends TransferOption {
  /** Milliseconds. Default: timestamp of the frame or video, or the time of the call if there is none. */
  timestamp?: number;
  /** Frames skipped before this one, added to the result's `dropped`. */
  dropped?: number;
  signal?: AbortSignal;
}

/** The methods that every tracker has. `process` calls may overlap and resolve in order. */
export interface TrackerHandle<Result, Parameters extends object> {
  process(source: Source, options?: ProcessOptions): Promise<Result>;
  /** Forgets everything about the frames so far. */
  reset(): Promise<void>;
  /** Changes some parameters, starting with the next frame. */
  setParameters(parameters: Partial<Parameters>): Promise<void>;
  /** Idempotent. Later calls reject with 'disposed'. */
  dispose(): Promise<void>;
}

const gone = () => new FoveolaError('disposed', 'The tracker was disposed of. Create a new one.');

/** Interval at which the learned state is saved, ms. */
const TAKE_EVERY = 3000;

/** A call that is repeated for a tracker after a restart. */
interface Message {
  readonly method: string;
  readonly data: unknown[];
}

export class TrackerProxy implements Revivable {
  /** Resolves when the engine has created it. */
  readonly created: Promise<void>;
  readonly #connection: Connection;
  readonly #id: number;
  readonly #kind: AnyTrackerKind;
  readonly #params: CheckedParameters;
  /** The last call that waits to be sent. */
  #unsent: Promise<unknown> | null = null;
  /** The messages sent since its creation that are repeated after a restart: parameters, models. */
  readonly #sent = new Map<string, Message>();
  /** Its state was lost with the worker. Its next result reports this. */
  #restarted = false;
  /** When the learned state was last saved. */
  #taken = -Infinity;
  #disposed = false;
  /** The model that is loading. */
  #loading: AbortController | null = null;

  constructor(connection: Connection, kind: AnyTrackerKind, params: CheckedParameters) {
    this.#connection = connection;
    this.#id = connection.nextTracker();
    this.#kind = kind;
    this.#params = params;
    connection.trackers.add(this);
    this.created = this.#create();
    // Every later call of this tracker reports a failure.
    this.created.catch(() => {});
    for (const name of kind.methods ?? []) this.#method(name, (...data) => this.#call(name, data));
    for (const [name, models] of Object.entries(kind.modelMethods ?? {}))
      this.#method(name, (source, options) => this.#load(name, models, source, options));
    for (const name of kind.frameMethods ?? [])
      this.#method(name, async (source, ...data) => {
        const answer = await this.#frame(source as Source, {}, { name, data });
        this.#changed('reset', []); // the object starts again
        return answer;
      });
  }

  #method(name: string, value: (...args: unknown[]) => Promise<unknown>): void {
    Object.defineProperty(this, name, { value });
  }

  #create(): Promise<void> {
    const call = { tracker: this.#id, kind: this.#kind.name, params: this.#params };
    return this.#connection.request('createTracker', call);
  }

  /** Creates the tracker again in another worker, from its parameters. */
  revive(): void {
    this.#create().catch(() => {}); // every later call reports it
    for (const { method, data } of this.#sent.values())
      this.#connection.request('tracker', { tracker: this.#id, method, data }).catch(() => {});
    this.#restarted = true;
  }

  #check(): void {
    this.#connection.check();
    if (this.#disposed) throw gone();
  }

  /**
   * Sends a call in its turn: immediately, unless it waits for its inputs (`ready`) or for an earlier call. `send`
   * receives the inputs. A call that waits makes copies.
   */
  async #inTurn<T, R>(ready: Promise<T> | null, now: T | null, send: (taken: T) => Promise<R>): Promise<R> {
    if (!ready) return send(now!);
    const sent = Promise.allSettled([ready, this.#unsent]).then(([taken]) => {
      if (this.#unsent === sent) this.#unsent = null;
      if (taken.status === 'rejected') throw taken.reason;
      return { answer: send(taken.value) }; // is not waited for
    });
    this.#unsent = sent;
    return (await sent).answer;
  }

  /** The result for this frame. Calls may overlap and resolve in order. */
  process(source: Source, options: ProcessOptions = {}): Promise<unknown> {
    return this.#frame(source, options);
  }

  async #frame(source: Source, options: ProcessOptions, method?: { name: string; data: unknown[] }): Promise<unknown> {
    this.#check();
    const { timestamp, dropped = 0, signal, transfer } = checkedOptions(options ?? {});
    const time = timestamp ?? reading('The source', () => timeOf(source));
    try {
      const taken = takeSources(this.#connection, [source], { signal, transfer, waits: this.#unsent !== null });
      const late = taken.now ? null : taken.late(() => method && snapshot(method));
      const now = taken.now && ([taken.now, method] as const);
      try {
        const result = await this.#inTurn(late, now, async ([packets, own]) => {
          const call = { tracker: this.#id, packets: [...packets], timestamp: time, dropped, method: own };
          if (this.#disposed) {
            packets.forEach(closePacket);
            throw gone();
          }
          return this.#connection.request('frame', call, signal);
        });
        if (!method) this.#take(result);
        return method ? result : this.#mark(result);
      } finally {
        taken.done();
      }
    } catch (error) {
      throw asFoveolaError(error, method?.name ?? 'process');
    }
  }

  /** Marks the first result after a restart, because the tracker's state is lost. */
  #mark(result: unknown): unknown {
    if (!this.#restarted || typeof result !== 'object' || result === null) return result;
    this.#restarted = false;
    return Object.assign(result, { restarted: true });
  }

  /** Saves the learned state regularly, after a frame, so that it survives the loss of the worker. */
  #take(result: unknown): void {
    const { memory } = this.#kind;
    const now = performance.now();
    if (!memory || !this.#connection.mortal || now - this.#taken < TAKE_EVERY) return;
    this.#taken = now;
    for (const id of memory.of(result))
      this.#call(memory.take, [id]).then(
        (learned) => this.#sent.set(`${memory.give} ${id}`, { method: memory.give, data: [learned, id] }),
        () => {}, // no longer available
      );
  }

  /** Saves again after a call that changes what is tracked. An object that is no longer tracked is not restored. */
  #changed(method: string, data: readonly unknown[]): void {
    const { memory } = this.#kind;
    if (!memory || method === memory.take) return;
    this.#taken = -Infinity;
    if (method === memory.drop) this.#sent.delete(`${memory.give} ${String(data[0])}`);
    if (method === 'reset')
      for (const key of [...this.#sent.keys()]) if (key.startsWith(memory.give)) this.#sent.delete(key);
  }

  async #call(method: string, data: unknown[]): Promise<unknown> {
    this.#check();
    const call = { tracker: this.#id, method, data };
    const later = this.#unsent && Promise.resolve(snapshot(call));
    const answer = await this.#inTurn(later, call, (given) => this.#connection.request('tracker', given));
    this.#changed(method, data);
    return answer;
  }

  /** Repeats a call if the worker crashed before it arrived. Only for calls that may safely run twice. */
  #surely(method: string, data: unknown[]): Promise<unknown> {
    return this.#call(method, data).catch((error: FoveolaError) => {
      if (error.code !== 'worker-lost') throw error;
      return this.#call(method, data);
    });
  }

  /**
   * Loads the model first while frames continue. The tracker receives the model when it has loaded. The last call wins.
   */
  async #load(
    name: string,
    models: (source: unknown) => readonly ModelRequest[],
    given: unknown,
    options: unknown,
  ): Promise<void> {
    this.#check();
    const { signal, onProgress } = splitOptions(options, name);
    throwIfCancelled(signal);
    const source = reading(name, () => (given instanceof URL ? given.href : given));
    const requests = reading(name, () => models(source));
    this.#loading?.abort();
    const loading = (this.#loading = new AbortController());
    const cancel = () => loading.abort(signal!.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      await this.#connection.load(requests, { signal: loading.signal, onProgress });
    } catch (error) {
      if (this.#disposed) throw gone();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      if (this.#loading === loading) this.#loading = null;
    }
    await this.#surely(name, [source]);
    this.#sent.set(name, { method: name, data: [source] });
  }

  /** Forgets everything about the frames so far. */
  async reset(): Promise<void> {
    await this.#surely('reset', []);
  }

  /** Changes some parameters, starting with the next frame. */
  async setParameters(given: Record<string, unknown>): Promise<void> {
    this.#check();
    const params = snapshot(readOptions(given, 'setParameters'));
    await this.#surely('setParameters', [params]);
    const before = this.#sent.get('setParameters')?.data[0] as object | undefined;
    this.#sent.set('setParameters', { method: 'setParameters', data: [{ ...before, ...params }] });
  }

  /** Ends the tracker. Idempotent. Waiting calls reject with 'disposed'. */
  async dispose(): Promise<void> {
    if (this.#disposed || this.#connection.disposed) return;
    this.#disposed = true;
    this.#connection.trackers.delete(this);
    this.#loading?.abort();
    await this.#connection.request('disposeTracker', this.#id);
  }
}

function checkedOptions(given: ProcessOptions): ProcessOptions {
  const options = readOptions(given, 'process') as ProcessOptions;
  const { timestamp, dropped, signal, transfer } = options;
  if (timestamp !== undefined && !Number.isFinite(timestamp))
    throw new FoveolaError('invalid-argument', 'process: timestamp must be a finite number of milliseconds.');
  if (dropped !== undefined && !(Number.isInteger(dropped) && dropped >= 0))
    throw new FoveolaError('invalid-argument', 'process: dropped must be a whole number of frames.');
  checkFlag('process', 'transfer', transfer);
  throwIfCancelled(signal);
  return options;
}

function timeOf(source: Source): number {
  if (typeof VideoFrame !== 'undefined' && source instanceof VideoFrame) return source.timestamp / 1000;
  if (typeof HTMLVideoElement !== 'undefined' && source instanceof HTMLVideoElement) return source.currentTime * 1000;
  return performance.now();
}
