/** The bytes of a model from an address: with a limit, reported as they come, gone on with after a break, and ended by a signal. */
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

/** At most `limit` bytes of a file, from one answer or from two; a longer one is refused before it is read. */
class Arriving {
  readonly #url: URL;
  readonly #options: Fetching;
  #bytes = new Uint8Array(0);
  #size = 0;
  #total: number | null = null;

  constructor(url: URL, options: Fetching) {
    this.#url = url;
    this.#options = options;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#size === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#size);
  }

  /** All of an answer: the whole file, or what the one before it did not bring. */
  async take(response: Response): Promise<void> {
    const { limit, report } = this.#options;
    const tooLarge = () => loadFailed(`${this.#url.href} is larger than ${limit >> 20} MiB, which no such model is.`);
    if (response.status !== 206) this.#size = 0;
    if (this.#size + Number(response.headers.get('Content-Length') ?? 0) > limit) throw tooLarge();
    const length = lengthOf(response);
    this.#total = length && this.#size + length;
    this.#grow(this.#total ?? 1 << 16);
    const reader = response.body?.getReader();
    let toldAt = -Infinity;
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (!value) break;
      const end = this.#size + value.length;
      if (end > limit) {
        await reader!.cancel();
        throw tooLarge();
      }
      if (this.#total !== null && end > this.#total) this.#total = null; // compressed on the way, by someone who does not say so
      if (end > this.#bytes.length) this.#grow(Math.min(limit, Math.max(end, 2 * this.#bytes.length)));
      this.#bytes.set(value, this.#size);
      this.#size = end;
      const now = performance.now();
      if (now - toldAt < TELL_EVERY) continue;
      toldAt = now;
      report({ loaded: end, total: this.#total });
    }
    report({ loaded: this.#size, total: this.#size });
  }

  #grow(length: number): void {
    const larger = new Uint8Array(Math.max(this.#size, length));
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = larger;
  }

  /**
   * The rest, where the connection broke. What is there is kept if the server names its version, and still has that one.
   * Another origin is not sent If-Range, which it would have to allow: there the version, or the file's hash, is compared.
   */
  async resume(first: Response, init: RequestInit): Promise<void> {
    const version = versionOf(first);
    const from = this.#size;
    try {
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
      const foreign = globalThis.location && location.origin !== this.#url.origin;
      const headers = version && from ? { Range: `bytes=${from}-`, ...(!foreign && { 'If-Range': version }) } : {};
      const rest = await fetch(this.#url, { ...init, headers });
      const range = rest.headers.get('Content-Range'); // other origins seldom show it
      const fits = rest.status !== 206 || !range || range.startsWith(`bytes ${from}-`);
      const same = !foreign || rest.status !== 206 || this.#options.integrity || versionOf(rest) === version;
      if (whatIsWrong(rest) || !fits || !same) throw new Error(`HTTP ${rest.status}`);
      await this.take(rest);
    } catch (cause) {
      if (cause instanceof FoveolaError) throw cause;
      const of = this.#total ? ` of ${this.#total}` : '';
      throw loadFailed(`${this.#url.href} broke off after ${this.#size}${of} bytes; load it again.`, cause);
    }
  }
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
    const response = await fetch(url, init);
    const wrong = whatIsWrong(response);
    if (wrong)
      throw loadFailed(
        shipped
          ? `The model was not found at ${href}: ${wrong}. Copy the folder models of the package's dist folder there, or name its place with setAssetBase('URL/'), the attribute asset-base or (CDN) data-assets.`
          : `The model was not found at ${href}: ${wrong}. Correct the address.`,
      );
    const file = new Arriving(url, options);
    await file.take(response).catch((error: unknown) => {
      if (signal.aborted || error instanceof FoveolaError) throw error;
      return file.resume(response, init);
    });
    const { bytes } = file;
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
        : `The model ${href} could not be loaded. It must exist${integrity ? ', be that of this version, and whole' : ''}, connect-src must allow it, and another origin must send Access-Control-Allow-Origin.`,
      cause,
    );
  } finally {
    policy.end();
  }
}
