/** Every way a call can fail. The code is stable. The message explains what to change. */
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
 * The only error class of the package. `code` is stable and meant for programs. `message` is meant for people: it names
 * the argument and the accepted values, or what exactly to change. `partial` holds the results reached before an abort.
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

/**
 * Returns a FoveolaError unchanged, also from a part that is loaded later. Anything else becomes 'internal' with the
 * original as its cause.
 */
export function asFoveolaError(given: unknown, doing: string): FoveolaError {
  const error = asOurs(given);
  if (error instanceof FoveolaError) return error;
  if (error instanceof RangeError && /memory|allocation/i.test(error.message))
    return new FoveolaError('out-of-memory', `${doing}: the browser refused more memory. Use a smaller image.`, {
      cause: error,
    });
  return new FoveolaError('internal', `${doing} failed: ${textOf(error)}`, { cause: error });
}

/**
 * A thrown value as text for a message. It may be anything, including an object that cannot be converted to a string.
 */
export function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'no message';
  }
}

/**
 * Reads a caller's argument. Its getter or proxy may throw anything, which counts as an invalid argument.
 * @throws {FoveolaError} the error of `read` if it is a FoveolaError, 'out-of-memory', otherwise 'invalid-argument'
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

/** The WebGL context is lost. Work in flight fails with this error. The next call after a restore works again. */
export const lostError = () =>
  new FoveolaError(
    'context-lost',
    'The browser dropped the WebGL context (a GPU reset or too many contexts). It is restored automatically. Process the next frame, or use backend "wasm".',
  );

const ofTheGpu: readonly FoveolaErrorCode[] = ['context-lost', 'image-too-large', 'no-webgl2'];

/**
 * Whether only the GPU backend has this problem: its context is lost, its textures are too small, or a format is not
 * supported.
 */
export const onlyGpu = (error: unknown): boolean => error instanceof FoveolaError && ofTheGpu.includes(error.code);

/** Converts an error of a part that is loaded later, which has a separate FoveolaError class, to our class. */
export function asOurs(error: unknown): unknown {
  try {
    const { name, code, message, partial } = (error ?? {}) as FoveolaError;
    if (name !== 'FoveolaError' || error instanceof FoveolaError || !errorCodes.includes(code)) return error;
    return new FoveolaError(code, message, { cause: error, partial });
  } catch {
    return new Error('the thrown value cannot be read');
  }
}
