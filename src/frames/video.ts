/** Opens a recording or a stream in a video element, with errors that explain the cause. */
import { FoveolaError, type FoveolaErrorCode } from '../runtime/error.ts';
import { isSilence, networkFault, PATIENCE, Patience, patientFetch, silence } from '../runtime/patience.ts';
import { identify, readHeader } from './blob-header.ts';
import { isBrowsers, notPlayed, type Bytes, bytesOf, missingOf } from './containers.ts';
import { pictured } from './to-packet.ts';
import { checkDecoded } from './size.ts';

// Errors in the URL of an image or a video, with text that says what to do.

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

export interface OpenVideoOptions {
  signal?: AbortSignal;
  /** The caller's element. Default: a new one outside the document. */
  element?: HTMLVideoElement;
  loop?: boolean;
}

export interface OpenedVideo {
  /** Has its first frame. It is muted and not playing (a stream plays). */
  video: HTMLVideoElement;
  /** Empties the element and revokes its URL. Streams are not stopped. */
  close(): void;
}

type VideoSource = Blob | string | URL | MediaStream;

/**
 * @throws {FoveolaError} 'decode-failed' (missing, empty, no video), 'source-unsupported' (a format that this browser
 * does not play), 'source-tainted' (another origin without CORS), 'network-failed' (its server sends nothing or
 * disconnects), 'source-not-ready' (a stream without images), 'image-too-large', 'aborted', 'invalid-argument'
 */
export async function openVideo(source: VideoSource, options: OpenVideoOptions = {}): Promise<OpenedVideo> {
  const video = options.element ?? document.createElement('video');
  video.muted = true; // otherwise it may not start without a click
  video.playsInline = true;
  video.preload = 'auto';
  if (options.loop !== undefined) video.loop = options.loop;
  let address: string | null = null;
  const close = () => {
    video.pause();
    video.srcObject = null;
    video.removeAttribute('src');
    video.load();
    if (address) URL.revokeObjectURL(address);
    address = null;
  };
  try {
    if (typeof MediaStream !== 'undefined' && source instanceof MediaStream) {
      if (!source.getVideoTracks().length)
        throw new FoveolaError('source-unsupported', 'The MediaStream has no video track. Request { video: true }.');
      video.srcObject = source;
      void video.play().catch(() => {}); // in some browsers a stream that does not play has no image
      await loaded(video, options.signal).catch((error) => fail(error, (cause) => streamSilent(source, cause)));
    } else if (source instanceof Blob) {
      await readHeader(source, 16);
      address = URL.createObjectURL(source);
      video.removeAttribute('crossorigin');
      video.src = address;
      await loaded(video, options.signal, PATIENCE_WITH_FILES).catch((error) =>
        fail(error, (cause) => explainBytes(nameOf(source), bytesOf(source), cause)),
      );
    } else if (typeof source === 'string' || source instanceof URL) {
      const url = parseAddress(source);
      const foreign = url.origin !== self.origin && !/^(blob|data):$/.test(url.protocol);
      if (foreign) video.crossOrigin = 'anonymous';
      else video.removeAttribute('crossorigin');
      video.src = url.href;
      await loaded(video, options.signal).catch((error) => fail(error, (cause) => explainUrl(url, foreign, cause)));
    } else throw new FoveolaError('invalid-argument', 'openVideo needs a File, Blob, address or MediaStream.');
    checkDecoded(video.videoWidth, video.videoHeight);
    await pictured(video);
    return { video, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Seconds of visible time after which a browser that has not recognized the bytes will not recognize them. Browsers
 * silently ignore some kinds of damage.
 */
const PATIENCE_WITH_FILES = 12;

/** Resolves with the first frame. Rejects with the MediaError, with 'aborted', or after `seconds` without an event. */
function loaded(video: HTMLVideoElement, signal?: AbortSignal, seconds = PATIENCE): Promise<void> {
  return new Promise((resolve, reject) => {
    const listeners = new AbortController();
    const end = (settle: () => void) => {
      listeners.abort();
      patience.end();
      settle();
    };
    // Hidden tabs may load nothing.
    const patience = new Patience(
      () => end(() => reject(silence(seconds))),
      seconds,
      () => !document.hidden,
    );
    const check = () => {
      if (video.videoWidth > 0) end(resolve);
      else end(() => reject(new FoveolaError('source-unsupported', 'The file has no picture, only sound.')));
    };
    // Before its first frame, because browsers keep several frames.
    const checkPixels = () => {
      try {
        if (video.videoWidth > 0) checkDecoded(video.videoWidth, video.videoHeight);
      } catch (error) {
        end(() => reject(error as FoveolaError));
      }
    };
    const aborted = () =>
      end(() => reject(new FoveolaError('aborted', 'Opening the video was cancelled.', { cause: signal?.reason })));
    const options = { signal: listeners.signal };
    if (signal?.aborted) return aborted();
    signal?.addEventListener('abort', aborted, options);
    video.addEventListener('loadeddata', check, options);
    video.addEventListener('loadedmetadata', checkPixels, options);
    video.addEventListener('error', () => end(() => reject(video.error ?? new Error('unknown'))), options);
    // All bytes of a file are available from the start, so only recognized metadata counts as progress.
    for (const type of video.src.startsWith('blob:') ? ['loadedmetadata'] : ['loadedmetadata', 'progress'])
      video.addEventListener(type, () => patience.renew(), options);
  });
}

/** Our own errors are rethrown. A MediaError is explained. */
async function fail(error: unknown, explain: (cause: unknown) => Promise<FoveolaError> | FoveolaError): Promise<never> {
  throw error instanceof FoveolaError ? error : await explain(error);
}

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

/** Explains why a video element does not play a file. */
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

/** Explains why a URL does not load, from its first bytes. */
async function explainUrl(url: URL, foreign: boolean, cause: unknown): Promise<FoveolaError> {
  const network = (fault: string) => networkFailed(url.href, fault, { cause });
  if (isSilence(cause)) return network(`no data arrived for ${PATIENCE} s`);
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

/** The error for a stream that sends no images. */
const streamSilent = (stream: MediaStream, cause: unknown): FoveolaError =>
  new FoveolaError('source-not-ready', `The stream has sent no picture for ${PATIENCE} s${whySilent(stream)}.`, {
    cause,
  });

/** Why a stream sends no images, as far as it reports it: the end of a sentence. */
export function whySilent(stream: MediaStream): string {
  const tracks = stream.getVideoTracks();
  if (tracks.every(({ readyState }) => readyState === 'ended')) return ': it has ended';
  return tracks.every(({ muted, enabled }) => muted || !enabled) ? ': its camera is muted or switched off' : '';
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
