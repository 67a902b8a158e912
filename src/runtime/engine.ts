/**
 * The engine as the page sees it: takes sources, hands packets to the engine's home, keeps the order of calls, maps
 * cancels and disposal. Methods of operations (`engine.gaussian`) and trackers (`engine.createPupilTracker`) are made
 * from the registries.
 */
import { closePacket, type FramePacket } from './packet.ts';
import type { Capabilities, Source } from '../results/types.ts';
import {
  LOAD_MODELS,
  modelParameters,
  operations,
  resolveOptions,
  trackerMethods,
  type ModelRequest,
  type NamedOperation,
  type AnyTrackerKind,
} from './capability.ts';
import type { EnginePort, StartedEngine } from './engine-protocol.ts';
import { TrackerProxy } from './engine-tracker.ts';
import { abortedError, splitOptions, throwIfCancelled, type CallOptions } from './call-options.ts';
import { asFoveolaError, FoveolaError } from './error.ts';

export type { CallOptions };

/** How long the engine may take to answer a cancel with what it has; then the page answers for it. */
const ABORT_PATIENCE = 40;

/**
 * Turns a source into a packet: at once where the browser allows it, so that the moment of the call counts. `signal` ends
 * the reading of a file.
 */
export type SourceReader = (source: Source, signal?: AbortSignal) => FramePacket | Promise<FramePacket>;

export const disposedError = () => new FoveolaError('disposed', 'The engine was disposed of; create a new one.');

/** What operations and trackers of one engine share. */
export class EngineCalls {
  readonly port: EnginePort;
  readonly readSource: SourceReader;
  readonly #pending = new Set<(error: FoveolaError) => void>();
  /** Models that the engine has loaded. Should it have forgotten one, the call that needs it loads it again. */
  readonly #loaded = new Set<string>();
  #next = 1;
  disposed = false;

  constructor(port: EnginePort, readSource: SourceReader) {
    this.port = port;
    this.readSource = readSource;
  }

  nextId(): number {
    return this.#next++;
  }

  check(): void {
    if (this.disposed) throw disposedError();
  }

  /** Waits for `work`, but not longer than the engine lives. */
  settle<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      const done = () => this.#pending.delete(reject);
      work.then(
        (value) => (done(), resolve(value)),
        (error) => (done(), reject(asFoveolaError(error, 'The call'))),
      );
    });
  }

  /** Posts one call that can be cancelled. */
  async cancellable<T>(signal: AbortSignal | undefined, post: (call: number) => Promise<T>): Promise<T> {
    const call = this.nextId();
    if (!signal) return this.settle(post(call));
    throwIfCancelled(signal);
    let cancel!: () => void;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cancelled = new Promise<never>((_, reject) => {
      cancel = () => {
        this.port.abort(call);
        timer = setTimeout(() => reject(abortedError(signal)), ABORT_PATIENCE);
      };
    });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await this.settle(Promise.race([post(call), cancelled]));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Has the engine load models, where calls that name them find them; those that it has are not asked for again. */
  async load(models: readonly ModelRequest[], { signal, onProgress }: CallOptions): Promise<void> {
    const keys = models.map(({ kind, source }) => `${kind} ${source}`);
    const wanted = models.filter((_, i) => !this.#loaded.has(keys[i]!));
    if (!wanted.length) return throwIfCancelled(signal);
    await this.cancellable(signal, (call) =>
      this.port.operation({ call, name: LOAD_MODELS, packets: [], data: [wanted], params: {} }, onProgress),
    );
    for (const key of keys) this.#loaded.add(key);
  }

  end(): void {
    this.disposed = true;
    for (const reject of this.#pending) reject(disposedError());
    this.#pending.clear();
  }
}

export class EngineBase {
  readonly capabilities: Capabilities;
  readonly #calls: EngineCalls;
  #disposal: Promise<void> | null = null;

  constructor({ port, capabilities }: StartedEngine, readSource: SourceReader) {
    this.capabilities = Object.freeze({ ...capabilities, reasons: [...capabilities.reasons] });
    this.#calls = new EngineCalls(port, readSource);
    for (const operation of operations.values())
      this.#method(operation.name, (...args: unknown[]) => this.#operation(operation, args));
    for (const [name, kind] of trackerMethods)
      this.#method(name, (options?: Record<string, unknown>) =>
        kind.models ? this.#loadTracker(kind, options) : this.createTracker(kind, options),
      );
  }

  #method(name: string, value: (...args: never[]) => unknown): void {
    Object.defineProperty(this, name, { value });
  }

  async #operation(operation: NamedOperation, args: readonly unknown[]): Promise<unknown> {
    const calls = this.#calls;
    calls.check();
    const count = operation.sources.length;
    const names = operation.data ?? [];
    const { signal, onProgress, params } = splitOptions(args[count + names.length], operation.name);
    throwIfCancelled(signal);
    resolveOptions(operation, params); // before any pixel moves
    const packets: FramePacket[] = [];
    try {
      // Each source is taken before the first wait, so that all of them show the moment of the call.
      const reading = operation.sources.map(async (_, i) => calls.readSource(args[i] as Source, signal));
      const results = await Promise.allSettled(reading);
      for (const result of results) if (result.status === 'fulfilled') packets.push(result.value);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      calls.check();
      throwIfCancelled(signal);
      // What is listened to or may be cancelled is loaded first; else the call itself loads it.
      if (operation.models && (signal || onProgress))
        await calls.load(operation.models(params), { signal, onProgress });
    } catch (error) {
      packets.forEach(closePacket);
      throw asFoveolaError(error, operation.name);
    }
    const data = args.slice(count, count + names.length);
    return calls.cancellable(signal, (call) =>
      calls.port.operation({ call, name: operation.name, packets, data, params }, onProgress),
    );
  }

  /** Loads models ahead of the calls that will name them. */
  async preload(models: unknown, options?: unknown): Promise<void> {
    const calls = this.#calls;
    calls.check();
    const { params } = splitOptions(models, 'preload');
    const { signal, onProgress } = splitOptions(options, 'preload');
    throwIfCancelled(signal);
    const requests = Object.entries(params).map(([name, source]): ModelRequest => {
      const kind = (modelParameters as Readonly<Record<string, string>>)[name];
      if (kind && typeof source === 'string' && source) return { kind, source };
      throw new FoveolaError(
        'invalid-argument',
        `preload: takes addresses under the names ${Object.keys(modelParameters).join(', ')}, not ${name}: ${String(source)}.`,
      );
    });
    await calls.load(requests, { signal, onProgress });
  }

  /** A tracker of a kind that loads models, when they are there. */
  async #loadTracker(kind: AnyTrackerKind, options: unknown): Promise<TrackerProxy> {
    const calls = this.#calls;
    calls.check();
    const { signal, onProgress, params } = splitOptions(options, `The ${kind.name} tracker`);
    throwIfCancelled(signal);
    resolveOptions(kind, params); // before anything is loaded
    if (signal || onProgress) await calls.load(kind.models!(params), { signal, onProgress });
    const tracker = this.createTracker(kind, params);
    await tracker.created;
    if (signal?.aborted) void tracker.dispose();
    throwIfCancelled(signal);
    return tracker;
  }

  /** A tracker of this kind, at once; its engine side is made behind it. Throws 'invalid-argument' and 'disposed'. */
  createTracker(kind: AnyTrackerKind, options: Record<string, unknown> = {}): TrackerProxy {
    this.#calls.check();
    if (typeof options !== 'object' || options === null)
      throw new FoveolaError('invalid-argument', `The ${kind.name} tracker's options must be an object.`);
    resolveOptions(kind, options);
    return new TrackerProxy(this.#calls, kind, options);
  }

  /** Ends the engine and everything made from it. Idempotent; afterwards every call rejects with 'disposed'. */
  dispose(): Promise<void> {
    if (!this.#disposal) {
      this.#calls.end();
      this.#disposal = this.#calls.port.dispose();
    }
    return this.#disposal;
  }
}
