/** Image files as pixels on the page, with their notes, to show files that a browser cannot show. */
import type { Source, ImageFile } from '../results/types.ts';
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import { closePacket, packetSize, type ReadablePacket } from '../runtime/engine/protocol.ts';
import { canvasPixels } from './canvas-pixels.ts';
import { toPacket, notesOf, ofBlob } from './to-packet.ts';
import { checkImage, describeBytes, identify, isForReader, readHeader } from './blob-header.ts';
import type { ReadOptions } from './image-files/pace.ts';
import { readFile } from './image-files.ts';
import { rgbaImage } from './size.ts';

// The unchanged samples of any source, for exports.

export type SourcePixels =
  | { kind: 'gray'; width: number; height: number; data: Uint8Array }
  | { kind: 'rgba'; width: number; height: number; data: Uint8ClampedArray };

/** Rejects like toPacket. The caller's samples are not copied. */
export async function sourcePixels(source: Source): Promise<SourcePixels> {
  return pixelsOf(await toPacket(source));
}

/** The packet is closed. */
function pixelsOf(packet: ReadablePacket): SourcePixels {
  if (packet.kind === 'gray' || packet.kind === 'rgba') return packet;
  try {
    const { width, height } = packetSize(packet);
    const picture = packet.kind === 'bitmap' ? packet.bitmap : packet.frame;
    return { kind: 'rgba', width, height, data: canvasPixels(picture, width, height) };
  } catch (error) {
    throw asFoveolaError(error, 'Reading the source');
  } finally {
    closePacket(packet);
  }
}

export type { ReadOptions as ReadImageOptions };

/**
 * Pixels, scale and notes of an image file. Every engine call accepts the file itself. Use this function to show the
 * file or to get its pixel spacing. Engine calls with `image` use its notes and spacing as if they had received the
 * file. The browser decodes JPEG, 8-bit PNG and similar formats.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (not a Blob), 'source-unsupported', 'decode-failed',
 * 'image-too-large', 'out-of-memory', 'aborted'
 */
export async function readImage(file: Blob, options: ReadOptions = {}): Promise<ImageFile> {
  if (!(file instanceof Blob)) throw new FoveolaError('invalid-argument', 'readImage needs a File or Blob.');
  try {
    const packet = await ofBlob(file, options);
    const notes = 'file' in packet ? packet.file : undefined;
    const { kind, width, height, data } = await pixels(packet, options);
    const image = kind === 'gray' ? { width, height, data } : rgbaImage(width, height, data);
    if (notes) {
      notesOf.set(image, notes);
      return { ...notes, image };
    }
    const format = describeBytes(await readHeader(file)).replace(/^an? | image$/g, '');
    return { format, bits: 8, spacing: null, notes: [], pages: 1, frames: 1, image };
  } catch (error) {
    throw asFoveolaError(error, 'readImage');
  }
}

/** Reading back this many pixels is as fast as one frame. The pixels of a larger image are read in a worker. */
const AT_ONCE = 1 << 21;

async function pixels(packet: ReadablePacket, options: ReadOptions): Promise<SourcePixels> {
  const { width, height } = packetSize(packet);
  if (packet.kind !== 'bitmap' || width * height <= AT_ONCE) return pixelsOf(packet);
  const data = await readFile({ bitmap: packet.bitmap }, options);
  return { kind: 'rgba', width, height, data };
}

/** Kind of a file, from its first bytes. */
export const kindOf = async (file: Blob): Promise<ReturnType<typeof identify>> =>
  identify(await readHeader(file, 4096));

/**
 * Whether an img element can show the file, judged by its first bytes. If not, `readImage` returns an image that can be
 * shown.
 * @throws {FoveolaError} (rejects) 'image-too-large', 'decode-failed' for an image that would block the page when shown
 */
export async function browserShows(file: Blob): Promise<boolean> {
  const header = await readHeader(file);
  if (isForReader(header)) return false;
  await checkImage(file, header);
  return true;
}
