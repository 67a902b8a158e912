/**
 * Scripts of workers by their hash. The Worker constructor takes none, and a policy without `worker-src blob:` allows no
 * worker but by its address. So the file is fetched with its hash first; then the worker asks for the same address, which
 * the browser answers from its cache as a rule. A server that gives another file the second time is not noticed.
 */
import { watchPolicy, type PolicyWatch } from './policy.ts';

/**
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
