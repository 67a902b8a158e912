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
