/**
 * Loads the bytes of a model from a URL, with a size limit, progress reports, one resume after an interruption, and an
 * abort signal.
 */
import { throwIfAborted } from '../runtime/engine/queue.ts';
import { FoveolaError } from '../runtime/error.ts';
import { whatIsWrong, readFile } from '../runtime/engine/loading.ts';
import { isSilence, networkFault, patientFetch } from '../runtime/patience.ts';
import { sourceInPolicy, watchPolicy } from '../runtime/engine/policy.ts';

/** Progress of loading a model. */
export interface LoadState {
  /** Number of bytes. */
  readonly loaded: number;
  /** Total number of bytes. Null if the server does not report it. */
  readonly total: number | null;
}

export interface Fetching {
  readonly limit: number;
  /** Hash of the file, if it is known. */
  readonly integrity?: string;
  /** True for a model of the package. setAssetBase sets its folder. */
  readonly shipped: boolean;
  readonly signal: AbortSignal;
  report(state: LoadState): void;
}

/** Minimum time in milliseconds between two progress reports. */
const TELL_EVERY = 50;
/** Delay in milliseconds before an interrupted connection is retried once. */
const RETRY_AFTER = 500;

export const loadFailed = (text: string, cause?: unknown) => new FoveolaError('model-load', text, { cause });

/** Returns the number of bytes to read. For a compressed response, the header has the compressed length. */
function lengthOf({ headers }: Response): number | null {
  const length = Number(headers.get('Content-Length') ?? NaN);
  return length > 0 && !headers.get('Content-Encoding') ? length : null;
}

/** Returns the value that distinguishes this version of the file from others. */
function versionOf({ headers }: Response): string | null {
  const tag = headers.get('ETag');
  return tag?.startsWith('"') ? tag : headers.get('Last-Modified');
}

/**
 * Downloads at most `limit` bytes of a file. A longer file is rejected before it is read. If the connection breaks, the
 * received bytes are kept. The rest is requested once, if the server identifies the file's version and still has that
 * version. Otherwise the whole file is requested. If-Range is not sent to another origin, which would have to allow it.
 * There, versions are compared.
 */
async function download(
  first: Response,
  url: URL,
  init: RequestInit,
  options: Fetching,
): Promise<Uint8Array<ArrayBuffer>> {
  const { limit, signal, report } = options;
  let bytes = new Uint8Array(0);
  let size = 0;
  let total: number | null = null;
  const tooLarge = () => loadFailed(`${url.href} is larger than ${limit >> 20} MiB. Check that it is a model.`);
  const grow = (length: number) => {
    const larger = new Uint8Array(Math.max(size, length));
    larger.set(bytes.subarray(0, size));
    bytes = larger;
  };
  const take = async (response: Response) => {
    if (response.status !== 206) size = 0;
    if (size + Number(response.headers.get('Content-Length') ?? 0) > limit) throw tooLarge();
    const length = lengthOf(response);
    total = length && size + length;
    grow(total ?? 1 << 16);
    const reader = response.body?.getReader();
    let toldAt = -Infinity;
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (!value) break;
      const end = size + value.length;
      if (end > limit) {
        await reader!.cancel();
        throw tooLarge();
      }
      if (total !== null && end > total) total = null; // compressed in transit, without a header for it
      if (end > bytes.length) grow(Math.min(limit, Math.max(end, 2 * bytes.length)));
      bytes.set(value, size);
      size = end;
      const now = performance.now();
      if (now - toldAt < TELL_EVERY) continue;
      toldAt = now;
      report({ loaded: size, total });
    }
    report({ loaded: size, total: size });
  };
  /** An abort, or a file that is too large, is not retried. */
  const isFinal = (error: unknown) => signal.aborted || error instanceof FoveolaError;
  try {
    await take(first);
  } catch (error) {
    if (isFinal(error)) throw error;
    const version = size && versionOf(first);
    const foreign = globalThis.location && location.origin !== url.origin;
    const headers = version ? { Range: `bytes=${size}-`, ...(!foreign && { 'If-Range': version }) } : {};
    try {
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
      const rest = await patientFetch(url, { ...init, headers });
      if (whatIsWrong(rest) || (foreign && rest.status === 206 && versionOf(rest) !== version)) throw error;
      await take(rest);
    } catch (cause) {
      if (isFinal(cause)) throw cause;
      throw loadFailed(
        `${url.href} was interrupted after ${size}${total ? ` of ${total}` : ''} bytes${isSilence(cause) ? `: ${networkFault(cause)}` : ''}. Load it again.`,
        cause,
      );
    }
  }
  return size === bytes.length ? bytes : bytes.slice(0, size);
}

/** @throws {FoveolaError} (rejects) 'model-load', and the signal's abort reason */
export async function fetchModel(href: string, options: Fetching): Promise<Uint8Array> {
  const { signal, integrity, shipped } = options;
  const url = new URL(href);
  const policy = watchPolicy();
  try {
    if (url.protocol === 'file:' && typeof document === 'undefined') return readFile(url);
    // If the page can hash, it does so itself, because fetch with a hash holds all bytes back until the last one has
    // arrived.
    const subtle = integrity && globalThis.crypto?.subtle;
    const init = { signal, ...(!subtle && integrity && { integrity }) };
    const response = await patientFetch(url, init);
    const wrong = whatIsWrong(response);
    if (wrong)
      throw loadFailed(
        shipped
          ? `The model was not found at ${href}: ${wrong}. Copy the folder models of dist there, or name its folder with setAssetBase('URL/'), the attribute asset-base or (CDN) data-assets.`
          : `The model was not found at ${href}: ${wrong}. Correct the address.`,
      );
    const bytes = await download(response, url, init, options);
    if (subtle) {
      const hash = String.fromCharCode(...new Uint8Array(await subtle.digest('SHA-384', bytes)));
      if (integrity !== `sha384-${btoa(hash)}`)
        throw loadFailed(`${href} is not of this version. Copy its models there.`);
    }
    return bytes;
  } catch (cause) {
    throwIfAborted(signal);
    if (cause instanceof FoveolaError && cause.code === 'model-load') throw cause;
    const directive = await policy.blocked(url);
    throw loadFailed(
      directive
        ? `The page's Content-Security-Policy does not allow the model ${href}: add ${sourceInPolicy(url)} to connect-src.`
        : isSilence(cause)
          ? `The model ${href} could not be loaded: ${networkFault(cause)}. Load it again.`
          : `The model ${href} could not be loaded. It must exist${integrity ? ', match this version, be complete' : ''}, connect-src must allow it, and another origin must send Access-Control-Allow-Origin.`,
      cause,
    );
  } finally {
    policy.end();
  }
}
