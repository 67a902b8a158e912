/** Loads models by name, URL or bytes, once per engine. */
import type { ModelRequest } from '../runtime/capability.ts';
import { crc32 } from '../runtime/crc32.ts';
import type { Pauses } from '../runtime/driver.ts';
import { nextTask, throwIfAborted } from '../runtime/engine/queue.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { ModelPlace, Runtime } from '../runtime/runtime.ts';
import { fetchModel, loadFailed, type LoadState } from './fetch-model.ts';

/** Name of a shipped model, URL, or bytes of a file. */
export type ModelSource = string | URL | Uint8Array | ArrayBuffer;

/** Maximum number of models of each kind that an engine caches. */
const KEPT = 4;

export function checkModelSource(where: string, name: string, source: unknown): asserts source is ModelSource {
  const bytes = source instanceof ArrayBuffer || source instanceof Uint8Array;
  if (bytes || (typeof source === 'string' && source !== '') || source instanceof URL) return;
  throw new FoveolaError(
    'invalid-argument',
    `${where}: ${name} must be an address, the bytes of a model file, or the name of a shipped model, not ${String(source)}.`,
  );
}

/** Names contain neither dots nor slashes. */
const isName = (text: string) => /^[\w-]+$/.test(text);

/** Returns where to load a source from. Names refer to shipped models. Everything else is relative to the page. */
function placeOf(runtime: Runtime, source: string | URL, shipped: readonly string[]): ModelPlace {
  const { models = {}, page } = runtime.places;
  const text = String(source);
  if (isName(text)) {
    const place = shipped.includes(text) && Object.hasOwn(models, text) ? models[text] : undefined;
    if (!place) throw loadFailed(`Unknown model '${text}'. Use an address or one of ${shipped.join(', ') || 'none'}.`);
    return place;
  }
  try {
    return { url: new URL(text, page).href };
  } catch (cause) {
    throw loadFailed(`'${text}' is not a complete URL. Use a complete URL or the bytes.`, cause);
  }
}

/** Options of a caller that waits for a model. */
export interface LoadOptions {
  /** Ends the wait. Also ends the load if no other caller waits for the same model. */
  signal?: AbortSignal;
  report?(state: LoadState): void;
}

interface Entry<T> {
  readonly model: Promise<T>;
  /** Aborts the load and removes it from the cache. */
  cancel: (() => void) | null;
  readonly listeners: Set<(state: LoadState) => void>;
  state: LoadState | null;
  waiting: number;
}

interface Opened {
  key: string;
  bytes(signal: AbortSignal, report: (state: LoadState) => void): Uint8Array | Promise<Uint8Array>;
}

/** Turns bytes into a model. Long reads run in pieces. */
type ReadModel<T> = (bytes: Uint8Array, runtime: Runtime, pauses: Pauses) => T | Promise<T>;

/** Caches by kind of model. */
const kinds = new Map<string, ModelCache<unknown>>();

/** Caches models by URL or checksum. Failures are not cached. */
export class ModelCache<T> {
  readonly #shipped: readonly string[];
  readonly #limit: number;
  readonly #read: ReadModel<T>;
  readonly #known = new WeakMap<Runtime, Map<string, Entry<T>>>();

  /** `kind` is the name of this kind of model in requests. */
  constructor({
    kind,
    shipped,
    limit,
    read,
  }: {
    kind: string;
    shipped: readonly string[];
    limit: number;
    read: ReadModel<T>;
  }) {
    this.#shipped = shipped;
    this.#limit = limit;
    this.#read = read;
    kinds.set(kind, this);
  }

  /** @throws {FoveolaError} (rejects) 'model-load', 'model-format', 'model-checksum', 'aborted' */
  async get(runtime: Runtime, source: ModelSource, options: LoadOptions = {}): Promise<T> {
    let known = this.#known.get(runtime);
    if (!known) this.#known.set(runtime, (known = new Map()));
    const { key, bytes } = this.#open(runtime, source);
    if (options.signal) throwIfAborted(options.signal);
    let entry = known.get(key);
    if (!entry) {
      const begun: Entry<T> = (entry = this.#begin(
        runtime,
        bytes,
        () => known.get(key) === begun && known.delete(key),
      ));
      known.set(key, entry);
      if (known.size > KEPT) known.delete(known.keys().next().value!);
    }
    return wait(entry, options);
  }

  #begin(runtime: Runtime, bytes: Opened['bytes'], forget: () => void): Entry<T> {
    const listeners = new Set<(state: LoadState) => void>();
    const end = new AbortController();
    const report = (state: LoadState) => {
      entry.state = state;
      for (const listener of listeners) listener(state);
    };
    const pause = async () => {
      await nextTask();
      throwIfAborted(end.signal);
    };
    const model = (async () => this.#read(await bytes(end.signal, report), runtime, { pause }))();
    const cancel = () => {
      forget();
      end.abort();
    };
    const entry: Entry<T> = { model, cancel, listeners, state: null, waiting: 0 };
    model.then(() => (entry.cancel = null), forget);
    return entry;
  }

  /** Returns the cache key of a source, and a function that gets its bytes. */
  #open(runtime: Runtime, source: ModelSource): Opened {
    if (source instanceof ArrayBuffer || source instanceof Uint8Array) {
      const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source;
      if (bytes.length > this.#limit)
        throw new FoveolaError('model-format', `The model has ${bytes.length} bytes. The maximum is ${this.#limit}.`);
      return { key: `${bytes.length} ${crc32(bytes)}`, bytes: () => bytes };
    }
    const place = placeOf(runtime, source, this.#shipped);
    const { url } = place;
    if (url === undefined) return { key: String(source), bytes: () => runtime.insideModel!(String(source)) };
    const shipped = this.#shipped.includes(String(source));
    const { integrity } = place;
    const limit = this.#limit;
    return { key: url, bytes: (signal, report) => fetchModel(url, { integrity, limit, shipped, signal, report }) };
  }
}

/** Waits for a model. The load continues as long as any caller waits for it. */
function wait<T>(entry: Entry<T>, { signal, report }: LoadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      entry.waiting--;
      if (report) entry.listeners.delete(report);
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      leave();
      if (entry.waiting === 0) entry.cancel?.();
      try {
        throwIfAborted(signal!);
      } catch (error) {
        reject(error);
      }
    };
    entry.waiting++;
    if (report) {
      entry.listeners.add(report);
      if (entry.state) report(entry.state);
    }
    signal?.addEventListener('abort', abort, { once: true });
    entry.model.then(
      (model) => (leave(), resolve(model)),
      (error) => (leave(), reject(error)),
    );
  });
}

/** Warnings that each engine has already shown. */
const warned = new WeakMap<Runtime, Set<string>>();

/** Warns, once per engine, that something is missing and why. */
export function goOnWithout(runtime: Runtime, what: string, error: unknown): void {
  let known = warned.get(runtime);
  if (!known) warned.set(runtime, (known = new Set()));
  if (known.has(what)) return;
  known.add(what);
  console.warn(`foveola: no ${what}: ${(error as Error).message}`);
}

/** Second argument of `onProgress` while models are loaded. */
export interface LoadProgress {
  /** Number of bytes loaded. */
  loaded: number;
  /** Total number of bytes. Null if a server does not report it. */
  total: number | null;
}

/** Loads all models at once. `progress` receives the share of loaded bytes, or 0 while the total is unknown. */
export async function loadModels(
  runtime: Runtime,
  requests: readonly ModelRequest[],
  { signal, progress }: { signal?: AbortSignal; progress(done: number, detail: LoadProgress): void },
): Promise<void> {
  const states: (LoadState | null)[] = requests.map(() => null);
  const tell = () => {
    const loaded = states.reduce((sum, state) => sum + (state?.loaded ?? 0), 0);
    const known = states.every((state) => state?.total != null);
    const total = known ? states.reduce((sum, state) => sum + state!.total!, 0) : null;
    progress(total ? loaded / total : 0, { loaded, total });
  };
  await Promise.all(
    requests.map(({ kind, source }, i) => {
      const report = (state: LoadState) => {
        states[i] = state;
        tell();
      };
      return kinds.get(kind)!.get(runtime, source, { signal, report });
    }),
  );
}
