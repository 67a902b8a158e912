/** Opens a recording or a stream in a video element, with errors that explain the cause. */
import { FoveolaError } from '../runtime/error.ts';
import { isSilence, PATIENCE, Patience, silence } from '../runtime/patience.ts';
import { addressNotReached, networkFailed, parseAddress } from './addresses.ts';
import { readHeader } from './blob-header.ts';
import { whyNotPlayed } from './image-files.ts';
import { pictured } from './to-packet.ts';
import { checkDecoded } from './size.ts';

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
        fail(error, (cause) => explain(source, false, cause)),
      );
    } else if (typeof source === 'string' || source instanceof URL) {
      const url = parseAddress(source);
      const foreign = url.origin !== self.origin && !/^(blob|data):$/.test(url.protocol);
      if (foreign) video.crossOrigin = 'anonymous';
      else video.removeAttribute('crossorigin');
      video.src = url.href;
      await loaded(video, options.signal).catch((error) => fail(error, (cause) => explain(url, foreign, cause)));
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

/** Explains why a video element does not play a file or a URL. The code for it is loaded only then. */
async function explain(source: Blob | URL, foreign: boolean, cause: unknown): Promise<FoveolaError> {
  if (source instanceof URL && isSilence(cause))
    return networkFailed(source.href, `no data arrived for ${PATIENCE} s`, { cause });
  try {
    return await whyNotPlayed(source, foreign, cause);
  } catch {
    return source instanceof URL
      ? addressNotReached(source, 'media-src', cause)
      : new FoveolaError('decode-failed', 'The file cannot be played. Use MP4 (H.264) or WebM (VP9).', { cause });
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
