/** Downloads an image from its URL. */
import {
  addressNotReached,
  addressNotThere,
  FoveolaError,
  isSilence,
  networkFailed,
  networkFault,
  patientFetch,
} from '../../src/index.ts';

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
