/** Errors in the URL of an image or a video, whose messages contain the remedy. */
import { FoveolaError } from '../runtime/error.ts';

/** @throws {FoveolaError} 'invalid-argument' */
export function parseAddress(address: string | URL): URL {
  try {
    return new URL(address, document.baseURI);
  } catch (cause) {
    throw new FoveolaError('invalid-argument', `'${String(address)}' is not a valid URL.`, { cause });
  }
}

export const addressNotShared = ({ href }: URL, cause: unknown): FoveolaError =>
  new FoveolaError(
    'source-tainted',
    `${href} is from another origin without CORS, so its pixels cannot be read. Its server must send Access-Control-Allow-Origin: ${self.origin}.`,
    { cause },
  );

export const addressNotThere = ({ href }: URL, status: number, cause?: unknown): FoveolaError =>
  new FoveolaError('decode-failed', `${href} was not found (HTTP ${status}). Check the address.`, { cause });

export const addressNotReached = ({ href }: URL, directive: string, cause: unknown): FoveolaError =>
  new FoveolaError(
    'decode-failed',
    `${href} cannot be loaded. Check the network and that the page's CSP (${directive}) allows it.`,
    {
      cause,
    },
  );

/** The error if the network is why no more data arrives from a URL. `fault` describes what happened. */
export const networkFailed = (
  href: string,
  fault: string,
  options: { cause?: unknown; partial?: unknown } = {},
): FoveolaError =>
  new FoveolaError(
    'network-failed',
    `${href}: ${fault}. The file may be intact. Check the network and the server, then open it again.`,
    options,
  );
