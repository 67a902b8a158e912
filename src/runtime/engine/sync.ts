/**
 * The engine without promises, for use in your own worker: only WASM, on the caller's thread. A call copies its samples
 * into the engine's memory and returns views of that memory, which are valid until the next call. With images that stay
 * in the engine, nothing is copied.
 */
import type { GrayImage, Source } from '../../results/types.ts';
import {
  operations,
  resolveOptions,
  trackerMethods,
  type AnyTrackerKind,
  type NamedOperation,
  type SourceFormat,
} from '../capability.ts';
import { FoveolaError, reading } from '../error.ts';
import type { Plane, PlaneArray } from '../plane.ts';
import type { Runtime } from '../runtime.ts';
import { Scope, type ScopeOptions } from '../scope.ts';
import type { Plan } from '../wasm/kernel-step.ts';
import { readOptions, splitOptions } from './options.ts';
import { chainOf, lastOf, runChain, type ChainStep } from './chain.ts';
import { fits } from './images.ts';
import type { FramePacket } from './protocol.ts';

/** Functions that make planes from samples. The code that assembles the engine passes them in. */
export interface SyncReaders {
  toPacket(source: Source): FramePacket | Promise<FramePacket>;
  gray(scope: Scope, rgba: Plane, colored: boolean): Plan<Plane>;
  /** Makes a new plane. */
  rgba(runtime: Runtime, gray: Plane): Plane;
}

const disposed = (what: string) => new FoveolaError('disposed', `The ${what} was disposed of. Create a new one.`);
const unsupported = () =>
  new FoveolaError(
    'source-unsupported',
    'This source cannot be read synchronously. Use { width, height, data }, ImageData or an image of this engine, or use createEngine().',
  );

/** Samples in place until the engine's next call, or a copy if the rows have padding. */
function samplesOf({ width, height, format }: Plane, data: PlaneArray): GrayImage | ImageData {
  if (format !== 'rgba8') return { width, height, data: data as Uint8Array };
  const pixels = new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.length);
  return { width, height, data: pixels, colorSpace: 'srgb' } as ImageData;
}
const inPlace = (plane: Plane): PlaneArray => plane.view() ?? plane.copy();

/** An image in the memory of the engine, which can be a source of its calls. */
export class SyncImage {
  readonly width: number;
  readonly height: number;
  readonly #engine: object;
  #plane: Plane | null;

  constructor(engine: object, plane: Plane) {
    this.#engine = engine;
    this.#plane = plane;
    this.width = plane.width;
    this.height = plane.height;
  }

  /** Its samples, gray or RGBA, in place until the engine's next call. Throws 'disposed'. */
  get data(): Uint8Array {
    return inPlace(this.planeOf(this.#engine)) as Uint8Array;
  }

  /** @internal */
  planeOf(engine: object): Plane {
    if (engine !== this.#engine)
      throw new FoveolaError('invalid-argument', 'The image belongs to another engine. Load it in this one.');
    if (!this.#plane) throw disposed('image');
    return this.#plane;
  }

  dispose(): void {
    this.#plane?.dispose();
    this.#plane = null;
  }
}

export class EngineSyncBase {
  readonly #runtime: Runtime;
  readonly #readers: SyncReaders;
  /** The planes behind the views from the last call. */
  #shown: Plane[] = [];
  /** The planes behind the views from the call before the running one. They may be its sources. */
  #before: Plane[] = [];
  #disposed = false;

  constructor(runtime: Runtime, readers: SyncReaders) {
    this.#runtime = runtime;
    this.#readers = readers;
    const method = (name: string, value: (...args: never[]) => unknown) => Object.defineProperty(this, name, { value });
    for (const operation of operations.values())
      if (!operation.models && operation.sources.length)
        method(operation.name, (...args: unknown[]) => this.#call(operation, args));
    for (const [name, kind] of trackerMethods)
      if (!kind.models) method(name, (options?: Record<string, unknown>) => this.#tracker(kind, options));
  }

  /** Runs a call. After that, the views from the previous call are invalid. */
  #now<T>(body: (this: EngineSyncBase, scope: Scope) => Plan<T>, options?: Pick<ScopeOptions, 'give' | 'keep'>): T {
    if (this.#disposed) throw disposed('engine');
    const before = this.#shown;
    this.#shown = [];
    this.#before = before;
    const scope = new Scope(this.#runtime, { ...options, backend: 'wasm', sync: true });
    try {
      return this.#runtime.driver.now(body.call(this, scope));
    } finally {
      scope.dispose();
      this.#before = [];
      for (const plane of before) plane.dispose();
    }
  }

  /** A plane of the source. The scope owns it if it is made for this call. */
  *#read(scope: Scope, source: unknown, format: SourceFormat): Plan<Plane> {
    const plane = reading('The source', () => {
      const kept = source instanceof SyncImage ? source.planeOf(this) : this.#shownAs(source);
      return kept ?? scope.own(this.#planeOf(source as Source));
    });
    return yield* this.#as(scope, plane, format);
  }

  /** The plane, or a converted one in this format. */
  *#as(scope: Scope, plane: Plane, format: SourceFormat): Plan<Plane> {
    if (fits(plane, format)) return plane;
    if (format === 'rgba') return scope.own(this.#readers.rgba(this.#runtime, plane));
    return yield* this.#readers.gray(scope, plane, format === 'color');
  }

  #planeOf(source: Source): Plane {
    const packet = this.#readers.toPacket(source);
    if (packet instanceof Promise) packet.catch(() => {});
    if (packet instanceof Promise || (packet.kind !== 'gray' && packet.kind !== 'rgba')) throw unsupported();
    return this.#runtime.plane(packet.width, packet.height, packet.kind === 'gray' ? 'u8' : 'rgba8', packet.data);
  }

  /** The plane of an image that the last call returned. */
  #shownAs(source: unknown): Plane | null {
    const { data } = Object(source) as { data?: unknown };
    if (!ArrayBuffer.isView(data) || data.buffer !== this.#runtime.arena.memory.buffer) return null;
    return this.#before.find((plane) => plane.address === data.byteOffset) ?? null;
  }

  /** Several calls in a row, sent as one: `engine.chain(image).gaussian({ sigma: 2 }).canny().result()`. */
  chain(source: Source): object {
    return chainOf((steps, options) => {
      const { operation, params } = lastOf(steps);
      const { keep, transfer } = splitOptions(options, 'result');
      return this.#call(operation, [source, { ...params, keep, transfer }], steps.slice(0, -1));
    });
  }

  #call(operation: NamedOperation, args: readonly unknown[], before: readonly ChainStep[] = []): unknown {
    const count = operation.sources.length;
    const extra = operation.data?.length ?? 0;
    const given = splitOptions(args[count + extra], operation.name);
    const { keep = operation.keeps === 'always', transfer, params } = given;
    if (transfer)
      throw new FoveolaError(
        'invalid-argument',
        `${operation.name}: this engine always copies samples. Omit transfer.`,
      );
    const values = resolveOptions(operation, params);
    const steps = before.map((step) => ({ ...step, params: resolveOptions(step.operation, step.params) }));
    const formats =
      (steps.length ? undefined : operation.formats?.(values)) ?? (steps[0]?.operation ?? operation).sources;
    const give = (plane: Plane): unknown => {
      if (keep) return new SyncImage(this, plane);
      this.#shown.push(plane);
      const data = inPlace(plane);
      return plane.format === 'u8' || plane.format === 'rgba8' ? samplesOf(plane, data) : data;
    };
    return this.#now(
      function* (this: EngineSyncBase, scope: Scope) {
        const planes: Plane[] = [];
        for (const [i, format] of formats.entries()) planes.push(yield* this.#read(scope, args[i], format));
        const sources = yield* runChain(scope, steps, planes, operation, (plane, format) =>
          this.#as(scope, plane, format),
        );
        const result = yield* operation.plan(scope, sources, values, ...args.slice(count, count + extra));
        if (!keep) operation.arrived?.(result);
        return result;
      },
      { give, keep },
    );
  }

  /** A tracker whose calls return their results synchronously. */
  async #tracker(kind: AnyTrackerKind, options: Record<string, unknown> = {}): Promise<object> {
    if (this.#disposed) throw disposed('engine');
    const where = `The ${kind.name} tracker`;
    const tracker = await kind.create(this.#runtime, resolveOptions(kind, readOptions(options, where)));
    const onFrame = (source: Source, use: (plane: Plane) => unknown): unknown => {
      return this.#now(function* (scope) {
        return use(yield* this.#read(scope, source, kind.sources));
      });
    };
    const calls: Record<string, unknown> = {
      process: (source: Source, options = {}) => {
        const { timestamp = performance.now() } = readOptions(options, 'process') as { timestamp?: number };
        return onFrame(source, (plane) => tracker.process(plane, timestamp));
      },
      reset: () => tracker.reset(),
      setParameters: (params: Record<string, unknown>) =>
        reading(where, () => tracker.setParameters(readOptions(params, 'setParameters'))),
      dispose: () => tracker.dispose(),
    };
    const own = tracker.methods as Record<string, (...args: unknown[]) => unknown> | undefined;
    for (const name of kind.methods ?? []) calls[name] = own![name];
    for (const name of kind.frameMethods ?? [])
      calls[name] = (source: Source, ...rest: unknown[]) =>
        onFrame(source, (plane) => own![name]!(plane, performance.now(), ...rest));
    return calls;
  }

  /** Ends the engine. Its views and images become invalid. Idempotent. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#runtime.dispose();
  }
}
