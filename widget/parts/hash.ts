/** SHA-256 of a source's bytes, so that an export names the file it was made from. */
import { patientFetch } from '../../src/index.ts';

/** Hex digits; null where the page is not secure, the bytes cannot be read, or there are too many of them. */
export async function sha256(bytes: Blob | string | undefined): Promise<string | null> {
  const largest = 2 ** 30; // digest() wants all bytes at once
  if (bytes === undefined || !globalThis.crypto?.subtle) return null;
  try {
    // The browser has just played it: from its cache where it kept it.
    const blob = typeof bytes === 'string' ? await (await patientFetch(bytes, { cache: 'force-cache' })).blob() : bytes;
    if (blob.size > largest) return null;
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}
