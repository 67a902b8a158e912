/** Fetches a file of the package, and says exactly what stands in the way where that fails. */
import { FoveolaError } from '../error.ts';
import { readFile } from '../files.ts';
import { isSilence, networkFault, patientFetch } from '../patience.ts';
import { sourceInPolicy, watchPolicy } from './policy.ts';

const advice = (name: string) =>
  `Copy ${name} of the package's dist folder there, or name the folder where it is with setAssetBase('URL/') or the attribute asset-base.`;

const missing = (name: string, url: URL, found: string, cause?: unknown) =>
  new FoveolaError('asset-missing', `${name} was not found at ${url.href}: ${found}. ${advice(name)}`, { cause });

const unloaded = (name: string, url: URL, why: string, cause: unknown) =>
  new FoveolaError('asset-blocked', `${name} could not be loaded from ${url.href}: ${why}. Check the network.`, {
    cause,
  });

/** What an answer that is not the file says about itself; null when it may be the file. */
export function whatIsWrong(response: Response): string | null {
  if (!response.ok) return `HTTP ${response.status}`;
  const type = response.headers.get('Content-Type') ?? '';
  return /^text\/html\b/i.test(type) ? `the server answered with a web page (${type})` : null;
}

/**
 * @param name the file's name in the package, for messages
 * @throws {FoveolaError} 'asset-missing' (not there), 'asset-blocked' (the policy, the network or CORS)
 */
export async function fetchAsset(name: string, url: URL): Promise<Response> {
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
          : 'there is no connection, or the server of another origin sends no Access-Control-Allow-Origin',
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

/** Whether bytes have this hash (sha384, base64). Pages without a secure context cannot tell: true. */
async function hasHash(bytes: Uint8Array<ArrayBuffer>, integrity: string): Promise<boolean> {
  const digest = await globalThis.crypto?.subtle?.digest('SHA-384', bytes);
  return !digest || integrity === `sha384-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/**
 * The bytes of a WASM module. Anything else that a server may answer with is 'asset-missing'.
 * @param integrity the hash that the file must have
 */
export async function fetchWasm(name: string, url: URL, integrity?: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetchAsset(name, url);
  const bytes = await response.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    (cause) => Promise.reject(unloaded(name, url, networkFault(cause), cause)),
  );
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== '\0asm')
    throw missing(name, url, `the ${bytes.length} bytes there are no WebAssembly module`);
  if (integrity && !(await hasHash(bytes, integrity))) throw missing(name, url, 'the file there is of another version');
  return bytes;
}
