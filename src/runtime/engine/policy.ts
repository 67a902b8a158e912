/**
 * What a page's policies allow: which Content-Security-Policy directive stopped a request (the browser says so by an event, not by
 * the failure), addresses of workers under Trusted Types, and scripts of workers that are checked against a hash.
 */

/** The event may come a task after the failure. */
const PATIENCE = 60;

export interface PolicyWatch {
  /** The directive that stopped this address, or null. */
  blocked(url: URL): Promise<string | null>;
  end(): void;
}

/** Listens from now on. Reports of `blob:` and of cross-origin addresses name the scheme or the origin alone. */
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

/** How a policy names the source of this address. */
export function sourceInPolicy(url: URL): string {
  if (url.protocol === 'blob:' || url.protocol === 'data:') return url.protocol;
  return url.origin === globalThis.location?.origin ? "'self'" : url.origin;
}

/**
 * Trusted Types: under `require-trusted-types-for 'script'` a worker's address must have been made by a policy. Ours is
 * called `foveola` and passes on the addresses that the engine itself chose (its own script, `workerUrl`, a blob of its
 * own text). A page that lists its policies names it: `trusted-types foveola lit-html`.
 */
interface Policy {
  createScriptURL(url: string): unknown;
}
interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

let policy: Policy | null | undefined;
/** The address that is being made: no other passes, so that nobody who gets hold of the policy can use it. */
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
    return null; // not listed by the page: the worker is refused, and the engine says so in its reasons
  }
}

/** `url` as the Worker constructor takes it. */
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
 * Scripts of workers by their hash. The Worker constructor takes none, and a policy without `worker-src blob:` allows no
 * worker but by its address. So the file is fetched with its hash first; then the worker asks for the same address, which
 * the browser answers from its cache as a rule. A server that gives another file the second time is not noticed.
 *
 * The script; null where the page's policy forbids to fetch it, which the browser has reported.
 * @throws {Error} (rejects) where there is none of this hash
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
  /** An address as the Worker constructor takes it. */
  trusted(url: string): string;
  /** The hash of the file, where it is known. */
  integrity?: string;
  /** How long the file may take, ms. */
  timeout: number;
}

/** A worker from a file that lies beside its page's script; one of another origin, which browsers refuse, is given as a blob. */
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
