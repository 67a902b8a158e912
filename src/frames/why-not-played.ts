/**
 * Explains why a video element does not play a file or a URL: the kind of its bytes, missing parts, the answer of the
 * server. Part of image-files.js, since only failures need it.
 */
import { FoveolaError, type FoveolaErrorCode } from '../runtime/error.ts';
import { isSilence, networkFault, patientFetch } from '../runtime/patience.ts';
import { addressNotReached, addressNotShared, addressNotThere, networkFailed } from './addresses.ts';
import { identify } from './blob-header.ts';
import { type Bytes, bytesOf, isBrowsers, missingOf, notPlayed } from './containers.ts';

/** `foreign`: the URL is of another origin. `cause`: the MediaError. */
export const explainVideo = (source: Blob | URL, foreign: boolean, cause: unknown): Promise<FoveolaError> =>
  source instanceof Blob ? explainBytes(nameOf(source), bytesOf(source), cause) : explainUrl(source, foreign, cause);

const nameOf = (blob: Blob) =>
  typeof File !== 'undefined' && blob instanceof File && blob.name ? `'${blob.name}'` : 'The file';

/** Parts of the file at a URL, as its server returns them. A few bytes at some positions show what is missing. */
async function bytesAt(url: URL, response: Response): Promise<Bytes> {
  const size = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1]);
  const first = await response.blob();
  if (response.status !== 206 || !size) return bytesOf(first); // all of it
  return {
    size,
    async read(from, bytes) {
      if (from + bytes <= first.size || from >= size || first.size === size) return bytesOf(first).read(from, bytes);
      const range = `bytes=${from}-${Math.min(size, from + bytes) - 1}`;
      try {
        const part = await patientFetch(url, { headers: { Range: range } });
        if (part.ok) return new DataView(await part.arrayBuffer());
        throw networkFailed(url.href, `its server answers HTTP ${part.status} in the middle of it`);
      } catch (cause) {
        throw cause instanceof FoveolaError ? cause : networkFailed(url.href, networkFault(cause), { cause });
      }
    },
  };
}

async function explainBytes(name: string, bytes: Bytes, cause: unknown): Promise<FoveolaError> {
  const because = (code: FoveolaErrorCode, message: string) => new FoveolaError(code, `${name} ${message}`, { cause });
  const head = await bytes.read(0, 4096);
  const found = identify(new Uint8Array(head.buffer, head.byteOffset, head.byteLength));
  if (found.kind === 'image') return because('decode-failed', `is ${found.name}, not a video.`);
  if (found.kind !== 'video')
    return because('decode-failed', `is not a supported video or image. It looks like ${found.name}.`);
  // A format that no browser plays must be converted first, complete or not.
  const cut = isBrowsers(found.name) ? missingOf(bytes) : Promise.resolve(null);
  const missing = await cut.catch((error: unknown) => {
    if (error instanceof FoveolaError) throw error; // network errors
    return null;
  });
  return missing
    ? because('decode-failed', `is incomplete: ${missing}`)
    : because('source-unsupported', notPlayed(found.name));
}

/** From the first bytes that its server returns. */
async function explainUrl(url: URL, foreign: boolean, cause: unknown): Promise<FoveolaError> {
  const network = (fault: string) => networkFailed(url.href, fault, { cause });
  let response: Response;
  try {
    response = await patientFetch(url, { headers: { Range: 'bytes=0-4095' } });
  } catch (error) {
    if (isSilence(error)) return network(networkFault(error));
    if (foreign && (await loadsWithoutCors(url))) return addressNotShared(url, cause);
    return addressNotReached(url, 'media-src', cause);
  }
  if (!response.ok) return addressNotThere(url, response.status, cause);
  if ((cause as MediaError).code === MediaError.MEDIA_ERR_NETWORK) return network(networkFault(cause));
  try {
    const bytes = await bytesAt(url, response);
    if (bytes.size === 0) return new FoveolaError('decode-failed', `${url.href} is empty (0 bytes).`, { cause });
    return await explainBytes(url.href, bytes, cause);
  } catch (error) {
    return error instanceof FoveolaError ? error : network(networkFault(error)); // it was reachable a moment ago
  }
}

function loadsWithoutCors(url: URL): Promise<boolean> {
  const video = document.createElement('video');
  video.preload = 'metadata';
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      clearTimeout(timer);
      video.removeAttribute('src');
      resolve(answer);
    };
    const timer = setTimeout(() => end(false), 5000);
    video.onloadedmetadata = () => end(true);
    video.onerror = () => end(false);
    video.src = url.href;
  });
}
