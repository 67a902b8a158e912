/** Waits for media elements and downloads images. Errors name the cause instead of "load failed". */
import { FoveolaError } from '../../src/index.ts';
import {
  addressNotReached,
  addressNotThere,
  isSilence,
  networkFailed,
  networkFault,
  patientFetch,
  addressNotShared,
  BLIND_PATIENCE,
  checkSize,
  PATIENCE,
  Patience,
  pictured,
  silence,
  whySilent,
} from '../../src/internal.ts';

// Downloads an image from its URL.

/** Maximum size. Larger files are recordings and volumes, not photographs. */
const MOST_BYTES = 1 << 30;

/**
 * @throws {FoveolaError} (rejects) 'decode-failed' (with a cause if nothing was fetched), 'network-failed',
 *   'image-too-large'
 */
export async function fetchFile(url: URL, signal: AbortSignal): Promise<Blob> {
  let answer: Response;
  try {
    answer = await patientFetch(url, { signal });
  } catch (cause) {
    if (isSilence(cause)) throw networkFailed(url.href, networkFault(cause));
    throw addressNotReached(url, 'connect-src', cause);
  }
  if (!answer.ok) throw addressNotThere(url, answer.status);
  let bytes = 0;
  // A server may send data forever.
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytes += part.length;
      if (bytes > MOST_BYTES)
        throw new FoveolaError(
          'image-too-large',
          `${url.href} is larger than the maximum of 1 GB. Use a smaller file.`,
        );
      controller.enqueue(part);
    },
  });
  const type = answer.headers.get('Content-Type');
  const body = answer.body?.pipeThrough(counted);
  try {
    return await new Response(body, type ? { headers: { 'Content-Type': type } } : {}).blob();
  } catch (cause) {
    if (cause instanceof FoveolaError) throw cause;
    throw networkFailed(url.href, `${networkFault(cause)} after ${bytes} bytes`);
  }
}

// Waits for media elements. Errors name the cause instead of "load failed".

const aborted = () => new FoveolaError('aborted', 'Another source was chosen.');

/**
 * Resolves at the first event of `good`. Rejects at 'error', when the signal aborts, or after `seconds` without
 * progress.
 */
function settled(element: HTMLElement, good: string, signal: AbortSignal, seconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = new AbortController();
    const end = (finish: () => void) => () => (done.abort(), patience.end(), finish());
    // Hidden tabs may not load anything.
    const patience = new Patience(
      end(() => reject(silence(seconds))),
      seconds,
      () => !document.hidden,
    );
    const options = { signal: done.signal };
    element.addEventListener(good, end(resolve), options);
    element.addEventListener(
      'error',
      end(() => reject(new Error('error event'))),
      options,
    );
    signal.addEventListener(
      'abort',
      end(() => reject(aborted())),
      options,
    );
    for (const type of ['progress', 'loadedmetadata']) element.addEventListener(type, () => patience.renew(), options);
    if (signal.aborted) end(() => reject(aborted()))();
  });
}

/** Milliseconds. */
const GRACE = 1000;

const unreadable = (name: string, cause: unknown) =>
  new FoveolaError(
    'decode-failed',
    `${name} could not be decoded. Use a video this browser plays (WebM or MP4) or an image (PNG, JPEG, WebP).`,
    { cause },
  );

/** Reason why a video of the page does not have an image yet, as far as the video reports it. */
function whyNoPicture(video: HTMLVideoElement, name: string): FoveolaError {
  const { srcObject, networkState, currentSrc } = video;
  const for15 = `for ${PATIENCE} s`;
  if (srcObject instanceof MediaStream)
    return new FoveolaError('source-not-ready', `${name} has shown no frame ${for15}${whySilent(srcObject)}.`);
  if (networkState === HTMLMediaElement.NETWORK_LOADING && /^https?:/.test(currentSrc))
    return networkFailed(currentSrc, `no data arrived ${for15}`);
  return new FoveolaError(
    'source-not-ready',
    `${name} has shown no frame ${for15}. Play it, or choose another source.`,
  );
}

/** WebKit on GStreamer may report the size some time after the first data. A recording with only sound never does. */
const sizeKnown = (video: HTMLVideoElement): Promise<unknown> =>
  new Promise((resolve) => {
    video.addEventListener('resize', resolve, { once: true });
    setTimeout(resolve, GRACE);
  });

/** Waits until the video has a size and its first frame. */
export async function awaitVideo(video: HTMLVideoElement, name: string, signal: AbortSignal): Promise<void> {
  try {
    if (video.error) throw video.error;
    if (!video.currentSrc && !video.src && !video.srcObject && !video.querySelector('source'))
      throw new FoveolaError('source-not-ready', `${name} has no source yet. Set src or srcObject.`);
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
      if (video.preload === 'none' || video.preload === 'metadata') video.preload = 'auto';
      await settled(video, 'loadeddata', signal, PATIENCE);
    }
  } catch (error) {
    if (error instanceof FoveolaError) throw error;
    if (isSilence(error)) throw whyNoPicture(video, name);
    if (video.error?.code === MediaError.MEDIA_ERR_NETWORK)
      throw networkFailed(video.currentSrc, networkFault(error), { cause: error });
    throw unreadable(name, video.error?.message ? new Error(video.error.message) : error);
  }
  if (!video.videoWidth) await sizeKnown(video);
  if (signal.aborted) throw aborted();
  if (!video.videoWidth)
    throw new FoveolaError('source-unsupported', `${name} has no picture, only sound. Choose a video.`);
  checkSize(video.videoWidth, video.videoHeight);
  await pictured(video);
}

/**
 * Maximum displayed size: 24 megapixels, as in cameras. Image, result and overlay use about 20 bytes per pixel
 * together, with a limit of 512 MiB.
 */
const MOST_SHOWN = 23 << 20;
/** @throws {FoveolaError} 'image-too-large' */
export const checkShown = (width: number, height: number): void => checkSize(width, height, undefined, MOST_SHOWN);

/** Waits until the image's size is known. Nothing is decoded before the size was checked. */
export async function awaitImage(image: HTMLImageElement, name: string, signal: AbortSignal): Promise<void> {
  if (!image.src && !image.srcset) throw new FoveolaError('source-not-ready', `${name} has no source yet. Set src.`);
  try {
    if (!image.complete) await settled(image, 'load', signal, BLIND_PATIENCE);
    else if (!image.naturalWidth) throw new Error('broken image');
  } catch (error) {
    if (error instanceof FoveolaError) throw error;
    if (isSilence(error))
      throw networkFailed(image.currentSrc || image.src, `it has not loaded for ${BLIND_PATIENCE} s`);
    throw unreadable(name, error);
  }
  checkShown(image.naturalWidth, image.naturalHeight);
}

/**
 * Image elements do not distinguish a missing file, a server without CORS and a damaged file. This makes one more
 * request after a failure, and returns the matching error. `loadsUnshared`: whether the image loads without CORS.
 */
export async function explainImage(
  url: URL,
  error: FoveolaError,
  loadsUnshared: () => Promise<unknown>,
): Promise<FoveolaError> {
  if (url.protocol === 'blob:' || url.protocol === 'data:') return error;
  try {
    const { ok, status } = await patientFetch(url, { method: 'HEAD', cache: 'no-store' });
    return ok ? error : addressNotThere(url, status, error);
  } catch (failure) {
    if (isSilence(failure)) return networkFailed(url.href, networkFault(failure), { cause: error });
    const unshared =
      url.origin !== self.origin &&
      (await loadsUnshared().then(
        () => true,
        () => false,
      ));
    return unshared ? addressNotShared(url, error) : addressNotReached(url, 'img-src', error);
  }
}
