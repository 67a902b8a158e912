/**
 * The engine as the page sees it. It accepts sources, sends packets to the engine host, keeps the order of calls, and
 * handles cancels and disposal. Methods of operations (`engine.gaussian`) and trackers (`engine.createPupilTracker`)
 * are generated from the registries.
 */
import type { Capabilities, Source } from '../../results/types.ts';
import {
  modelParameters,
  operations,
  resolveOptions,
  trackerMethods,
  type AnyTrackerKind,
  type ModelRequest,
  type NamedOperation,
} from '../capability.ts';
import { shown } from '../check.ts';
import { asFoveolaError, FoveolaError, reading } from '../error.ts';
import type { BackendProfileData } from '../backend-profile.ts';
import { chainOf, lastOf, type ChainStep } from './chain.ts';
import type { Connection } from './connection.ts';
import { readOptions, splitOptions, throwIfCancelled, type CallOptions } from './options.ts';
import { closePacket, snapshot, snapshotOptions, type FramePacket } from './protocol.ts';
import { dropImages, imagesOf, takeSources, type TakenSources } from './sources.ts';
import { TrackerProxy } from './tracker-proxy.ts';

/** One call: its sources, further arguments, and options. */
interface Given extends ReturnType<typeof splitOptions> {
  readonly sources: readonly Source[];
  readonly data?: readonly unknown[];
}

export class EngineBase {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onLate = (answer) => dropImages(connection, answer);
    for (const operation of operations.values())
      this.#method(operation.name, (...args: unknown[]) => this.#operation(operation, args));
    for (const [name, kind] of trackerMethods)
      this.#method(name, (options?: Record<string, unknown>) =>
        kind.models ? this.#loadTracker(kind, options) : this.createTracker(kind, options),
      );
  }

  /** Capabilities of this engine. Replaced by another object when its worker was lost and another one started. */
  get capabilities(): Capabilities {
    return this.#connection.capabilities;
  }

  #method(name: string, value: (...args: never[]) => unknown): void {
    Object.defineProperty(this, name, { value });
  }

  async #operation(operation: NamedOperation, args: readonly unknown[]): Promise<unknown> {
    this.#connection.check();
    const count = operation.sources.length;
    const end = count + (operation.data?.length ?? 0);
    const sources = args.slice(0, count) as Source[];
    const options = splitOptions(args[end], operation.name);
    return this.#run([], operation, { ...options, sources, data: args.slice(count, end) });
  }

  /** One call of the engine: `operation`, after the operations in `before`, each on the image from the previous one. */
  async #run(before: readonly ChainStep[], operation: NamedOperation, given: Given): Promise<unknown> {
    const connection = this.#connection;
    const { signal, onProgress, keep = operation.keeps === 'always', transfer, params } = given;
    const { name } = operation;
    connection.check();
    throwIfCancelled(signal);
    if (keep && !operation.keeps)
      throw new FoveolaError('invalid-argument', `${name}: its result is not an image and cannot be kept.`);
    const chain = before.map((step) => ({ name: step.operation.name, params: resolveOptions(step.operation, step.params) })); // prettier-ignore
    const call = {
      name,
      params: resolveOptions(operation, params),
      data: [...(given.data ?? [])],
      ...(before.length && { chain }),
      ...(keep && { keep }),
    };
    // A call with a progress listener or a signal loads its models first. Otherwise the call itself loads them.
    const models = signal || onProgress ? reading(name, () => operation.models?.(params)) : undefined;
    // The call uses the current state of its inputs, even if the caller changes them afterwards.
    const taken = takeSources(connection, given.sources, { signal, transfer, waits: !!models?.length });
    try {
      const ready = taken.now ? { ...call, packets: taken.now } : await this.#late(taken, call, models ?? [], given);
      const answer = await connection.request('operation', ready, signal, onProgress);
      if (keep) return imagesOf(connection, answer);
      operation.arrived?.(answer);
      return answer;
    } finally {
      taken.done();
    }
  }

  /** A call that waits for its sources, or that loads models first. */
  async #late<C extends { name: string }>(
    taken: TakenSources,
    call: C,
    models: readonly ModelRequest[],
    options: CallOptions,
  ): Promise<C & { packets: FramePacket[] }> {
    let packets: FramePacket[] = [];
    try {
      const [read, own] = await taken.late(() => snapshot(call));
      packets = read;
      this.#connection.check();
      throwIfCancelled(options.signal);
      await this.#connection.load(models, options);
      return { ...own, packets };
    } catch (error) {
      packets.forEach(closePacket);
      throw asFoveolaError(error, call.name);
    }
  }

  /**
   * Measured time of calls on each backend of this device, for `createEngine({ profile })`. Null if the backends are
   * not compared.
   */
  async profile(): Promise<BackendProfileData | null> {
    return this.#connection.request('profile', null);
  }

  /** Several calls in a row, sent as one: `engine.chain(source).gaussian({ sigma: 2 }).canny().result()`. */
  chain(source: Source): object {
    this.#connection.check();
    return chainOf(async (steps, options) => {
      const { operation, params } = lastOf(steps);
      const given = splitOptions(options, 'result');
      return this.#run(steps.slice(0, -1), operation, { ...given, sources: [source], params });
    });
  }

  /** Loads models in advance for later calls that name them. */
  async preload(models: unknown, options?: unknown): Promise<void> {
    const connection = this.#connection;
    connection.check();
    const { params } = splitOptions(models, 'preload');
    const { signal, onProgress } = splitOptions(options, 'preload');
    throwIfCancelled(signal);
    const requests = Object.entries(params).map(([name, source]): ModelRequest => {
      const kind = Object.hasOwn(modelParameters, name) && (modelParameters as Readonly<Record<string, string>>)[name];
      if (kind && typeof source === 'string' && source) return { kind, source };
      throw new FoveolaError(
        'invalid-argument',
        `preload: needs addresses named ${Object.keys(modelParameters).join(', ')}, not ${name}: ${shown(source)}.`,
      );
    });
    await connection.load(requests, { signal, onProgress });
  }

  /** Creates a tracker of a kind that loads models, once they have loaded. */
  async #loadTracker(kind: AnyTrackerKind, options: unknown): Promise<TrackerProxy> {
    const connection = this.#connection;
    connection.check();
    const { signal, onProgress, params: given } = splitOptions(options, `The ${kind.name} tracker`);
    throwIfCancelled(signal);
    const params = snapshotOptions(given);
    resolveOptions(kind, params); // before anything is loaded
    if (signal || onProgress) await connection.load(kind.models!(params), { signal, onProgress });
    const tracker = this.createTracker(kind, params);
    try {
      await tracker.created;
    } catch (error) {
      void tracker.dispose().catch(() => {});
      throw error;
    }
    if (signal?.aborted) void tracker.dispose();
    throwIfCancelled(signal);
    return tracker;
  }

  /**
   * Returns a tracker of this kind immediately. Its counterpart in the engine is created afterwards. Throws
   * 'invalid-argument' and 'disposed'.
   */
  createTracker(kind: AnyTrackerKind, options: Record<string, unknown> = {}): TrackerProxy {
    this.#connection.check();
    const given = readOptions(options, `The ${kind.name} tracker`);
    return new TrackerProxy(this.#connection, kind, snapshotOptions(resolveOptions(kind, given)));
  }

  /** Ends the engine and everything made from it. Idempotent. All later calls reject with 'disposed'. */
  dispose(): Promise<void> {
    return this.#connection.dispose();
  }
}
