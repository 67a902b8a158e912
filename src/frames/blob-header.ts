/**
 * Detects the kind of a file and the size of its image from its first bytes. A 20000x20000 image of a few kilobytes is
 * refused before a decoder allocates 1.6 GB for it. The error for an unreadable file names its kind.
 */
import { FoveolaError } from '../runtime/error.ts';
import { checkDecoded, checkSize } from './size.ts';
import { containerOf } from './containers.ts';

// Maximum number of scans in a JPEG. A JPEG of 700 KB may ask its decoder to process 36 million pixels twenty thousand
// times: each scan of a progressive image covers all pixels, and a scan needs only 30 bytes. Browsers do not check
// this, so scans are counted before the browser decodes the file. Encoders write 10 to 20. libjpeg's tools and libvips
// also refuse more than a few hundred.

const MOST = 100;
/**
 * Maximum number of parts of a WebP, frames and others. With 65,535 parts in 3 MB, a browser searches for the first one
 * for minutes.
 */
const MOST_PARTS = 1000;
const CHUNK = 1 << 20;

/** SOI, start of a scan, end of the image. */
const [START, SCAN, END] = [0xd8, 0xda, 0xd9];
/** Markers inside a scan that have no length: a stuffed 0, TEM, restart markers. */
const isBare = (marker: number) => marker <= 1 || (marker >= 0xd0 && marker <= 0xd7);
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const tooMany = (what: string) =>
  new FoveolaError('decode-failed', `The ${what}, which would decode for minutes. Save it again as JPEG or PNG.`);

/** @throws {FoveolaError} (rejects) 'decode-failed' for a WebP that is refused */
export async function checkParts(file: Blob): Promise<void> {
  for (let at = 12, parts = 0; at + 8 <= file.size; parts++) {
    if (parts === MOST_PARTS) throw tooMany(`WebP has more than ${MOST_PARTS} frames`);
    const head = new DataView(await file.slice(at, at + 8).arrayBuffer());
    at += 8 + 2 * Math.ceil(head.getUint32(4, true) / 2);
  }
}

/**
 * @throws {FoveolaError} (rejects) 'decode-failed', 'image-too-large' for a JPEG that is refused. Other files are not
 * checked
 */
export async function checkScans(file: Blob): Promise<void> {
  let start = 0;
  let bytes = new Uint8Array(await file.slice(0, CHUNK).arrayBuffer());
  if (bytes[0] !== 0xff || bytes[1] !== START) return;
  let scans = 0;
  /** Number of components of the frame. */
  let components = 0;
  for (let at = 2; at + 5 <= file.size;) {
    if (at + 10 > start + bytes.length && start + bytes.length < file.size) {
      start = at;
      bytes = new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer());
    }
    const i = at - start;
    const marker = bytes[i + 1]!;
    if (bytes[i] !== 0xff) {
      const next = bytes.indexOf(0xff, i);
      at = start + (next < 0 ? bytes.length : next);
    } else if (marker === 0xff) at++;
    else if (isBare(marker)) at += 2;
    else if (marker === END) return;
    else {
      // If the image is not progressive and its first scan has all components, it is the only scan.
      if (isFrame(marker)) {
        components = (marker & 3) === 2 ? Infinity : bytes[i + 9]!;
        const [height, width] = [5, 7].map((k) => bytes[i + k]! * 256 + bytes[i + k + 1]!) as [number, number];
        // The size is also checked here, because it may be located after the header bytes that were read.
        if (width && height) checkDecoded(width, height);
      }
      if (marker === SCAN && bytes[i + 4]! >= components) return;
      if (marker === SCAN && ++scans > MOST) throw tooMany(`JPEG has more than ${MOST} scans`);
      at += 2 + Math.max(2, bytes[i + 2]! * 256 + bytes[i + 3]!);
    }
  }
}

/** A JPEG's size may follow long EXIF blocks (64 KiB each). */
const HEADER_BYTES = 1 << 18;

const ascii = (bytes: Uint8Array, start: number, length: number) =>
  String.fromCharCode(...bytes.subarray(start, start + length));

/** Reads the first bytes of a file. Throws 'decode-failed' if it is empty or cannot be read. */
export async function readHeader(blob: Blob, bytes = HEADER_BYTES): Promise<Uint8Array> {
  if (blob.size === 0) throw new FoveolaError('decode-failed', 'The file is empty (0 bytes).');
  try {
    return new Uint8Array(await blob.slice(0, bytes).arrayBuffer());
  } catch (cause) {
    throw new FoveolaError('decode-failed', 'The file cannot be read. It may have been moved or deleted.', { cause });
  }
}

/** The number of the kind, then white space and the width, or a comment. */
const NETPBM = /^P(?:([1-6])\s+[\d#]|7\n[A-Z#])/;

export type FileKind = 'image' | 'video' | 'text' | 'other';

const words = (bytes: Uint8Array, start: number, text: string) => ascii(bytes, start, text.length) === text;

export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

/** Kind and name of a file by its signature. */
export function identify(bytes: Uint8Array): { kind: FileKind; name: string } {
  const image = (name: string) => ({ kind: 'image' as const, name });
  // The preamble of a DICOM file may look like a TIFF header, so that slide viewers can open the file too.
  if (words(bytes, 128, 'DICM')) return image('a DICOM image');
  if (words(bytes, 1, 'PNG')) return image('a PNG image');
  if (isJpeg(bytes)) return image('a JPEG image');
  if (words(bytes, 0, 'GIF8')) return image('a GIF image');
  if (words(bytes, 0, 'BM') && bytes.length > 26) return image('a BMP image');
  if (words(bytes, 0, 'RIFF') && words(bytes, 8, 'WEBP')) return image('a WebP image');
  if (/^(II[*+]\0|MM\0[*+])/.test(ascii(bytes, 0, 4))) return image('a TIFF image');
  const netpbm = NETPBM.exec(ascii(bytes, 0, 64));
  if (netpbm) return image(`a ${'PBM PGM PPM PBM PGM PPM PAM'.split(' ')[Number(netpbm[1] ?? 7) - 1]!} image`);
  if (words(bytes, 4, 'ftyp')) {
    const brand = ascii(bytes, 8, 4);
    if (/^(avif|avis|heic|heix|mif1)$/.test(brand)) return image(`an image of the type '${brand}'`);
  }
  const container = containerOf(bytes);
  if (container) return { kind: 'video', name: container };
  if (words(bytes, 0, '%PDF')) return { kind: 'other', name: 'a PDF document' };
  if (words(bytes, 0, 'PK\x03\x04')) return { kind: 'other', name: 'a ZIP archive' };
  const head = bytes.subarray(0, 512);
  const odd = head.filter((b) => b < 9 || (b > 13 && b < 32) || b === 127).length;
  if (/^\s*(<\?xml[^>]*>\s*)?<svg/.test(ascii(head, 0, head.length))) return image('an SVG drawing');
  if (odd === 0) return { kind: 'text', name: 'a text file' };
  return { kind: 'other', name: 'no known image or video format' };
}

/**
 * Files that the readers in image-files/ open, because browsers cannot open them, do not read all bits or pages, or do
 * not all apply the orientation. A WebP header has flags for animation (bit 1) and EXIF (bit 3).
 */
export const isForReader = (bytes: Uint8Array): boolean =>
  /TIFF|DICOM|GIF|P[BGPA]M/.test(describeBytes(bytes)) ||
  (words(bytes, 1, 'PNG') && (bytes[24] === 16 || movesOrTurns(bytes))) ||
  (words(bytes, 8, 'WEBPVP8X') && (bytes[20]! & 10) > 0);

/** Whether a DICOM file is compressed as JPEG-LS or JPEG 2000, which need large decoders. */
export const needsCodecs = (bytes: Uint8Array): boolean =>
  words(bytes, 128, 'DICM') && /1\.2\.840\.10008\.1\.2\.4\.(8|9)[01]\b/.test(ascii(bytes, 132, 2048));

/** Whether a PNG declares animation frames or an orientation before its image data. */
function movesOrTurns(bytes: Uint8Array): boolean {
  const { buffer, byteOffset } = bytes;
  for (let at = 8; at + 8 <= bytes.length;) {
    const type = ascii(bytes, at + 4, 4);
    if (type === 'acTL' || type === 'eXIf') return true;
    if (type === 'IDAT') return false;
    at += 12 + new DataView(buffer, byteOffset + at, 4).getUint32(0);
  }
  return false;
}

export const describeBytes = (bytes: Uint8Array): string => identify(bytes).name;

/** Formats that every browser decodes. If decoding fails, the file is damaged. */
const DECODED = / (PNG|JPEG|WebP|GIF|BMP) image$| 'avif'$/;

/** The error for an image with this format name. */
export const notDecoded = (name: string, cause?: unknown): FoveolaError =>
  new FoveolaError(
    'decode-failed',
    DECODED.test(name)
      ? `The file is ${name} that is cut off or damaged. Copy it again from its source.`
      : `The file cannot be decoded as an image. It looks like ${name}. Use PNG, JPEG, TIFF, DICOM, WebP, GIF, BMP or AVIF.`,
    { cause },
  );

/** Dimensions of a PNG, GIF, BMP, WebP or AVIF from its header. Null if they are not found. */
export function sizeOf(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 30 || words(bytes, 128, 'DICM')) return null;
  if (words(bytes, 1, 'PNG')) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (words(bytes, 0, 'GIF8')) return sizeOfGif(bytes, view);
  if (words(bytes, 0, 'BM'))
    return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
  if (words(bytes, 0, 'RIFF') && words(bytes, 8, 'WEBP')) {
    if (words(bytes, 12, 'VP8X'))
      return {
        width: 1 + (view.getUint32(24, true) & 0xffffff),
        height: 1 + (view.getUint16(27, true) | (bytes[29]! << 16)),
      };
    if (words(bytes, 12, 'VP8L')) {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
    }
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  const name = describeBytes(bytes);
  if (name.includes(" type '")) return sizeOfAvif(view, name);
  return null;
}

interface Size {
  width: number;
  height: number;
}

/** Size of the screen or of its first frame, whichever is larger, because decoders allocate memory for both. */
function sizeOfGif(bytes: Uint8Array, view: DataView): Size {
  const u16 = (at: number) => (at + 2 > bytes.length ? 0 : view.getUint16(at, true));
  let at = 13 + (bytes[10]! & 0x80 ? 6 << (bytes[10]! & 7) : 0);
  for (; bytes[at] === 0x21; at++) for (at += 2; bytes[at]; at += 1 + bytes[at]!);
  const framed = Number(bytes[at] === 0x2c);
  return {
    width: Math.max(u16(6), framed * (u16(at + 1) + u16(at + 5))),
    height: Math.max(u16(8), framed * (u16(at + 3) + u16(at + 7))),
  };
}

/**
 * For AVIF and HEIC: the largest dimensions among the properties ('ispe', 20 bytes). A file without one is not an
 * image.
 */
function sizeOfAvif(view: DataView, name: string): Size {
  let [width, height] = [0, 0];
  for (let at = 4; at + 16 <= view.byteLength; at++)
    if (view.getUint32(at) === 0x69737065 && view.getUint32(at - 4) === 20) {
      width = Math.max(width, view.getUint32(at + 8));
      height = Math.max(height, view.getUint32(at + 12));
    }
  if (!width && view.byteLength < HEADER_BYTES) throw notDecoded(name);
  return { width, height }; // 0: they are further back
}

/**
 * Limit for a file that the browser decodes. The file is in memory together with four bytes per pixel. The readers
 * count the memory that they use themselves.
 */
const MAXIMUM_BYTES = 256 << 20;

/**
 * @throws {FoveolaError} (rejects) if an image exceeds the limits, or if browsers could not decode it in reasonable
 * time
 */
export async function checkImage(blob: Blob, header: Uint8Array): Promise<void> {
  // A drawing of one kilobyte may contain any number of shapes, and it is drawn on the page's thread.
  const name = describeBytes(header);
  if (name === 'an SVG drawing') throw notDecoded(name);
  const size = sizeOf(header);
  // An image without a size is left to the decoder. An image that becomes one byte per pixel may be larger than what
  // browsers decode.
  const own = isForReader(header);
  if (!own && blob.size > MAXIMUM_BYTES)
    throw new FoveolaError(
      'image-too-large',
      `The image has ${Math.ceil(blob.size / 2 ** 20)} MiB. The maximum is ${MAXIMUM_BYTES >> 20}. Scale it down first.`,
    );
  if (size?.width && size.height) (own ? checkSize : checkDecoded)(size.width, size.height);
  if (words(header, 8, 'WEBP') && !own) await checkParts(blob);
  await checkScans(blob);
}

/** Returns the first bytes of an image file after checking its size. */
export async function checkBlob(blob: Blob): Promise<Uint8Array> {
  const header = await readHeader(blob);
  const { kind, name } = identify(header);
  if (kind === 'video')
    throw new FoveolaError(
      'source-unsupported',
      `The file is ${name}, not a single image. Read it with frames(file) or openVideo(file).`,
    );
  await checkImage(blob, header);
  return header;
}

/**
 * The input of the frame readers for an image file.
 * @throws {FoveolaError} (rejects) like `checkImage`, and 'source-unsupported' for a file with only one image
 */
export async function imageJob(file: Blob): Promise<{ file: Blob; header: Uint8Array }> {
  const header = await readHeader(file);
  await checkImage(file, header);
  if (!isForReader(header))
    throw new FoveolaError(
      'source-unsupported',
      `The file is ${describeBytes(header)}, not a recording. Read it with readImage.`,
    );
  return { file, header };
}
