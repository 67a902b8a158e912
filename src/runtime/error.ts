/** Every way a call can fail. The code is stable; the message says what to change. */
export const errorCodes = [
  'no-webgl2',
  'context-lost',
  'wasm-blocked',
  'worker-blocked',
  'worker-lost',
  'engine-stopped',
  'asset-missing',
  'asset-blocked',
  'camera-denied',
  'camera-missing',
  'camera-blocked-by-policy',
  'insecure-context',
  'built-in-replaced',
  'source-unsupported',
  'source-not-ready',
  'source-tainted',
  'network-failed',
  'decode-failed',
  'image-too-large',
  'model-load',
  'model-format',
  'model-checksum',
  'invalid-argument',
  'out-of-memory',
  'storage-full',
  'storage-failed',
  'clipboard-refused',
  'aborted',
  'disposed',
  'internal',
] as const;

export type FoveolaErrorCode = (typeof errorCodes)[number];

/**
 * The one error class of the package. `code` is stable and meant for programs, `message` for people: it names the
 * argument and the accepted values, or the exact thing to change. `partial` holds what was reached before an abort.
 */
export class FoveolaError extends Error {
  override readonly name = 'FoveolaError';
  readonly code: FoveolaErrorCode;
  readonly partial?: unknown;

  constructor(code: FoveolaErrorCode, message: string, options: { cause?: unknown; partial?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.partial !== undefined) this.partial = options.partial;
  }
}

/** A FoveolaError as it is, also of a part that is loaded later; anything else becomes 'internal' with the original as its cause. */
export function asFoveolaError(given: unknown, doing: string): FoveolaError {
  const error = asOurs(given);
  if (error instanceof FoveolaError) return error;
  if (error instanceof RangeError && /memory|allocation/i.test(error.message))
    return new FoveolaError('out-of-memory', `${doing}: the browser refused more memory. Use a smaller image.`, {
      cause: error,
    });
  return new FoveolaError('internal', `${doing} failed: ${textOf(error)}`, { cause: error });
}

/** What was thrown, for a message: it may be anything, also an object that has no string. */
export function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'no message';
  }
}

/**
 * Reads what a caller gave: a getter or a proxy of theirs may throw anything, which is a fault of the argument.
 * @throws {FoveolaError} what `read` throws if it is one, 'out-of-memory', else 'invalid-argument'
 */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const error = asFoveolaError(cause, what);
    if (error.code !== 'internal') throw error;
    throw new FoveolaError('invalid-argument', `${what} cannot be read: ${textOf(cause)}`, { cause });
  }
}

/** The WebGL context is lost: work in flight fails with this, the next good call works again. */
export const lostError = () =>
  new FoveolaError(
    'context-lost',
    'The browser dropped the WebGL context (GPU reset, too many contexts or the device slept). It is restored automatically. Process the next frame, or use backend "wasm".',
  );

const ofTheGpu: readonly FoveolaErrorCode[] = ['context-lost', 'image-too-large', 'no-webgl2'];

/** Whether only the GPU side cannot: its context is lost, its textures are too small, a format is not there. */
export const onlyGpu = (error: unknown): boolean => error instanceof FoveolaError && ofTheGpu.includes(error.code);

/** An error of a part that is loaded later and has a FoveolaError of its own, as one of ours. */
export function asOurs(error: unknown): unknown {
  try {
    const { name, code, message, partial } = (error ?? {}) as FoveolaError;
    if (name !== 'FoveolaError' || error instanceof FoveolaError || !errorCodes.includes(code)) return error;
    return new FoveolaError(code, message, { cause: error, partial });
  } catch {
    return new Error('the thrown value cannot be read');
  }
}
