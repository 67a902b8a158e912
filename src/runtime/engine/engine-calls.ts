/** What the calls of one engine share on the page's side: numbers, cancels, models that are loaded, the end. */
import type { Source } from '../../results/types.ts';
import { abortedError, throwIfCancelled, type CallOptions } from './call-options.ts';
import { LOAD_MODELS, type ModelRequest } from '../capability.ts';
import type { EnginePort } from './engine-protocol.ts';
import { asFoveolaError, FoveolaError } from '../error.ts';
import type { FramePacket } from './packet.ts';

/** How long the engine may take to answer a cancel with what it has; then the page answers for it. */
const ABORT_PATIENCE = 40;

/**
 * Turns a source into a packet: at once where the browser allows it, so that the moment of the call counts. `signal` ends
 * the reading of a file.
 */
export type SourceReader = (source: Source, signal?: AbortSignal) => FramePacket | Promise<FramePacket>;

export const disposedError = () => new FoveolaError('disposed', 'The engine was disposed of; create a new one.');

/** What comes back to life with an engine whose worker died. */
export interface Revivable {
  revive(): void;
}

/** What operations and trackers of one engine share. */
export class EngineCalls {
  readonly port: EnginePort;
  readonly readSource: SourceReader;
  readonly #pending = new Set<(error: FoveolaError) => void>();
  /** Models that the engine has loaded. Should it have forgotten one, the call that needs it loads it again. */
  readonly #loaded = new Set<string>();
  readonly trackers = new Set<Revivable>();
  #next = 1;
  disposed = false;
  /** The engine lives in a worker, or has helper threads, which may die. */
  mortal = false;

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

  /** The engine has another worker. */
  revive(): void {
    this.#loaded.clear();
    for (const tracker of this.trackers) tracker.revive();
  }

  end(): void {
    this.disposed = true;
    for (const reject of this.#pending) reject(disposedError());
    this.#pending.clear();
    this.trackers.clear();
  }
}
