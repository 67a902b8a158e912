/** Errors about a file, with text that says what to do. */
import { FoveolaError } from '../../runtime/error.ts';

export const damaged = (what: string) =>
  new FoveolaError('decode-failed', `${what} Copy the file again from its source.`);

export const cancelled = ({ reason }: AbortSignal) =>
  new FoveolaError('aborted', 'Reading the file was cancelled.', { cause: reason });

export const unsupported = (what: string) => new FoveolaError('source-unsupported', what);

/** Throws 'decode-failed' unless the file contains bytes `from` up to `to`. */
export function inFile(bytes: { length: number }, from: number, to: number, what: string): void {
  if (!(from >= 0 && to >= from)) throw damaged(`The file is damaged: ${what} is outside of it.`);
  if (to > bytes.length)
    throw damaged(`The file is cut off: it has ${bytes.length} bytes, and ${what} ends at byte ${to}.`);
}

/**
 * Maximum expansion of one byte of a compressed file. An image that would need more is refused before memory is
 * allocated. Deflate: 258 bytes from two bits. LZW: a string of all codes so far from 12 bits. PackBits and DICOM's
 * RLE: 128 bytes from two.
 */
export const growth = { deflate: 1032, lzw: 2560, packBits: 64 } as const;

export function plausible(compressed: number, wanted: number, by: keyof typeof growth): void {
  if (wanted > compressed * growth[by] + 1024)
    throw damaged(`The file is cut off or damaged: ${compressed} bytes cannot hold the ${wanted} of its image.`);
}

/** Maximum memory of a reader, in bytes: file data, samples and image together. */
const MAXIMUM_HELD = 480 << 20;

/** Call this before allocating memory. Throws 'image-too-large'. */
export function checkHeld(bytes: number): void {
  if (bytes > MAXIMUM_HELD)
    throw new FoveolaError(
      'image-too-large',
      `Reading the image would need ${Math.ceil(bytes / (1 << 20))} MiB at once, including the file. The maximum is ${MAXIMUM_HELD >> 20}. Save only one page or frame, with 8 bits per sample, in smaller tiles, or scaled down.`,
    );
}
