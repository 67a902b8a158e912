/** Which Content-Security-Policy directive stopped a request: the browser says so by an event, not by the failure. */

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
