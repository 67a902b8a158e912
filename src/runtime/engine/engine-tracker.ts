/**
 * A tracker as the page sees it. It exists at once and numbers its calls: the engine runs them in the order in which they
 * were made, even when one source takes longer to read than the next.
 */
import { closePacket, snapshot } from './packet.ts';
import type { Source } from '../../results/types.ts';
import type { ModelRequest, AnyTrackerKind } from '../capability.ts';
import type { CheckedParameters } from './engine-protocol.ts';
import { takeSources } from './engine-image.ts';
import { checkFlag, readOptions, splitOptions, throwIfCancelled, type TransferOption } from './call-options.ts';
import type { EngineCalls, Revivable } from './engine-calls.ts';
import { asFoveolaError, FoveolaError, reading } from '../error.ts';

export interface ProcessOptions extends TransferOption {
  /** Milliseconds; default: that of the frame or video, else the time of the call. */
  timestamp?: number;
  /** Frames that were left out before this one; added to the result's `dropped`. */
  dropped?: number;
  signal?: AbortSignal;
}

const gone = () => new FoveolaError('disposed', 'The tracker was disposed of; create a new one.');

/** Milliseconds after which what was learned is taken again. */
const TAKE_EVERY = 3000;

/** A call that is made again for a tracker that comes back. */
interface Message {
  readonly method: string;
  readonly data: unknown[];
}

export class TrackerProxy implements Revivable {
  /** Resolves when the engine has made it. */
  readonly created: Promise<void>;
  readonly #calls: EngineCalls;
  readonly #id: number;
  readonly #kind: AnyTrackerKind;
  readonly #params: CheckedParameters;
  #turns = 0;
  /** Turns that are not done yet. */
  readonly #open = new Set<number>();
  /** What it was sent since it was made, and is sent again when it comes back: parameters, models. */
  readonly #sent = new Map<string, Message>();
  /** Its state went with the worker; its next result says so. */
  #restarted = false;
  /** When what it learned was taken last. */
  #taken = -Infinity;
  #disposed = false;
  /** The model that is being loaded. */
  #loading: AbortController | null = null;

  constructor(calls: EngineCalls, kind: AnyTrackerKind, params: CheckedParameters) {
    this.#calls = calls;
    this.#id = calls.nextId();
    this.#kind = kind;
    this.#params = params;
    calls.trackers.add(this);
    this.created = calls.settle(calls.port.createTracker(this.#id, kind.name, params));
    // A failure is reported by every later call of this tracker.
    this.created.catch(() => {});
    for (const name of kind.methods ?? [])
      Object.defineProperty(this, name, { value: (...data: unknown[]) => this.#call(name, data) });
    for (const [name, models] of Object.entries(kind.modelMethods ?? {}))
      Object.defineProperty(this, name, {
        value: (source: unknown, options?: unknown) => this.#load(name, models, source, options),
      });
    for (const name of kind.frameMethods ?? [])
      Object.defineProperty(this, name, {
        value: async (source: Source, ...data: unknown[]) => {
          const answer = await this.#frame(source, {}, { name, data });
          this.#changed('reset', []); // it starts again
          return answer;
        },
      });
  }

  /** Made again in another worker, from its parameters. */
  revive(): void {
    const { port } = this.#calls;
    const again = [...this.#sent.values()];
    // Calls whose sources are still being read keep their turns.
    const next = Math.min(this.#turns, ...this.#open);
    let turn = next - again.length;
    port.createTracker(this.#id, this.#kind.name, this.#params, turn).catch(() => {}); // every later call reports it
    for (const { method, data } of again)
      port.trackerCall({ tracker: this.#id, turn: turn++, method, data }).catch(() => {});
    this.#restarted = true;
  }

  #check(): void {
    this.#calls.check();
    if (this.#disposed) throw gone();
  }

  /** Makes a call in its turn. One that fails gives its turn back: it may never have reached the engine. */
  async #inTurn<T>(make: (turn: number) => Promise<T>): Promise<T> {
    const turn = this.#turns++;
    this.#open.add(turn);
    try {
      return await make(turn);
    } catch (error) {
      if (!this.#calls.disposed) this.#calls.port.skip(this.#id, turn);
      throw error;
    } finally {
      this.#open.delete(turn);
    }
  }

  /** The result for this frame. Calls may overlap; they resolve in order. */
  process(source: Source, options: ProcessOptions = {}): Promise<unknown> {
    return this.#frame(source, options);
  }

  async #frame(source: Source, options: ProcessOptions, method?: { name: string; data: unknown[] }): Promise<unknown> {
    this.#check();
    const { timestamp, dropped = 0, signal, transfer } = checkedOptions(options ?? {});
    const time = timestamp ?? reading('The source', () => timeOf(source));
    try {
      return await this.#inTurn(async (turn) => {
        const taken = takeSources(this.#calls, [source], { signal, transfer });
        // At once where possible.
        const [packets, own] = taken.now ? [taken.now, method] : await taken.late(() => method && snapshot(method));
        const packet = packets[0]!;
        let posted = false;
        try {
          this.#check();
          const result = await this.#calls.cancellable(signal, (call) => {
            posted = true;
            const place = { tracker: this.#id, turn, call };
            return this.#calls.port.process({ ...place, packet, timestamp: time, dropped, method: own });
          });
          if (!method) this.#take(result);
          return method ? result : this.#mark(result);
        } catch (error) {
          if (!posted) closePacket(packet);
          throw error;
        } finally {
          taken.done();
        }
      });
    } catch (error) {
      throw asFoveolaError(error, method?.name ?? 'process');
    }
  }

  /** The first result after the tracker came back says that what it knew is gone. */
  #mark(result: unknown): unknown {
    if (!this.#restarted || typeof result !== 'object' || result === null) return result;
    this.#restarted = false;
    return Object.assign(result, { restarted: true });
  }

  /** What the tracker has learned outlives its worker: asked for now and then, behind a frame. */
  #take(result: unknown): void {
    const { memory } = this.#kind;
    const now = performance.now();
    if (!memory || !this.#calls.mortal || now - this.#taken < TAKE_EVERY) return;
    this.#taken = now;
    for (const id of memory.of(result))
      this.#call(memory.take, [id]).then(
        (learned) => this.#sent.set(`${memory.give} ${id}`, { method: memory.give, data: [learned, id] }),
        () => {}, // no longer there
      );
  }

  /** After a call that changes what is tracked it is taken again; what is tracked no more does not come back. */
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
    const answer = await this.#inTurn((turn) =>
      this.#calls.settle(this.#calls.port.trackerCall({ tracker: this.#id, turn, method, data })),
    );
    this.#changed(method, data);
    return answer;
  }

  /** Once more where the worker died before it knew: for what may be said twice. */
  #surely(method: string, data: unknown[]): Promise<unknown> {
    return this.#call(method, data).catch((error: FoveolaError) => {
      if (error.code !== 'worker-lost') throw error;
      return this.#call(method, data);
    });
  }

  /** Loads first, while frames go on; the tracker gets the model when it is there. The last call counts. */
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
      await this.#calls.load(requests, { signal: loading.signal, onProgress });
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

  /** Changes some parameters from the next frame on. */
  async setParameters(given: Record<string, unknown>): Promise<void> {
    this.#check();
    const params = snapshot(readOptions(given, 'setParameters'));
    await this.#surely('setParameters', [params]);
    const before = this.#sent.get('setParameters')?.data[0] as object | undefined;
    this.#sent.set('setParameters', { method: 'setParameters', data: [{ ...before, ...params }] });
  }

  /** Ends the tracker; idempotent. Calls that wait reject with 'disposed'. */
  async dispose(): Promise<void> {
    if (this.#disposed || this.#calls.disposed) return;
    this.#disposed = true;
    this.#calls.trackers.delete(this);
    this.#loading?.abort();
    const call = { tracker: this.#id, turn: this.#turns++, method: 'dispose', data: [] };
    await this.#calls.settle(this.#calls.port.trackerCall(call));
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
