/** The ways in which a worker's script can be started, and what was wrong when none of them worked. */
import { FoveolaError } from '../error.ts';
import { checkedScript } from './checked-script.ts';
import { whatIsWrong } from './fetch-asset.ts';
import { isSilence, networkFault, patientFetch } from '../patience.ts';
import { sourceInPolicy, type PolicyWatch } from './policy.ts';
import { trustedScriptUrl } from './trusted-url.ts';

export interface OpenedWorker {
  worker: Worker;
  /** The blob URL to be given back when the worker and its threads have started. */
  blob?: string;
  /** What is not as it should be, for `capabilities.reasons`. */
  reason?: string;
}

export interface WorkerAttempt {
  /** Where the script is, where that is known. */
  url?: URL;
  /** Throws, or gives a worker that may yet fail by an error event. */
  open(policy: PolicyWatch, signal: AbortSignal): OpenedWorker | Promise<OpenedWorker>;
  /** Only after the attempt before it threw: after an error event it would fail in the same way. */
  afterThrow?: boolean;
}

/** A sandboxed frame, which has no origin, starts no module from a blob. Our script is one of both kinds. */
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
 * A worker of another origin is not allowed by browsers, so there a small blob worker imports the script.
 * @param integrity the hash that the script must have
 */
export const workerAt = (url: URL, integrity?: string): WorkerAttempt => ({
  url,
  async open(policy, signal) {
    const script = integrity && (await checkedScript(url, integrity, policy, signal));
    if (url.origin === self.origin || url.protocol === 'blob:')
      return {
        worker: new Worker(trustedScriptUrl(url.href), { type: 'module', name: 'foveola' }),
        reason: script === null ? `The hash of ${url.href} is not known: connect-src does not allow it.` : undefined,
      };
    if (script) return fromText(await script.text());
    const href = JSON.stringify(url.href);
    return fromText(classic() ? `importScripts(${href});` : `import ${href};`);
  },
});

/** A worker whose script is text that the package has inside. */
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
 * Why the worker did not start, in words: asks the policy's reports, then the server. Only called after a failure.
 * @param text what the browser said of it
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
      `The page's Content-Security-Policy does not allow the worker ${own === 'blob:' ? 'from a blob' : url.href} (${directive}): add ${own} to worker-src${own === 'blob:' ? ", or set workerUrl (data-worker on the CDN script's tag) to a copy of worker.js on this page's own origin" : ''}.`,
      cause,
    );
  }
  if (url && /^https?:$/.test(url.protocol)) {
    let silent: unknown = null;
    const answer = await patientFetch(url).catch((error: unknown) => ((silent = error), null));
    if (isSilence(silent))
      return fault(
        'worker-blocked',
        `The worker's script did not come from ${url.href}: ${networkFault(silent)}. Check the network.`,
        silent,
      );
    const wrong = answer && whatIsWrong(answer);
    if (wrong)
      return fault(
        'asset-missing',
        `The worker's script was not found at ${url.href}: ${wrong}. Copy worker.js of the package's dist folder there, or name its place with setAssetBase('URL/'), the attribute asset-base or workerUrl.`,
        cause,
      );
    const type = answer?.headers.get('Content-Type') ?? '';
    if (answer && !/javascript|ecmascript/i.test(type))
      return fault(
        'worker-blocked',
        `The worker's script ${url.href} is served as '${type || 'no type'}'; browsers start it only as text/javascript. Correct its Content-Type.`,
        cause,
      );
  }
  return fault(
    'worker-blocked',
    `The worker did not start (${text}). Allow it in the page's Content-Security-Policy (worker-src), set workerUrl to a copy of worker.js on this page's own origin, and serve that copy with the page's Cross-Origin-Embedder-Policy.`,
    cause,
  );
}
