/** Models by name, address or bytes, read once an engine. */
import { FoveolaError } from '../runtime/error.ts';
import { whatIsWrong } from '../runtime/fetch-asset.ts';
import { readFile } from '../runtime/files.ts';
import { sourceInPolicy, watchPolicy } from '../runtime/policy.ts';
import type { ModelPlace, Runtime } from '../runtime/runtime.ts';
import { crc32 } from './container.ts';

/** A name of a shipped model, an address, or the bytes of a file. */
export type ModelSource = string | URL | Uint8Array | ArrayBuffer;

const failed = (text: string, cause?: unknown) => new FoveolaError('model-load', text, { cause });

/** How many models an engine remembers of each kind. */
const KEPT = 4;

export function checkModelSource(where: string, name: string, source: unknown): asserts source is ModelSource {
  const bytes = source instanceof ArrayBuffer || source instanceof Uint8Array;
  if (bytes || (typeof source === 'string' && source !== '') || source instanceof URL) return;
  throw new FoveolaError(
    'invalid-argument',
    `${where}: ${name} must be an address, the bytes of a model file, or the name of a shipped model, not ${String(source)}.`,
  );
}

/** Names have neither dot nor slash. */
const isName = (text: string) => /^[\w-]+$/.test(text);

/**
 * Where a source is to be read from: names are those of shipped models, everything else is relative to the page.
 */
function placeOf(runtime: Runtime, source: string | URL, shipped: readonly string[]): ModelPlace {
  const { models = {}, page } = runtime.places;
  const text = String(source);
  if (isName(text)) {
    const place = shipped.includes(text) && Object.hasOwn(models, text) ? models[text] : undefined;
    if (!place)
      throw failed(
        `There is no shipped model '${text}'; there are ${shipped.join(', ') || 'none'}. Or give an address.`,
      );
    return place;
  }
  try {
    return { url: new URL(text, page).href };
  } catch (cause) {
    throw failed(`'${text}' is no address here; give a complete one, or the bytes.`, cause);
  }
}

/** At most `limit` bytes of an answer; a longer one is refused before it is read. */
async function limited(response: Response, url: URL, limit: number): Promise<Uint8Array> {
  const tooLarge = () => failed(`${url.href} is larger than ${limit >> 20} MiB, which no such model is.`);
  if (Number(response.headers.get('Content-Length') ?? 0) > limit) throw tooLarge();
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw tooLarge();
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @param shipped a model of the package, for which setAssetBase names the folder */
async function fetchModel(
  href: string,
  { integrity, limit, shipped }: { integrity?: string; limit: number; shipped: boolean },
): Promise<Uint8Array> {
  const url = new URL(href);
  const policy = watchPolicy();
  try {
    if (url.protocol === 'file:' && typeof document === 'undefined') return readFile(url);
    const response = await fetch(url, integrity ? { integrity } : {});
    const wrong = whatIsWrong(response);
    if (wrong)
      throw failed(
        shipped
          ? `The model was not found at ${href}: ${wrong}. Copy the folder models of the package's dist folder there, or name its place with setAssetBase('URL/'), the attribute asset-base or (CDN) data-assets.`
          : `The model was not found at ${href}: ${wrong}. Correct the address.`,
      );
    return await limited(response, url, limit);
  } catch (cause) {
    if (cause instanceof FoveolaError && cause.code === 'model-load') throw cause;
    const directive = await policy.blocked(url);
    throw failed(
      directive
        ? `The page's Content-Security-Policy does not allow the model ${href}: add ${sourceInPolicy(url)} to connect-src.`
        : `The model ${href} could not be loaded. It must exist${integrity ? ', be that of this version' : ''}, connect-src must allow it, and another origin must send Access-Control-Allow-Origin.`,
      cause,
    );
  } finally {
    policy.end();
  }
}

/** Remembers what was read, by address or checksum; a failure is not remembered. */
export class ModelCache<T> {
  readonly #shipped: readonly string[];
  readonly #limit: number;
  readonly #read: (bytes: Uint8Array) => T;
  readonly #known = new WeakMap<Runtime, Map<string, Promise<T>>>();

  constructor({ shipped, limit, read }: { shipped: readonly string[]; limit: number; read: (bytes: Uint8Array) => T }) {
    this.#shipped = shipped;
    this.#limit = limit;
    this.#read = read;
  }

  /** @throws {FoveolaError} (rejects) 'model-load', 'model-format', 'model-checksum' */
  get(runtime: Runtime, source: ModelSource): Promise<T> {
    let known = this.#known.get(runtime);
    if (!known) this.#known.set(runtime, (known = new Map()));
    try {
      const { key, bytes } = this.#open(runtime, source);
      let model = known.get(key);
      if (!model) {
        model = (async () => this.#read(await bytes()))();
        known.set(key, model);
        model.catch(() => known.delete(key));
        if (known.size > KEPT) known.delete(known.keys().next().value!);
      }
      return model;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** What the source is remembered by, and how to come by its bytes. */
  #open(runtime: Runtime, source: ModelSource): { key: string; bytes(): Uint8Array | Promise<Uint8Array> } {
    if (source instanceof ArrayBuffer || source instanceof Uint8Array) {
      const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source;
      if (bytes.length > this.#limit)
        throw new FoveolaError('model-format', `The model has ${bytes.length} bytes; at most ${this.#limit} are read.`);
      return { key: `${bytes.length} ${crc32(bytes)}`, bytes: () => bytes };
    }
    const place = placeOf(runtime, source, this.#shipped);
    const shipped = this.#shipped.includes(String(source));
    const { url, integrity } = place;
    if (url === undefined) return { key: String(source), bytes: () => runtime.insideModel!(String(source)) };
    return { key: url, bytes: () => fetchModel(url, { integrity, limit: this.#limit, shipped }) };
  }
}
