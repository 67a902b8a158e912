/**
 * The page's connection to its engine. It persists when the worker is lost and another one starts: calls made in
 * between wait for the new worker, trackers are recreated, and models are loaded again. It also knows which models the
 * engine has.
 */
import type { Capabilities, Source } from '../../results/types.ts';
import { LOAD_MODELS, type ModelRequest } from '../capability.ts';
import { asFoveolaError, FoveolaError } from '../error.ts';
import type { EngineHandlers } from './host.ts';
import { throwIfCancelled, type CallOptions } from './options.ts';
import type { Port } from './port.ts';
import {
  closePacket,
  ownPacket,
  packetTransferables,
  snapshot,
  SpareBuffers,
  type FramePacket,
  type Progress,
} from './protocol.ts';

/**
 * This many losses within a minute are not an accident. The limit is slightly under a minute, so a worker that is lost
 * every half minute may still restart.
 */
const MOST_DEATHS = 3;
const MINUTE = 59_000;

/** Numbers of kept images of one worker are below this. */
const IMAGES = 2 ** 32;

export interface StartedEngine {
  port: Port<EngineHandlers>;
  capabilities: Capabilities;
  /** Ends everything. Resolves when threads and GPU are released. */
  end(): Promise<void>;
}

/** Starts the engine. Numbers of kept images begin after `images`, so that numbers from a lost engine are invalid. */
export type EngineStart = (images: number) => Promise<StartedEngine>;

/**
 * Converts a source to a packet, synchronously if the browser allows it, so that the moment of the call counts.
 * `signal` cancels the reading of a file.
 */
export type SourceReader = (source: Source, signal?: AbortSignal) => FramePacket | Promise<FramePacket>;

/** Restored together with an engine whose worker was lost. */
export interface Revivable {
  revive(): void;
}

type Kind = keyof EngineHandlers & string;
type Payload<K extends Kind> = Parameters<EngineHandlers[K]>[0];
type Answer<K extends Kind> = Awaited<ReturnType<EngineHandlers[K]>>;

const none = () => {};
export const disposedError = () => new FoveolaError('disposed', 'The engine was disposed of. Create a new one.');

export class Connection {
  readonly readSource: SourceReader;
  readonly trackers = new Set<Revivable>();
  /** Replaced by another object after each start. */
  capabilities!: Capabilities;
  readonly #start: EngineStart;
  readonly #spare = new SpareBuffers();
  /** Models that the engine has loaded. If the engine has dropped one, the call that needs it loads it again. */
  readonly #loaded = new Set<string>();
  #started: StartedEngine | null = null;
  /** The engine that is starting, and a function to report that the start failed. */
  #coming: Promise<StartedEngine> | null = null;
  #refuse: (error: FoveolaError) => void = none;
  #restarting: Promise<void> | null = null;
  #deaths: number[] = [];
  #restarts = 0;
  #nextTracker = 1;
  #disposal: Promise<void> | null = null;

  private constructor(start: EngineStart, readSource: SourceReader) {
    this.#start = start;
    this.readSource = readSource;
  }

  static async open(start: EngineStart, readSource: SourceReader): Promise<Connection> {
    const connection = new Connection(start, readSource);
    connection.#adopt(await start(0), []);
    return connection;
  }

  get disposed(): boolean {
    return this.#disposal !== null;
  }

  /** Whether the engine runs in a worker or has helper threads, which may be lost. */
  get mortal(): boolean {
    return this.capabilities.worker || this.capabilities.threads > 1;
  }

  nextTracker(): number {
    return this.#nextTracker++;
  }

  check(): void {
    if (this.disposed) throw disposedError();
  }

  /**
   * Sends a call. If there is an engine it is sent immediately, otherwise once the engine has started, with the current
   * state of the arguments.
   */
  async request<K extends Kind>(
    kind: K,
    payload: Payload<K>,
    signal?: AbortSignal,
    progress?: Progress,
  ): Promise<Answer<K>> {
    if (this.#started && !this.disposed) return this.#send(this.#started.port, kind, payload, signal, progress);
    const { packets, ...given } = Object(payload) as { packets?: FramePacket[] };
    if (this.disposed) {
      packets?.forEach(closePacket);
      throw disposedError();
    }
    const owned = packets?.map((packet) => ownPacket(packet));
    const own = Object(payload) === payload ? { ...snapshot(given), ...(owned && { packets: owned }) } : payload;
    let started: StartedEngine;
    try {
      started = await this.#coming!;
    } catch (error) {
      owned?.forEach(closePacket);
      throw error;
    }
    return this.#send(started.port, kind, own as Payload<K>, signal, progress);
  }

  /** Transfers the memory of its packets. They are closed if the call cannot be sent. */
  #send<K extends Kind>(
    port: Port<EngineHandlers>,
    kind: K,
    payload: Payload<K>,
    signal?: AbortSignal,
    progress?: Progress,
  ): Promise<Answer<K>> {
    const { packets } = Object(payload) as { packets?: FramePacket[] };
    if (!packets?.length) return port.request(kind, payload, undefined, signal, progress);
    const owned = port.copies ? packets.map((packet) => ownPacket(packet, this.#spare)) : packets;
    try {
      const sent = { ...(payload as object), packets: owned } as Payload<K>;
      return port.request(kind, sent, port.copies ? packetTransferables(owned) : undefined, signal, progress);
    } catch (error) {
      owned.forEach(closePacket);
      throw error;
    }
  }

  /** Without an engine there is nothing to notify, because the object of the message is gone. */
  tell<K extends Kind>(kind: K, payload: Payload<K>): void {
    if (!this.disposed) this.#started?.port.tell(kind, payload);
  }

  /** Has the engine load models for later calls that name them. Models that it already has are not requested again. */
  async load(models: readonly ModelRequest[], { signal, onProgress }: CallOptions): Promise<void> {
    const keys = models.map(({ kind, source }) => `${kind} ${source}`);
    const wanted = models.filter((_, i) => !this.#loaded.has(keys[i]!));
    if (!wanted.length) return throwIfCancelled(signal);
    const call = { name: LOAD_MODELS, packets: [], data: [wanted], params: {} };
    await this.request('operation', call, signal, onProgress);
    for (const key of keys) this.#loaded.add(key);
  }

  #adopt(started: StartedEngine, reasons: readonly string[]): void {
    const { capabilities, port } = started;
    this.#started = started;
    this.capabilities = Object.freeze({ ...capabilities, reasons: [...capabilities.reasons, ...reasons] });
    port.onAside = ({ spare, backends: sides }) => {
      if (spare) this.#spare.give(spare);
      if (sides) Object.assign(capabilities.backends, sides);
    };
    port.onLate = (answer) => this.onLate(answer);
    port.onLost((error) => this.#lost(error));
  }

  /** Receives the answer to a call that was cancelled. */
  onLate: (answer: unknown) => void = none;

  #lost(death: FoveolaError): void {
    this.#started = null;
    if (this.disposed) return;
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((time) => now - time < MINUTE), now];
    const next = this.#next(death);
    this.#restarting = next.then(none, none);
    this.#coming = new Promise((resolve, reject) => {
      this.#refuse = reject;
      next.then(resolve, reject);
    });
    this.#coming.catch(none); // reported by every later call
  }

  async #next(death: FoveolaError): Promise<StartedEngine> {
    if (this.#deaths.length >= MOST_DEATHS)
      throw new FoveolaError(
        'engine-stopped',
        `The engine's worker was lost three times within a minute. Reload the page, and close others if memory is low. Last cause: ${death.message}`,
        { cause: death },
      );
    let started: StartedEngine;
    try {
      started = await this.#start(++this.#restarts * IMAGES);
    } catch (error) {
      const { message } = asFoveolaError(error, 'Starting the engine again');
      throw new FoveolaError('engine-stopped', `The engine's worker was lost and did not start again: ${message}`, {
        cause: error,
      });
    }
    if (this.disposed) {
      await started.end();
      throw disposedError();
    }
    this.#adopt(started, [
      `The engine's worker was lost and started again (${this.#restarts} times so far). ${death.message}`,
    ]);
    this.#loaded.clear();
    for (const tracker of this.trackers) tracker.revive(); // before any waiting call
    return started;
  }

  /** Rejects pending calls with 'disposed' and ends the engine. Idempotent. */
  dispose(): Promise<void> {
    if (this.#disposal) return this.#disposal;
    const started = this.#started;
    const end = started ? () => started.end() : () => this.#restarting ?? Promise.resolve();
    this.trackers.clear();
    this.#refuse(disposedError());
    started?.port.reject(disposedError());
    return (this.#disposal = end());
  }
}
