/** A WebP of 3 MB may have 65,535 frames, which a browser looks for all over before it decodes the first: that takes minutes. */
import { FoveolaError } from '../runtime/error.ts';

/** Parts of a file, frames and others. */
const MOST = 1000;

/** @throws {FoveolaError} (rejects) 'decode-failed' for a WebP of too many parts */
export async function checkParts(file: Blob): Promise<void> {
  for (let at = 12, parts = 0; at + 8 <= file.size; parts++) {
    if (parts === MOST)
      throw new FoveolaError(
        'decode-failed',
        `The WebP has more than ${MOST} frames. Save the one that is wanted as PNG.`,
      );
    const head = new DataView(await file.slice(at, at + 8).arrayBuffer());
    at += 8 + 2 * Math.ceil(head.getUint32(4, true) / 2);
  }
}
