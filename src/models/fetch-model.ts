/** The bytes of a model from an address: with a limit, reported as they come, and ended by a signal. */
import { throwIfAborted } from '../runtime/engine/engine-scheduler.ts';
import { FoveolaError } from '../runtime/error.ts';
import { whatIsWrong } from '../runtime/engine/fetch-asset.ts';
import { readFile } from '../runtime/files.ts';
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

export const loadFailed = (text: string, cause?: unknown) => new FoveolaError('model-load', text, { cause });

/** The length that will be read; a compressed answer tells that of its compressed form. */
function lengthOf({ headers }: Response): number | null {
  const length = Number(headers.get('Content-Length') ?? NaN);
  return length > 0 && !headers.get('Content-Encoding') ? length : null;
}

/** At most `limit` bytes of an answer; a longer one is refused before it is read. */
async function limited(response: Response, url: URL, { limit, report }: Fetching): Promise<Uint8Array> {
  const tooLarge = () => loadFailed(`${url.href} is larger than ${limit >> 20} MiB, which no such model is.`);
  if (Number(response.headers.get('Content-Length') ?? 0) > limit) throw tooLarge();
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  let total = lengthOf(response);
  let bytes = new Uint8Array(total ?? 1 << 16);
  let size = 0;
  let toldAt = -Infinity;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const end = size + value.length;
    if (end > limit) {
      await reader.cancel();
      throw tooLarge();
    }
    if (total !== null && end > total) total = null; // compressed on the way, by someone who does not say so
    if (end > bytes.length) {
      const larger = new Uint8Array(Math.min(limit, Math.max(end, 2 * bytes.length)));
      larger.set(bytes.subarray(0, size));
      bytes = larger;
    }
    bytes.set(value, size);
    size = end;
    const now = performance.now();
    if (now - toldAt < TELL_EVERY) continue;
    toldAt = now;
    report({ loaded: size, total });
  }
  report({ loaded: size, total: size });
  return size === bytes.length ? bytes : bytes.slice(0, size);
}

/** @throws {FoveolaError} (rejects) 'model-load', and what the signal was aborted with */
export async function fetchModel(href: string, options: Fetching): Promise<Uint8Array> {
  const { signal, integrity, shipped } = options;
  const url = new URL(href);
  const policy = watchPolicy();
  try {
    if (url.protocol === 'file:' && typeof document === 'undefined') return readFile(url);
    const response = await fetch(url, { signal, ...(integrity && { integrity }) });
    const wrong = whatIsWrong(response);
    if (wrong)
      throw loadFailed(
        shipped
          ? `The model was not found at ${href}: ${wrong}. Copy the folder models of the package's dist folder there, or name its place with setAssetBase('URL/'), the attribute asset-base or (CDN) data-assets.`
          : `The model was not found at ${href}: ${wrong}. Correct the address.`,
      );
    return await limited(response, url, options);
  } catch (cause) {
    throwIfAborted(signal);
    if (cause instanceof FoveolaError && cause.code === 'model-load') throw cause;
    const directive = await policy.blocked(url);
    throw loadFailed(
      directive
        ? `The page's Content-Security-Policy does not allow the model ${href}: add ${sourceInPolicy(url)} to connect-src.`
        : `The model ${href} could not be loaded. It must exist${integrity ? ', be that of this version' : ''}, connect-src must allow it, and another origin must send Access-Control-Allow-Origin.`,
      cause,
    );
  } finally {
    policy.end();
  }
}
