/** What every call takes beside its parameters: a signal that ends it, and a function that gets how far it is. */
import type { Progress } from './engine-protocol.ts';
import { FoveolaError } from '../error.ts';

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: Progress;
}

/** What keeps pictures in the engine (see EngineImage). */
export interface KeepOption {
  keep?: boolean;
}

export const abortedError = (signal: AbortSignal) =>
  new FoveolaError('aborted', 'The call was cancelled.', { cause: signal.reason });

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  if (!(signal instanceof AbortSignal))
    throw new FoveolaError('invalid-argument', 'signal must be an AbortSignal (new AbortController().signal).');
  if (signal.aborted) throw abortedError(signal);
}

/**
 * The last argument of an operation: its parameters, and what is not one. Addresses become text, since a URL cannot be
 * posted to a worker.
 */
export function splitOptions(
  options: unknown,
  where: string,
): CallOptions & KeepOption & { params: Record<string, unknown> } {
  if (options === undefined) return { params: {} };
  if (typeof options !== 'object' || options === null)
    throw new FoveolaError('invalid-argument', `${where}: the last argument must be an object of parameters.`);
  const { signal, onProgress, keep, ...params } = options as CallOptions & KeepOption & Record<string, unknown>;
  if (keep !== undefined && typeof keep !== 'boolean')
    throw new FoveolaError('invalid-argument', `${where}: keep must be true or false.`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new FoveolaError('invalid-argument', `${where}: onProgress must be a function.`);
  for (const [name, value] of Object.entries(params)) if (value instanceof URL) params[name] = value.href;
  return { signal, onProgress, keep, params };
}
