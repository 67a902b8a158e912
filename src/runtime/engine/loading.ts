/**
 * Loads files of the package and starts its script as a worker. It has several ways to start the worker and reports the
 * exact cause of a failure.
 */
import { FoveolaError } from '../error.ts';
import { isSilence, networkFault, patientFetch } from '../patience.ts';
import { checkedScript, sourceInPolicy, trustedScriptUrl, watchPolicy, type PolicyWatch } from './policy.ts';

/**
 * Node's fetch does not read files. The module is requested at run time, so that bundlers for browsers do not see it.
 */
export function readFile(url: URL): Uint8Array<ArrayBuffer> {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs)
    throw new FoveolaError('asset-blocked', `${url.href} cannot be read here. Set assetBase to an http address.`);
  return new Uint8Array(fs.readFileSync(url));
}

const advice = (name: string) =>
  `Copy ${name} of the package's dist folder there, or name the folder where it is with setAssetBase('URL/') or the attribute asset-base.`;

const missing = (name: string, url: URL, found: string, cause?: unknown) =>
  new FoveolaError('asset-missing', `${name} was not found at ${url.href}: ${found}. ${advice(name)}`, { cause });

const unloaded = (name: string, url: URL, why: string, cause: unknown) =>
  new FoveolaError('asset-blocked', `${name} could not be loaded from ${url.href}: ${why}. Check the network.`, {
    cause,
  });

/** Why a response is not the requested file. Null if it may be the file. */
export function whatIsWrong(response: Response): string | null {
  if (!response.ok) return `HTTP ${response.status}`;
  const type = response.headers.get('Content-Type') ?? '';
  return /^text\/html\b/i.test(type) ? `the server answered with a web page (${type})` : null;
}

/**
 * @param name the file's name in the package, for messages
 * @throws {FoveolaError} 'asset-missing' (not found), 'asset-blocked' (the policy, the network or CORS)
 */
async function fetchAsset(name: string, url: URL): Promise<Response> {
  if (url.protocol === 'file:' && typeof document === 'undefined') {
    try {
      return new Response(readFile(url));
    } catch (cause) {
      throw cause instanceof FoveolaError ? cause : missing(name, url, 'the file cannot be read', cause);
    }
  }
  const policy = watchPolicy();
  try {
    const response = await patientFetch(url);
    const wrong = whatIsWrong(response);
    if (wrong) throw missing(name, url, wrong);
    return response;
  } catch (cause) {
    if (cause instanceof FoveolaError) throw cause;
    const directive = await policy.blocked(url);
    if (!directive)
      throw unloaded(
        name,
        url,
        isSilence(cause)
          ? networkFault(cause)
          : 'the connection failed, or the server of another origin sends no Access-Control-Allow-Origin',
        cause,
      );
    throw new FoveolaError(
      'asset-blocked',
      `The page's Content-Security-Policy does not allow ${name} to be loaded from ${url.href}: add ${sourceInPolicy(url)} to ${directive === 'default-src' ? 'connect-src' : directive}.`,
      { cause },
    );
  } finally {
    policy.end();
  }
}

/** Whether bytes have this hash (sha384, base64). Pages without a secure context cannot check it and get true. */
async function hasHash(bytes: Uint8Array<ArrayBuffer>, integrity: string): Promise<boolean> {
  const digest = await globalThis.crypto?.subtle?.digest('SHA-384', bytes);
  return !digest || integrity === `sha384-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/**
 * The bytes of a WASM module. Any other response of a server is 'asset-missing'.
 * @param integrity the hash that the file must have
 */
export async function fetchWasm(name: string, url: URL, integrity?: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetchAsset(name, url);
  const bytes = await response.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    (cause) => Promise.reject(unloaded(name, url, networkFault(cause), cause)),
  );
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== '\0asm')
    throw missing(name, url, `its ${bytes.length} bytes are not a WebAssembly module`);
  if (integrity && !(await hasHash(bytes, integrity))) throw missing(name, url, 'the file is from another version');
  return bytes;
}

export interface OpenedWorker {
  worker: Worker;
  /** The blob URL to revoke when the worker and its threads have started. */
  blob?: string;
  /** The problem, for `capabilities.reasons`. */
  reason?: string;
}

export interface WorkerAttempt {
  /** URL of the script, if known. */
  url?: URL;
  /** Throws, or returns a worker that may still fail with an error event. */
  open(policy: PolicyWatch, signal: AbortSignal): OpenedWorker | Promise<OpenedWorker>;
  /** Used only if the previous attempt threw. After an error event it would fail in the same way. */
  afterThrow?: boolean;
}

/**
 * A sandboxed frame has no origin and cannot start a module from a blob. Our script works as a module and as a classic
 * script.
 */
const classic = (): boolean => self.origin === 'null';

function fromText(text: string): OpenedWorker {
  const blob = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    return {
      blob,
      worker: new Worker(trustedScriptUrl(blob), { type: classic() ? 'classic' : 'module', name: 'foveola' }),
    };
  } catch (error) {
    URL.revokeObjectURL(blob);
    throw error;
  }
}

/**
 * Browsers do not allow a worker from another origin, so a small blob worker imports the script.
 * @param integrity the hash that the script must have
 */
export const workerAt = (url: URL, integrity?: string): WorkerAttempt => ({
  url,
  async open(policy, signal) {
    const script = integrity && (await checkedScript(url, integrity, policy, signal));
    if (url.origin === self.origin || url.protocol === 'blob:')
      return {
        worker: new Worker(trustedScriptUrl(url.href), { type: 'module', name: 'foveola' }),
        reason:
          script === null ? `The hash of ${url.href} is unknown because connect-src does not allow it.` : undefined,
      };
    if (script) return fromText(await script.text());
    const href = JSON.stringify(url.href);
    return fromText(classic() ? `importScripts(${href});` : `import ${href};`);
  },
});

/** A worker whose script is text embedded in the package. */
export const blobWorker = (text: () => string | Promise<string>): WorkerAttempt => ({
  url: new URL('blob:'),
  open() {
    const script = text();
    return typeof script === 'string' ? fromText(script) : script.then(fromText);
  },
});

const fault = (code: 'asset-missing' | 'worker-blocked', text: string, cause?: unknown) =>
  new FoveolaError(code, text, { cause });

/**
 * Explains why the worker did not start. Checks the policy reports, then the server. Only called after a failure.
 * @param text the browser's error message
 */
export async function whyNoWorker(
  url: URL | undefined,
  policy: PolicyWatch,
  text: string,
  cause?: unknown,
): Promise<FoveolaError> {
  const directive = url && (await policy.blocked(url));
  if (directive) {
    const own = url.protocol === 'blob:' ? 'blob:' : sourceInPolicy(url);
    return fault(
      'worker-blocked',
      `The page's Content-Security-Policy does not allow the worker ${own === 'blob:' ? 'from a blob' : url.href} (${directive}): add ${own} to worker-src${own === 'blob:' ? ", or set workerUrl (data-worker on the CDN script's tag) to a copy of worker.js on this page's origin" : ''}.`,
      cause,
    );
  }
  if (url && /^https?:$/.test(url.protocol)) {
    let silent: unknown = null;
    const answer = await patientFetch(url).catch((error: unknown) => ((silent = error), null));
    if (isSilence(silent))
      return fault(
        'worker-blocked',
        `The worker's script did not load from ${url.href}: ${networkFault(silent)}. Check the network.`,
        silent,
      );
    const wrong = answer && whatIsWrong(answer);
    if (wrong)
      return fault(
        'asset-missing',
        `The worker's script was not found at ${url.href}: ${wrong}. Copy worker.js of dist there, or name its folder with setAssetBase('URL/'), the attribute asset-base or workerUrl.`,
        cause,
      );
    const type = answer?.headers.get('Content-Type') ?? '';
    if (answer && !/javascript|ecmascript/i.test(type))
      return fault(
        'worker-blocked',
        `The worker's script ${url.href} is served as '${type || 'no type'}'. Serve it with the Content-Type text/javascript.`,
        cause,
      );
  }
  return fault(
    'worker-blocked',
    `The worker did not start (${text}). Allow it in the Content-Security-Policy (worker-src), or set workerUrl to a copy of worker.js on this page's origin with its Cross-Origin-Embedder-Policy.`,
    cause,
  );
}
