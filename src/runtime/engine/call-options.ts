/** What every call takes beside its parameters: a signal that ends it, and a function that gets how far it is. */
import type { Progress } from './engine-protocol.ts';
import { FoveolaError, reading } from '../error.ts';

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: Progress;
}

/** What keeps pictures in the engine (see EngineImage). */
export interface KeepOption {
  keep?: boolean;
}

/** Of calls that take sources. */
export interface TransferOption {
  /**
   * true: the sources are given away. Their samples go to the engine without a copy, and their buffers are detached
   * (`data.length` is 0) when the call returns; a VideoFrame or an ImageBitmap is closed. Without it the call takes a copy
   * before it returns, so that you may change your arrays at once.
   */
  transfer?: boolean;
}

export const abortedError = (signal: AbortSignal) =>
  new FoveolaError('aborted', 'The call was cancelled.', { cause: signal.reason });

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  if (!isSignal(signal))
    throw new FoveolaError('invalid-argument', 'signal must be an AbortSignal (new AbortController().signal).');
  if (signal.aborted) throw abortedError(signal);
}

/** A proxy of one is none: its getters refuse it. */
function isSignal(signal: unknown): signal is AbortSignal {
  try {
    return signal instanceof AbortSignal && typeof signal.aborted === 'boolean';
  } catch {
    return false;
  }
}

/** Throws 'invalid-argument' for what is neither left out nor true or false. */
export function checkFlag(where: string, name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean')
    throw new FoveolaError('invalid-argument', `${where}: ${name} must be true or false.`);
}

/** Own properties of an object of options, each read once. Throws 'invalid-argument'. */
export function readOptions(options: unknown, where: string): Record<string, unknown> {
  if (typeof options !== 'object' || options === null)
    throw new FoveolaError('invalid-argument', `${where}: the options must be an object.`);
  return reading(`${where}: the options`, () => ({ ...options }));
}

/**
 * The last argument of an operation: its parameters, and what is not one. Addresses become text, since a URL cannot be
 * posted to a worker.
 */
export function splitOptions(
  options: unknown,
  where: string,
): CallOptions & KeepOption & TransferOption & { params: Record<string, unknown> } {
  if (options === undefined) return { params: {} };
  if (typeof options !== 'object' || options === null)
    throw new FoveolaError('invalid-argument', `${where}: the last argument must be an object of parameters.`);
  const { signal, onProgress, keep, transfer, ...params } = readOptions(options, where) as CallOptions &
    KeepOption &
    TransferOption &
    Record<string, unknown>;
  checkFlag(where, 'keep', keep);
  checkFlag(where, 'transfer', transfer);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new FoveolaError('invalid-argument', `${where}: onProgress must be a function.`);
  reading(where, () => {
    for (const [name, value] of Object.entries(params)) if (value instanceof URL) params[name] = value.href;
  });
  return { signal, onProgress, keep, transfer, params };
}
