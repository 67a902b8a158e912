/**
 * The interface for capabilities that register with the engine: one-shot operations and trackers. The engine knows
 * nothing about pupils or vessels. It moves frames, checks parameters, keeps the order of calls and reports errors for
 * all capabilities alike.
 */
import type { EngineImage, GrayImage, ResultBackend, Source } from '../results/types.ts';
import type { CallOptions, TransferOption } from './engine/options.ts';
import { reading } from './error.ts';
import { resolveParameters, type Given, type ParameterTable, type Values } from './parameters.ts';
import type { Pauses } from './driver.ts';
import type { Plan } from './wasm/kernel-step.ts';
import type { Plane } from './plane.ts';
import type { Runtime } from './runtime.ts';
import type { Scope } from './scope.ts';

/** Data that a tracker receives in addition to the plane. */
export interface CallContext {
  /** Yields the thread when the 8 ms of a slice are used up. Throws 'aborted' after a cancel. */
  readonly pauses: Pauses;
  /** Resolves when all earlier calls are done. A tracker with overlapping frames waits for it before it answers. */
  readonly before?: Promise<unknown>;
  /**
   * Reports that the next frame may begin, up to the tracker's depth. Without this call it begins when this frame is
   * answered.
   */
  entered?(): void;
}

/**
 * Pauses for a frame that always runs to its end, even after a cancel. Otherwise the tracker's state would mix two
 * frames.
 */
export const toTheEnd = ({ pauses }: CallContext): Pauses => ({ pause: () => pauses.pause().catch(() => {}) });

/** A model that a call needs, by its URL or the name of a shipped model. */
export interface ModelRequest {
  /** 'cascade' or 'landmarks'. */
  readonly kind: string;
  readonly source: string;
}

/** Call parameters that name a model, with the kind of that model. */
export const modelParameters = { cascade: 'cascade', verifier: 'cascade', model: 'landmarks' } as const;

/** The operation that preloads models for later calls (src/models/operation.ts). */
export const LOAD_MODELS = 'loadModels';

/**
 * Sample format that a source is converted to. 'any': unchanged, including a kept map. The plan then checks which
 * formats it accepts.
 */
export type SourceFormat = 'gray' | 'rgba' | 'pixels' | 'color' | 'any';

/** A result reports which backend computed it. Lists do not. */
export type WithBackend<R> = R extends readonly unknown[] | void ? R : R & { readonly backend: ResultBackend };

/** The form of a result's images when they stay in the engine. `never` if the result has no images. */
type Kept<R> = R extends GrayImage | ImageData ? EngineImage : R extends readonly GrayImage[] ? EngineImage[] : never;

/** The form of the parts `K` of a result (images and maps) when they stay in the engine. */
type KeptParts<R, K extends keyof R> = {
  [P in keyof R]: P extends K ? EngineImage | (undefined extends R[P] ? undefined : never) : R[P];
};

/** Options of calls with sources. */
type SourceCallOptions = CallOptions & TransferOption;

/** Call signature of an engine method: arguments before the options, and options that are not in table `T`. */
type PlainCall<A extends readonly unknown[], T extends ParameterTable, E, R> =
  Record<never, never> extends E
    ? (...args: [...A, options?: Given<T> & E & SourceCallOptions & { keep?: false }]) => Promise<WithBackend<R>>
    : (...args: [...A, options: Given<T> & E & SourceCallOptions & { keep?: false }]) => Promise<WithBackend<R>>;
type Call<A extends readonly unknown[], T extends ParameterTable, E, R> = [Kept<R>] extends [never]
  ? PlainCall<A, T, E, R>
  : ((...args: [...A, options: Given<T> & E & SourceCallOptions & { keep: true }]) => Promise<Kept<R>>) &
      PlainCall<A, T, E, R>;
type PartsCall<A extends readonly unknown[], T extends ParameterTable, E, R, K extends keyof R> = ((
  ...args: [...A, options: Given<T> & E & SourceCallOptions & { keep: true }]
) => Promise<WithBackend<KeptParts<R, K>>>) &
  PlainCall<A, T, E, R>;
type AnyCall = (...args: never[]) => unknown;

/** A one-shot operation. `V`: the values that `plan` receives. `C`: the engine method that is made from it. */
export interface Operation<
  T extends ParameterTable = ParameterTable,
  V extends object = Values<T>,
  R = unknown,
  C extends AnyCall = AnyCall,
  S extends readonly SourceFormat[] = readonly SourceFormat[],
> {
  readonly params: T;
  /**
   * Format that each source is converted to before the call. 'pixels': gray or RGBA like the source, on the arena.
   * 'color': gray with `colors` if the source has colors.
   */
  readonly sources: S;
  /**
   * 'image': the result is one GrayImage, made only from one source and the options. Such an operation is a filter, and
   * `<foveola-filter>` offers it automatically.
   */
  readonly gives?: 'image';
  /**
   * Images of its result may stay in the engine: if the caller asks for it ('asked'), or always. 'parts': on request,
   * the images within the result. An operation whose result is one image can be continued in a chain.
   */
  readonly keeps?: 'asked' | 'always' | 'parts';
  /** Replaces `sources` if the formats depend on the values. */
  formats?(params: V): readonly SourceFormat[];
  /**
   * Names of further positional arguments after the sources, for example ['points']. They are the last arguments of
   * `plan`.
   */
  readonly data?: readonly string[];
  /** Checks the parameters in place of the table, for parameters that are not numbers, booleans or choices. */
  resolve?(given: Record<string, unknown>): V;
  /** Models that a call with these parameters loads. */
  models?(given: Record<string, unknown>): readonly ModelRequest[];
  /** Only a type, see `C`. */
  readonly call?: C;
  /** Completes a result on the caller's thread. Not called for a result that stays in the engine. */
  arrived?(result: R): void;
  /**
   * The engine owns the planes and disposes of them. The result must be structured-cloneable. The memory of its typed
   * arrays is transferred to the page. Everything created through the scope is freed at the end of the plan.
   * @internal
   */
  plan(scope: Scope, planes: PlanesOf<S>, params: V, ...data: readonly unknown[]): Plan<R>;
}

/** One plane per source. */
export type PlanesOf<S extends readonly SourceFormat[]> = { readonly [K in keyof S]: Plane };

/** An operation with any parameter table. */
export type AnyOperation = Operation<ParameterTable, object>;
/** An operation in the registry, with its name. */
export type NamedOperation = AnyOperation & { readonly name: string };

/**
 * One tracker, which keeps state between frames. Calls arrive in order, one after the other. Frames overlap as far as
 * `entered` and `depth` allow. The engine owns the plane and disposes of it after the result. The memory of the
 * result's typed arrays is transferred to the page.
 */
export interface Tracker {
  process(plane: Plane, timestamp: number, context?: CallContext): Promise<unknown> | unknown;
  /** Maximum number of frames in flight, default 1. */
  readonly depth?: number;
  /** Methods in addition to the common ones, by name, for example 'add' of the object tracker. */
  readonly methods?: Readonly<Record<string, (...args: never[]) => unknown>>;
  reset(): void | Promise<void>;
  setParameters(params: Record<string, unknown>): void | Promise<void>;
  dispose(): void | Promise<void>;
}

/**
 * State that a tracker learned about each tracked object, by the object's number. It is saved regularly and passed to
 * the tracker after a restart.
 */
export interface TrackerMemory {
  /**
   * Names of methods. `take` accepts a number and returns what was learned. `give` accepts that and the number, and
   * restores the object. `drop` accepts the number of an object that is no longer tracked.
   */
  readonly take: string;
  readonly give: string;
  readonly drop: string;
  /** The object numbers in a result. */
  of(result: unknown): readonly number[];
}

/** `V`: the values that `create` receives. `C`: the engine method that creates such a tracker. */
export interface TrackerKind<
  T extends ParameterTable = ParameterTable,
  V extends object = Values<T>,
  C extends AnyCall = AnyCall,
> {
  readonly name: string;
  readonly params: T;
  readonly sources: 'gray' | 'rgba' | 'color';
  /** Checks the parameters in place of the table, for parameters that are not numbers, booleans or choices. */
  resolve?(given: Record<string, unknown>): V;
  /** Only a type, see `C`. */
  readonly call?: C;
  /** Accepts planes that are on the GPU. Without it, planes are on the arena. */
  readonly gpu?: boolean;
  /** Why it uses the WASM backend even if 'auto' found a hardware GPU. Shown in the capabilities. */
  readonly autoWasm?: string;
  /** Models that it loads. The call that creates such a tracker then returns a promise. */
  models?(given: Record<string, unknown>): readonly ModelRequest[];
  /** Names of the methods that its trackers have in addition to the common ones. */
  readonly methods?: readonly string[];
  /** Methods that load a model, which is their first argument. Their second argument holds a signal and onProgress. */
  readonly modelMethods?: Readonly<Record<string, (source: unknown) => readonly ModelRequest[]>>;
  /** How the learned state of its trackers is preserved when the engine's worker is lost. */
  readonly memory?: TrackerMemory;
  /** Names of methods whose first argument is a source. They receive (plane, timestamp, ...the other arguments). */
  readonly frameMethods?: readonly string[];
  /** @internal */
  create(runtime: Runtime, params: V): Tracker | Promise<Tracker>;
}

/** A tracker kind with any parameter table. */
export type AnyTrackerKind = TrackerKind<ParameterTable, object>;

const registered = new Map<string, NamedOperation>();
const kinds = new Map<string, AnyTrackerKind>();
const makers = new Map<string, AnyTrackerKind>();

/** Every imported operation, by its method name. */
export const operations: ReadonlyMap<string, NamedOperation> = registered;
/** Every imported kind of tracker, by its name. */
export const trackers: ReadonlyMap<string, AnyTrackerKind> = kinds;
/** Every imported kind of tracker, by the name of the engine method that creates it. */
export const trackerMethods: ReadonlyMap<string, AnyTrackerKind> = makers;

/**
 * Types an operation on sources `A`, which come before its options. The options may hold `E` in addition to its table.
 */
export const operationOn =
  <A extends readonly unknown[], E = unknown>() =>
  <const T extends ParameterTable, R, const S extends readonly SourceFormat[], V extends object = Values<T>>(
    operation: Operation<T, V, R, AnyCall, S>,
  ): Operation<T, V, R, Call<A, T, E, R>, S> =>
    operation as Operation<T, V, R, Call<A, T, E, R>, S>;

/**
 * Like `operationOn`, for an operation whose result has images or maps named `K` that stay in the engine on request.
 */
export const operationOfParts =
  <A extends readonly unknown[], R, K extends keyof R, E = unknown>() =>
  <const T extends ParameterTable, const S extends readonly SourceFormat[], V extends object = Values<T>>(
    operation: Omit<Operation<T, V, R, AnyCall, S>, 'keeps'>,
  ): Operation<T, V, R, PartsCall<A, T, E, R, K>, S> =>
    ({ ...operation, keeps: 'parts' }) as unknown as Operation<T, V, R, PartsCall<A, T, E, R, K>, S>;

/** Types an operation whose call has a special type. */
export const operationCalled =
  <C extends AnyCall>() =>
  <const T extends ParameterTable, R, const S extends readonly SourceFormat[], V extends object = Values<T>>(
    operation: Operation<T, V, R, AnyCall, S>,
  ): Operation<T, V, R, C, S> =>
    operation as Operation<T, V, R, C, S>;

/** Types an operation on one source, with the options of its table. */
export const operation = operationOn<[source: Source]>();

/** Types a kind of tracker that the engine method `C` creates. */
export const trackerKind =
  <C extends AnyCall>() =>
  <const T extends ParameterTable, V extends object = Values<T>>(kind: TrackerKind<T, V>): TrackerKind<T, V, C> =>
    kind as TrackerKind<T, V, C>;

/** Registers operations under their method names. A comment above a name here is the documentation of the method. */
export function defineOperations<const O extends Readonly<Record<string, AnyOperation>>>(named: O): O {
  for (const [name, operation] of Object.entries(named))
    registered.set(name, { ...operation, name, keeps: operation.keeps ?? (operation.gives && 'asked') });
  return named;
}

/** Registers kinds of trackers under the names of the methods that create them, with their documentation. */
export function defineTrackers<const K extends Readonly<Record<string, AnyTrackerKind>>>(named: K): K {
  for (const [method, kind] of Object.entries(named)) {
    kinds.set(kind.name, kind);
    makers.set(method, kind);
  }
  return named;
}

/** The engine methods for the registered entries. */
export type Methods<D extends Readonly<Record<string, { readonly call?: AnyCall }>>> = {
  [K in keyof D]: NonNullable<D[K]['call']>;
};

/** Checked parameters of one call or tracker, with defaults. Throws 'invalid-argument'. */
export function resolveOptions(
  of: Pick<NamedOperation, 'name' | 'params' | 'resolve'>,
  given: Record<string, unknown>,
): object {
  return reading(
    of.name,
    () => of.resolve?.(given) ?? resolveParameters(of.params, given as Given<ParameterTable>, of.name),
  );
}
