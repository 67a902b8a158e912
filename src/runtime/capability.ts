/**
 * What a capability registers with the engine: one-shot operations and trackers. The engine knows nothing of pupils or
 * vessels; it moves frames, checks parameters, keeps order and reports errors, for all of them alike.
 */
import { resolveParameters, type Given, type ParameterTable, type Values } from './parameters.ts';
import type { Plan } from './kernel-step.ts';
import type { Plane } from './plane.ts';
import type { Runtime } from './runtime.ts';
import type { Scope } from './scope.ts';

/** What an operation or a tracker gets beside the planes. */
export interface CallContext {
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  /** Progress 0..1 of long work; costs nothing when nobody listens. */
  progress(done: number, detail?: unknown): void;
  /** Gives the thread back when 8 ms of a slice are used up; throws 'aborted' after a cancel. */
  slice(): Promise<void>;
}

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

/** Samples that a source is turned into. */
export type Wanted = 'gray' | 'rgba' | 'pixels';

export interface Operation<T extends ParameterTable = ParameterTable, S extends readonly Wanted[] = readonly Wanted[]> {
  readonly name: string;
  readonly params: T;
  /** What each source becomes before the call; 'pixels': gray or RGBA as the source has it, on the arena. */
  readonly sources: S;
  /** Names of further positional arguments after the sources, for example ['points']; passed to `run` at its end. */
  readonly data?: readonly string[];
  /** Checks the given parameters instead of the table alone, where some are no numbers, booleans or choices. */
  resolve?(given: Record<string, unknown>): Values<T>;
  /** What a call with these parameters loads, where it loads models. */
  models?(given: Record<string, unknown>): readonly ModelRequest[];
  /**
   * The planes belong to the engine and are disposed of by it. The result must be structured-cloneable; the memory of
   * its typed arrays is handed over to the page.
   */
  run?(
    context: CallContext,
    planes: readonly Plane[],
    params: Values<T>,
    ...data: readonly unknown[]
  ): Promise<unknown> | unknown;
  /** The same as a plan: what it makes through its scope is freed at its end. */
  plan?(scope: Scope, planes: PlanesOf<S>, params: Values<T>, ...data: readonly unknown[]): Plan<unknown>;
}

/** A plane for each source. */
export type PlanesOf<S extends readonly Wanted[]> = { readonly [K in keyof S]: Plane };

/**
 * One tracker: state between frames. `process` calls arrive in order, one after the other or, with `ready`, as soon as
 * that resolves; the plane belongs to the engine, which disposes of it after the result, and the memory of the result's
 * typed arrays is handed over to the page.
 */
export interface Tracker {
  process(plane: Plane, timestamp: number, context: CallContext): Promise<unknown> | unknown;
  /** Resolves when the next frame may come though results of earlier ones are still on their way. */
  ready?(): Promise<void>;
  /** Methods beyond the common ones, by name, for example 'add' of the object tracker. */
  readonly methods?: Readonly<Record<string, (...args: never[]) => unknown>>;
  /** These may wait for the frames under way. */
  reset(): void | Promise<void>;
  setParameters(params: Record<string, unknown>): void | Promise<void>;
  dispose(): void | Promise<void>;
}

export interface TrackerKind<T extends ParameterTable = ParameterTable> {
  readonly name: string;
  readonly params: T;
  readonly sources: 'gray' | 'rgba';
  /** Checks the given parameters instead of the table alone, where some are no numbers, booleans or choices. */
  resolve?(given: Record<string, unknown>): Values<T>;
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
  /** Names of methods whose first argument is a source: they get (plane, timestamp, ...the other arguments). */
  readonly frameMethods?: readonly string[];
  create(runtime: Runtime, params: Values<T>): Tracker | Promise<Tracker>;
}

export const operations = new Map<string, Operation>();
export const trackers = new Map<string, TrackerKind>();

export function defineOperation<const T extends ParameterTable, const S extends readonly Wanted[]>(
  operation: Operation<T, S>,
): Operation<T, S> {
  operations.set(operation.name, operation as unknown as Operation);
  return operation;
}

export function defineTracker<const T extends ParameterTable>(kind: TrackerKind<T>): TrackerKind<T> {
  trackers.set(kind.name, kind as unknown as TrackerKind);
  return kind;
}

/** The parameters of one call or tracker, checked, with defaults. Throws 'invalid-argument'. */
export function resolveOptions(
  of: Pick<Operation, 'name' | 'params' | 'resolve'>,
  given: Record<string, unknown>,
): Values<ParameterTable> {
  return of.resolve?.(given) ?? resolveParameters(of.params, given as Given<ParameterTable>, of.name);
}
