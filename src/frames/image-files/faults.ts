/** What is wrong with a file, in words that say what to do. */
import { FoveolaError } from '../../runtime/error.ts';

export const damaged = (what: string) =>
  new FoveolaError('decode-failed', `${what} Copy the file again from where it was made.`);

export const cancelled = ({ reason }: AbortSignal) =>
  new FoveolaError('aborted', 'Reading the file was cancelled.', { cause: reason });

export const unsupported = (what: string) => new FoveolaError('source-unsupported', what);

/** Throws 'decode-failed' unless the file has bytes `from` up to `to`. */
export function inFile(bytes: { length: number }, from: number, to: number, what: string): void {
  if (!(from >= 0 && to >= from)) throw damaged(`The file is damaged: ${what} has no place in it.`);
  if (to > bytes.length)
    throw damaged(`The file is cut off: it has ${bytes.length} bytes, and ${what} ends at byte ${to}.`);
}

/**
 * The most that a byte of a compressed file can become: a picture that would need more is refused before memory is taken
 * for it. Deflate: 258 bytes from two bits. LZW: a string of all codes so far from 12 bits. PackBits and DICOM's RLE: 128
 * bytes from two.
 */
export const growth = { deflate: 1032, lzw: 2560, packBits: 64 } as const;

export function plausible(compressed: number, wanted: number, by: keyof typeof growth): void {
  if (wanted > compressed * growth[by] + 1024)
    throw damaged(`The file is cut off or damaged: ${compressed} bytes cannot hold the ${wanted} of its picture.`);
}

/** What a reader may hold at once, in bytes: what it has of the file, samples, picture. */
const MAXIMUM_HELD = 480 << 20;

/** To be asked before memory is taken. Throws 'image-too-large'. */
export function checkHeld(bytes: number): void {
  if (bytes > MAXIMUM_HELD)
    throw new FoveolaError(
      'image-too-large',
      `Reading the picture would take ${Math.ceil(bytes / (1 << 20))} MiB at once; at most ${MAXIMUM_HELD >> 20} are taken, the file among them. Save one page or frame alone, with 8 bits a sample, in smaller tiles, or scaled down.`,
    );
}
