/**
 * Checks the page's policies. Reports which Content-Security-Policy directive blocked a request (the browser reports it
 * in an event, not in the failure). Also creates worker URLs under Trusted Types, and worker scripts that are checked
 * against a hash.
 */

/** The event may arrive one task after the failure. */
const PATIENCE = 60;

export interface PolicyWatch {
  /** The directive that blocked this URL, or null. */
  blocked(url: URL): Promise<string | null>;
  end(): void;
}

/** Starts to listen. Reports about `blob:` and cross-origin URLs name only the scheme or the origin. */
export function watchPolicy(): PolicyWatch {
  const seen: SecurityPolicyViolationEvent[] = [];
  const listen = (event: Event) => void seen.push(event as SecurityPolicyViolationEvent);
  globalThis.addEventListener?.('securitypolicyviolation', listen);
  const find = (url: URL) =>
    seen.find(({ blockedURI }) =>
      [url.href, url.href.split('#')[0], url.origin, url.protocol.slice(0, -1)].includes(blockedURI),
    )?.effectiveDirective ?? null;
  return {
    async blocked(url) {
      if (find(url) === null) await new Promise((resolve) => setTimeout(resolve, PATIENCE));
      return find(url);
    },
    end: () => globalThis.removeEventListener?.('securitypolicyviolation', listen),
  };
}

/** The source of this URL as a policy names it. */
export function sourceInPolicy(url: URL): string {
  if (url.protocol === 'blob:' || url.protocol === 'data:') return url.protocol;
  return url.origin === globalThis.location?.origin ? "'self'" : url.origin;
}

/**
 * Trusted Types: under `require-trusted-types-for 'script'`, a policy must create a worker's URL. Our policy is called
 * `foveola`. It accepts only URLs that the engine chose: its script, `workerUrl`, or a blob of its text. A page that
 * lists its policies must include it: `trusted-types foveola lit-html`.
 */
interface Policy {
  createScriptURL(url: string): unknown;
}
interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

let policy: Policy | null | undefined;
/** The URL that is being created. The policy accepts no other URL, so it cannot be misused. */
let asked: string | null = null;

function passed(url: string): string {
  if (url !== asked) throw new TypeError('The policy of foveola makes no other addresses than its own.');
  return url;
}

function make(): Policy | null {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  if (!factory) return null;
  try {
    return factory.createPolicy('foveola', { createScriptURL: passed });
  } catch {
    return null; // not listed by the page: the worker is refused, and the engine reports it in its reasons
  }
}

/** `url` converted to the type that the Worker constructor accepts. */
export function trustedScriptUrl(url: string): string {
  policy ??= make();
  asked = url;
  try {
    return (policy?.createScriptURL(url) ?? url) as string;
  } finally {
    asked = null;
  }
}

/**
 * Worker scripts checked by hash. The Worker constructor accepts no hash, and a policy without `worker-src blob:`
 * allows only workers with a URL. So the file is first fetched with its hash. Then the worker requests the same URL,
 * which the browser normally serves from its cache. If a server returns another file the second time, this is not
 * detected.
 *
 * Returns the script, or null if the page's policy forbids the fetch (the browser has then reported it).
 * @throws {Error} (rejects) if no file has this hash
 */
export const checkedScript = (
  url: URL,
  integrity: string,
  policy: PolicyWatch,
  signal: AbortSignal,
): Promise<Response | null> =>
  fetch(url, { integrity, signal }).catch(async (cause: unknown) => {
    if (await policy.blocked(url)) return null;
    throw new Error('not found, forbidden, or of another version', { cause });
  });

export interface FileWorker {
  name: string;
  /** Converts a URL to the type that the Worker constructor accepts. */
  trusted(url: string): string;
  /** The hash of the file, if known. */
  integrity?: string;
  /** Time limit for loading the file, ms. */
  timeout: number;
}

/**
 * Starts a worker from a file in the folder of its page's script. Browsers refuse a file of another origin, so it is
 * loaded as a blob.
 */
export async function fileWorker(href: string, { name, trusted, integrity, timeout }: FileWorker): Promise<Worker> {
  const url = new URL(href);
  const options = { type: 'module', name } as const;
  const own = url.origin === self.origin;
  const signal = AbortSignal.timeout(timeout);
  if (own && !integrity) return new Worker(trusted(href), options);
  const policy = watchPolicy();
  try {
    const script = integrity ? await checkedScript(url, integrity, policy, signal) : await fetch(url, { signal });
    if (own) return new Worker(trusted(href), options);
    if (!script?.ok) throw new Error(`${href}: ${script ? `HTTP ${script.status}` : 'forbidden'}`);
    const blob = URL.createObjectURL(new Blob([await script.text()], { type: 'text/javascript' }));
    setTimeout(() => URL.revokeObjectURL(blob), timeout);
    return new Worker(trusted(blob), options);
  } finally {
    policy.end();
  }
}
