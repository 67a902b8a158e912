/** The bytes of a model from an address: with a limit, reported as they come, gone on with after a break, and ended by a signal. */
import { throwIfAborted } from '../runtime/engine/queue.ts';
import { FoveolaError } from '../runtime/error.ts';
import { whatIsWrong } from '../runtime/engine/loading.ts';
import { readFile } from '../runtime/files.ts';
import { isSilence, networkFault, patientFetch } from '../runtime/patience.ts';
import { sourceInPolicy, watchPolicy } from '../runtime/engine/policy.ts';

/** How much of a model is there. */
export interface LoadState {
  /** Bytes. */
  readonly loaded: number;
  /** Bytes of the whole; null where the server does not say. */
  readonly total: number | null;
}

export interface Fetching {
  readonly limit: number;
  /** The file's hash, where it is known. */
  readonly integrity?: string;
  /** A model of the package, for which setAssetBase names the folder. */
  readonly shipped: boolean;
  readonly signal: AbortSignal;
  report(state: LoadState): void;
}

/** Telling more often than this many milliseconds helps nobody. */
const TELL_EVERY = 50;
/** Milliseconds after which a connection that broke is tried once more. */
const RETRY_AFTER = 500;

export const loadFailed = (text: string, cause?: unknown) => new FoveolaError('model-load', text, { cause });

/** The length that will be read; a compressed answer tells that of its compressed form. */
function lengthOf({ headers }: Response): number | null {
  const length = Number(headers.get('Content-Length') ?? NaN);
  return length > 0 && !headers.get('Content-Encoding') ? length : null;
}

/** What tells this version of the file from others. */
function versionOf({ headers }: Response): string | null {
  const tag = headers.get('ETag');
  return tag?.startsWith('"') ? tag : headers.get('Last-Modified');
}

/**
 * At most `limit` bytes of a file; a longer one is refused before it is read. Where the connection breaks, what is there is
 * kept, and the rest asked for once, if the server names the file's version and still has that one; else all of it. Another
 * origin is not sent If-Range, which it would have to allow: there versions are compared.
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
      if (total !== null && end > total) total = null; // compressed on the way, by someone who does not say so
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
  /** An abort, or a file that is too large: not to be tried again. */
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

/** @throws {FoveolaError} (rejects) 'model-load', and what the signal was aborted with */
export async function fetchModel(href: string, options: Fetching): Promise<Uint8Array> {
  const { signal, integrity, shipped } = options;
  const url = new URL(href);
  const policy = watchPolicy();
  try {
    if (url.protocol === 'file:' && typeof document === 'undefined') return readFile(url);
    // Where the page can hash, it does so itself: fetch with a hash keeps all bytes back until the last one is there.
    const subtle = integrity && globalThis.crypto?.subtle;
    const init = { signal, ...(!subtle && integrity && { integrity }) };
    const response = await patientFetch(url, init);
    const wrong = whatIsWrong(response);
    if (wrong)
      throw loadFailed(
        shipped
          ? `The model was not found at ${href}: ${wrong}. Copy the folder models of the package's dist folder there, or name its folder with setAssetBase('URL/'), the attribute asset-base or (CDN) data-assets.`
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
