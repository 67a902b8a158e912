/**
 * A picture by the browser's own decoder. It gives no sign of life and cannot be ended, so it is left alone after a cancel or
 * 20 s; what it gives then is closed.
 */
import { abortedError, throwIfCancelled } from '../runtime/engine/options.ts';
import { FoveolaError } from '../runtime/error.ts';

const MOST = 20_000;

/** @throws {FoveolaError} (rejects) 'decode-failed' after 20 s, 'aborted'; else with the browser's own error */
export async function decodeBitmap(
  file: Blob,
  options: ImageBitmapOptions,
  signal?: AbortSignal,
): Promise<ImageBitmap> {
  throwIfCancelled(signal);
  const bitmap = createImageBitmap(file, options);
  let leave!: (error: FoveolaError) => void;
  const left = new Promise<never>((_, reject) => (leave = reject));
  const cancel = () => leave(abortedError(signal!));
  const timer = setTimeout(
    () => leave(new FoveolaError('decode-failed', 'The image takes over 20 s to decode. Scale it down first.')),
    MOST,
  );
  signal?.addEventListener('abort', cancel);
  try {
    return await Promise.race([bitmap, left]);
  } catch (error) {
    bitmap.then((late) => late.close()).catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
