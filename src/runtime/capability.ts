/**
 * What a capability registers with the engine: one-shot operations and trackers. The engine knows nothing of pupils or
 * vessels; it moves frames, checks parameters, keeps order and reports errors, for all of them alike.
 */
import type { EngineImage, GrayImage, Sides, Source } from '../results/types.ts';
import type { CallOptions, TransferOption } from './engine/options.ts';
import { reading } from './error.ts';
import { resolveParameters, type Given, type ParameterTable, type Values } from './parameters.ts';
import type { Pauses } from './driver.ts';
import type { Plan } from './wasm/kernel-step.ts';
import type { Plane } from './plane.ts';
import type { Runtime } from './runtime.ts';
import type { Scope } from './scope.ts';

/** What a tracker gets beside the plane. */
export interface CallContext {
  /** Gives the thread back when 8 ms of a slice are used up; throws 'aborted' after a cancel. */
  readonly pauses: Pauses;
  /** Resolves when all calls before this one are done. A tracker whose frames overlap waits for it before it answers. */
  readonly before?: Promise<unknown>;
  /** Says that the next frame may begin, up to the tracker's depth; otherwise it begins when this one is answered. */
  entered?(): void;
}

/** Pauses of a frame that is brought to its end, whatever comes: what a tracker knows would belong to two frames. */
export const toTheEnd = ({ pauses }: CallContext): Pauses => ({ pause: () => pauses.pause().catch(() => {}) });

/** A model that a call needs, by its address or the name of a shipped one. */
export interface ModelRequest {
  /** 'cascade' or 'landmarks'. */
  readonly kind: string;
  readonly source: string;
}

/** Models of calls by the names of their parameters, and which kind they are. */
export const modelParameters = { cascade: 'cascade', confirm: 'cascade', model: 'landmarks' } as const;

/** The operation that loads models ahead of the call that needs them (src/models/operation.ts). */
export const LOAD_MODELS = 'loadModels';

/** Samples that a source is turned into. 'any': as it is, also a kept map; the plan says which it takes. */
export type SourceFormat = 'gray' | 'rgba' | 'pixels' | 'color' | 'any';

/** A result says which side computed it; lists do not. */
export type Sided<R> = R extends readonly unknown[] | void ? R : R & { readonly side: Sides };

/** Pictures of a result as they are where they stay in the engine; never, where it has none. */
type Kept<R> = R extends GrayImage | ImageData ? EngineImage : R extends readonly GrayImage[] ? EngineImage[] : never;

/** The parts `K` of a result as they are where they stay in the engine: pictures and maps. */
type KeptParts<R, K extends keyof R> = {
  [P in keyof R]: P extends K ? EngineImage | (undefined extends R[P] ? undefined : never) : R[P];
};

/** Of calls that take sources. */
type SourceCallOptions = CallOptions & TransferOption;

/** How the engine is called: what comes before the options, and options that the table `T` does not hold. */
type PlainCall<A extends readonly unknown[], T extends ParameterTable, E, R> =
  Record<never, never> extends E
    ? (...args: [...A, options?: Given<T> & E & SourceCallOptions & { keep?: false }]) => Promise<Sided<R>>
    : (...args: [...A, options: Given<T> & E & SourceCallOptions & { keep?: false }]) => Promise<Sided<R>>;
type Call<A extends readonly unknown[], T extends ParameterTable, E, R> = [Kept<R>] extends [never]
  ? PlainCall<A, T, E, R>
  : ((...args: [...A, options: Given<T> & E & SourceCallOptions & { keep: true }]) => Promise<Kept<R>>) &
      PlainCall<A, T, E, R>;
type PartsCall<A extends readonly unknown[], T extends ParameterTable, E, R, K extends keyof R> = ((
  ...args: [...A, options: Given<T> & E & SourceCallOptions & { keep: true }]
) => Promise<Sided<KeptParts<R, K>>>) &
  PlainCall<A, T, E, R>;
type AnyCall = (...args: never[]) => unknown;

/** One-shot work. `V`: the values that `plan` gets; `C`: the method of the engine that is made of it. */
export interface Operation<
  T extends ParameterTable = ParameterTable,
  V extends object = Values<T>,
  R = unknown,
  C extends AnyCall = AnyCall,
  S extends readonly SourceFormat[] = readonly SourceFormat[],
> {
  readonly params: T;
  /** What each source becomes before the call; 'pixels': gray or RGBA as the source has it, on the arena; 'color': gray with `colors` where the source has them. */
  readonly sources: S;
  /**
   * 'image': one GrayImage, made of one source and the options alone. What gives one is a filter, which `<foveola-filter>`
   * offers without a list of it.
   */
  readonly gives?: 'image';
  /**
   * Pictures of its result may stay in the engine: where the caller asks for it, or always. 'parts': where he asks for it,
   * those within its result; what is one picture can be followed in a chain.
   */
  readonly keeps?: 'asked' | 'always' | 'parts';
  /** In place of `sources`, where the values decide. */
  formats?(params: V): readonly SourceFormat[];
  /** Names of further positional arguments after the sources, for example ['points']; passed to `plan` at its end. */
  readonly data?: readonly string[];
  /** Checks the given parameters instead of the table alone, where some are no numbers, booleans or choices. */
  resolve?(given: Record<string, unknown>): V;
  /** What a call with these parameters loads, where it loads models. */
  models?(given: Record<string, unknown>): readonly ModelRequest[];
  /** Only a type: see `C`. */
  readonly call?: C;
  /** What is left to be done to a result, which does not stay in the engine, on the side of the caller. */
  arrived?(result: R): void;
  /**
   * The planes belong to the engine and are disposed of by it. The result must be structured-cloneable; the memory of
   * its typed arrays is handed over to the page. What it makes through its scope is freed at its end.
   * @internal
   */
  plan(scope: Scope, planes: PlanesOf<S>, params: V, ...data: readonly unknown[]): Plan<R>;
}

/** A plane for each source. */
export type PlanesOf<S extends readonly SourceFormat[]> = { readonly [K in keyof S]: Plane };

/** Of any table. */
export type AnyOperation = Operation<ParameterTable, object>;
/** As it stands in the registry. */
export type NamedOperation = AnyOperation & { readonly name: string };

/**
 * One tracker: state between frames. Calls arrive in order, one after the other; frames overlap as far as `entered` and `depth`
 * say. The plane belongs to the engine, which disposes of it after the result, and the memory of the result's
 * typed arrays is handed over to the page.
 */
export interface Tracker {
  process(plane: Plane, timestamp: number, context?: CallContext): Promise<unknown> | unknown;
  /** Frames that may be under way at a time; default 1. */
  readonly depth?: number;
  /** Methods beyond the common ones, by name, for example 'add' of the object tracker. */
  readonly methods?: Readonly<Record<string, (...args: never[]) => unknown>>;
  reset(): void | Promise<void>;
  setParameters(params: Record<string, unknown>): void | Promise<void>;
  dispose(): void | Promise<void>;
}

/** What was learned of each thing that is tracked, by its number: taken now and then, given to a tracker that comes back. */
export interface TrackerMemory {
  /** Methods: of a number, what was learned; of that and the number, there it is again; of a number, it is tracked no more. */
  readonly take: string;
  readonly give: string;
  readonly drop: string;
  /** The numbers in a result. */
  of(result: unknown): readonly number[];
}

/** `V`: the values that `create` gets; `C`: the method of the engine that makes such a tracker. */
export interface TrackerKind<
  T extends ParameterTable = ParameterTable,
  V extends object = Values<T>,
  C extends AnyCall = AnyCall,
> {
  readonly name: string;
  readonly params: T;
  readonly sources: 'gray' | 'rgba' | 'color';
  /** Checks the given parameters instead of the table alone, where some are no numbers, booleans or choices. */
  resolve?(given: Record<string, unknown>): V;
  /** Only a type: see `C`. */
  readonly call?: C;
  /** Takes planes that live on the GPU; without it they are on the arena. */
  readonly gpu?: boolean;
  /** Why it keeps to the WASM side where 'auto' found graphics hardware; shown in capabilities. */
  readonly autoWasm?: string;
  /** What it loads: the call that makes such a tracker gives a promise. */
  models?(given: Record<string, unknown>): readonly ModelRequest[];
  /** Names of the methods that its trackers have beyond the common ones. */
  readonly methods?: readonly string[];
  /** Methods that load a model, given by their first argument: they take a signal and onProgress as their second. */
  readonly modelMethods?: Readonly<Record<string, (source: unknown) => readonly ModelRequest[]>>;
  /** How what its trackers have learned outlives the engine's worker. */
  readonly memory?: TrackerMemory;
  /** Names of methods whose first argument is a source: they get (plane, timestamp, ...the other arguments). */
  readonly frameMethods?: readonly string[];
  /** @internal */
  create(runtime: Runtime, params: V): Tracker | Promise<Tracker>;
}

/** Of any table. */
export type AnyTrackerKind = TrackerKind<ParameterTable, object>;

const registered = new Map<string, NamedOperation>();
const kinds = new Map<string, AnyTrackerKind>();
const makers = new Map<string, AnyTrackerKind>();

/** Every operation that has been imported, by the name of its method. */
export const operations: ReadonlyMap<string, NamedOperation> = registered;
/** Every kind of tracker that has been imported, by its name. */
export const trackers: ReadonlyMap<string, AnyTrackerKind> = kinds;
/** The same by the names of the engine's methods that make them. */
export const trackerMethods: ReadonlyMap<string, AnyTrackerKind> = makers;

/** An operation on sources `A` before its options, which may hold `E` beside its table: gives it its types. */
export const operationOn =
  <A extends readonly unknown[], E = unknown>() =>
  <const T extends ParameterTable, R, const S extends readonly SourceFormat[], V extends object = Values<T>>(
    operation: Operation<T, V, R, AnyCall, S>,
  ): Operation<T, V, R, Call<A, T, E, R>, S> =>
    operation as Operation<T, V, R, Call<A, T, E, R>, S>;

/** The same for one whose result has pictures or maps under the names `K`, which stay in the engine on request. */
export const operationOfParts =
  <A extends readonly unknown[], R, K extends keyof R, E = unknown>() =>
  <const T extends ParameterTable, const S extends readonly SourceFormat[], V extends object = Values<T>>(
    operation: Omit<Operation<T, V, R, AnyCall, S>, 'keeps'>,
  ): Operation<T, V, R, PartsCall<A, T, E, R, K>, S> =>
    ({ ...operation, keeps: 'parts' }) as unknown as Operation<T, V, R, PartsCall<A, T, E, R, K>, S>;

/** An operation whose call has a type of its own. */
export const operationCalled =
  <C extends AnyCall>() =>
  <const T extends ParameterTable, R, const S extends readonly SourceFormat[], V extends object = Values<T>>(
    operation: Operation<T, V, R, AnyCall, S>,
  ): Operation<T, V, R, C, S> =>
    operation as Operation<T, V, R, C, S>;

/** An operation on one source, with the options of its table. */
export const operation = operationOn<[source: Source]>();

/** A kind of tracker that the method `C` of the engine makes: gives it its types. */
export const trackerKind =
  <C extends AnyCall>() =>
  <const T extends ParameterTable, V extends object = Values<T>>(kind: TrackerKind<T, V>): TrackerKind<T, V, C> =>
    kind as TrackerKind<T, V, C>;

/** Registers operations under the names of their methods: what is written over a name here is the method's docs. */
export function defineOperations<const O extends Readonly<Record<string, AnyOperation>>>(named: O): O {
  for (const [name, operation] of Object.entries(named))
    registered.set(name, { ...operation, name, keeps: operation.keeps ?? (operation.gives && 'asked') });
  return named;
}

/** Registers kinds of trackers under the names of the methods that make them, with their docs. */
export function defineTrackers<const K extends Readonly<Record<string, AnyTrackerKind>>>(named: K): K {
  for (const [method, kind] of Object.entries(named)) {
    kinds.set(kind.name, kind);
    makers.set(method, kind);
  }
  return named;
}

/** The engine's methods for what is registered. */
export type Methods<D extends Readonly<Record<string, { readonly call?: AnyCall }>>> = {
  [K in keyof D]: NonNullable<D[K]['call']>;
};

/** The parameters of one call or tracker, checked, with defaults. Throws 'invalid-argument'. */
export function resolveOptions(
  of: Pick<NamedOperation, 'name' | 'params' | 'resolve'>,
  given: Record<string, unknown>,
): object {
  return reading(
    of.name,
    () => of.resolve?.(given) ?? resolveParameters(of.params, given as Given<ParameterTable>, of.name),
  );
}
