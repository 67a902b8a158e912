/** What is wrong with an address of a picture or a video, in words that say what to do. */
import { FoveolaError } from '../runtime/error.ts';

/** @throws {FoveolaError} 'invalid-argument' */
export function parseAddress(address: string | URL): URL {
  try {
    return new URL(address, document.baseURI);
  } catch (cause) {
    throw new FoveolaError('invalid-argument', `'${String(address)}' is no address.`, { cause });
  }
}

export const addressNotShared = ({ href }: URL, cause: unknown): FoveolaError =>
  new FoveolaError(
    'source-tainted',
    `${href} comes from another origin without CORS, so its pixels cannot be read. Its server must send Access-Control-Allow-Origin: ${self.origin}.`,
    { cause },
  );

export const addressNotThere = ({ href }: URL, status: number, cause?: unknown): FoveolaError =>
  new FoveolaError('decode-failed', `${href} is not there (HTTP ${status}). Check the address.`, { cause });

export const addressNotReached = ({ href }: URL, directive: string, cause: unknown): FoveolaError =>
  new FoveolaError('decode-failed', `${href} cannot be reached, or the page's CSP (${directive}) forbids it.`, {
    cause,
  });

/** The network is why nothing more comes from an address. `fault` says in words what it did. */
export const networkFailed = (
  href: string,
  fault: string,
  options: { cause?: unknown; partial?: unknown } = {},
): FoveolaError =>
  new FoveolaError(
    'network-failed',
    `${href}: ${fault}. The file may be fine: check the network and the server, then open it again.`,
    options,
  );
