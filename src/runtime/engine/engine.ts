/**
 * The engine as the page sees it: takes sources, hands packets to the engine's home, keeps the order of calls, maps
 * cancels and disposal. Methods of operations (`engine.gaussian`) and trackers (`engine.createPupilTracker`) are made
 * from the registries.
 */
import { closePacket, snapshot, snapshotOptions } from './packet.ts';
import type { Capabilities, Source } from '../../results/types.ts';
import {
  modelParameters,
  operations,
  resolveOptions,
  trackerMethods,
  type ModelRequest,
  type NamedOperation,
  type AnyTrackerKind,
} from '../capability.ts';
import { chainOf, lastOf, type ChainStep } from './engine-chain.ts';
import { dropImages, imagesOf, takeSources } from './engine-image.ts';
import { EngineCalls, type SourceReader } from './engine-calls.ts';
import type { StartedEngine } from './engine-protocol.ts';
import { RevivingPort } from './engine-revival.ts';
import { TrackerProxy } from './engine-tracker.ts';
import { readOptions, splitOptions, throwIfCancelled, type CallOptions } from './call-options.ts';
import { asFoveolaError, FoveolaError, reading } from '../error.ts';
import { shown } from '../check.ts';
import type { SideProfileData } from '../side-profile.ts';

export type { CallOptions };

const frozen = (given: Capabilities): Capabilities => Object.freeze({ ...given, reasons: [...given.reasons] });

export class EngineBase {
  #capabilities: Capabilities;
  readonly #calls: EngineCalls;
  #disposal: Promise<void> | null = null;

  constructor({ port, capabilities }: StartedEngine, readSource: SourceReader) {
    this.#capabilities = frozen(capabilities);
    this.#calls = new EngineCalls(port, readSource);
    this.#calls.mortal = capabilities.worker || capabilities.threads > 1;
    if (port instanceof RevivingPort)
      port.onRevived = (now) => {
        this.#capabilities = frozen(now);
        this.#calls.revive();
      };
    for (const operation of operations.values())
      this.#method(operation.name, (...args: unknown[]) => this.#operation(operation, args));
    for (const [name, kind] of trackerMethods)
      this.#method(name, (options?: Record<string, unknown>) =>
        kind.models ? this.#loadTracker(kind, options) : this.createTracker(kind, options),
      );
  }

  /** What this engine is; another object where its worker died and was started again. */
  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  #method(name: string, value: (...args: never[]) => unknown): void {
    Object.defineProperty(this, name, { value });
  }

  async #operation(operation: NamedOperation, args: readonly unknown[]): Promise<unknown> {
    this.#calls.check();
    const count = operation.sources.length;
    const names = operation.data ?? [];
    const options = splitOptions(args[count + names.length], operation.name);
    const data = args.slice(count, count + names.length);
    return this.#run([], operation, args.slice(0, count) as Source[], data, options);
  }

  /** One call of the engine: `operation`, after those of `before`, each on the picture of the one before. */
  async #run(
    before: readonly ChainStep[],
    operation: NamedOperation,
    sources: readonly Source[],
    data: unknown[],
    { signal, onProgress, keep = operation.keeps === 'always', transfer, params }: ReturnType<typeof splitOptions>,
  ): Promise<unknown> {
    const calls = this.#calls;
    calls.check();
    throwIfCancelled(signal);
    if (keep && !operation.keeps)
      throw new FoveolaError('invalid-argument', `${operation.name}: its result is no image that could be kept.`);
    const chain = before.map(({ operation, params }) => ({
      name: operation.name,
      params: resolveOptions(operation, params),
    }));
    let given = { params: resolveOptions(operation, params), data, ...(before.length && { chain }) };
    // What is listened to or may be cancelled is loaded first; else the call itself loads it.
    const models = signal || onProgress ? reading(operation.name, () => operation.models?.(params)) : undefined;
    // All that the call takes is as it is now, whatever the caller does to it afterwards.
    const taken = takeSources(calls, sources, { signal, transfer, waits: !!models?.length });
    let packets = taken.now;
    if (!packets)
      try {
        [packets, given] = await taken.late(() => snapshot(given));
        calls.check();
        throwIfCancelled(signal);
        if (models) await calls.load(models, { signal, onProgress });
      } catch (error) {
        packets?.forEach(closePacket);
        taken.done();
        throw asFoveolaError(error, operation.name);
      }
    let cancelled = false;
    try {
      const answer = await calls.cancellable(signal, (call) => {
        const posted = calls.port.operation(
          { call, name: operation.name, packets, ...given, ...(keep && { keep }) },
          onProgress,
        );
        // A cancelled call may still end well.
        if (keep) posted.then((late) => cancelled && dropImages(calls, late)).catch(() => {});
        return posted;
      });
      if (keep) return imagesOf(calls, answer);
      operation.arrived?.(answer);
      return answer;
    } catch (error) {
      cancelled = true;
      throw error;
    } finally {
      taken.done();
    }
  }

  /** What calls took on each side of this device, for `createEngine({ profile })`; null where nothing is compared. */
  async profile(): Promise<SideProfileData | null> {
    this.#calls.check();
    return this.#calls.settle(this.#calls.port.profile());
  }

  /** Calls one after the other, in one: `engine.chain(source).gaussian({ sigma: 2 }).canny().result()`. */
  chain(source: Source): object {
    this.#calls.check();
    return chainOf(async (steps, options) => {
      const { operation, params } = lastOf(steps);
      const given = splitOptions(options, 'result');
      return this.#run(steps.slice(0, -1), operation, [source], [], { ...given, params });
    });
  }

  /** Loads models ahead of the calls that will name them. */
  async preload(models: unknown, options?: unknown): Promise<void> {
    const calls = this.#calls;
    calls.check();
    const { params } = splitOptions(models, 'preload');
    const { signal, onProgress } = splitOptions(options, 'preload');
    throwIfCancelled(signal);
    const requests = Object.entries(params).map(([name, source]): ModelRequest => {
      const kind = Object.hasOwn(modelParameters, name) && (modelParameters as Readonly<Record<string, string>>)[name];
      if (kind && typeof source === 'string' && source) return { kind, source };
      throw new FoveolaError(
        'invalid-argument',
        `preload: takes addresses under the names ${Object.keys(modelParameters).join(', ')}, not ${name}: ${shown(source)}.`,
      );
    });
    await calls.load(requests, { signal, onProgress });
  }

  /** A tracker of a kind that loads models, when they are there. */
  async #loadTracker(kind: AnyTrackerKind, options: unknown): Promise<TrackerProxy> {
    const calls = this.#calls;
    calls.check();
    const { signal, onProgress, params: given } = splitOptions(options, `The ${kind.name} tracker`);
    throwIfCancelled(signal);
    const params = snapshotOptions(given);
    resolveOptions(kind, params); // before anything is loaded
    if (signal || onProgress) await calls.load(kind.models!(params), { signal, onProgress });
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

  /** A tracker of this kind, at once; its engine side is made behind it. Throws 'invalid-argument' and 'disposed'. */
  createTracker(kind: AnyTrackerKind, options: Record<string, unknown> = {}): TrackerProxy {
    this.#calls.check();
    const given = readOptions(options, `The ${kind.name} tracker`);
    return new TrackerProxy(this.#calls, kind, snapshotOptions(resolveOptions(kind, given)));
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
