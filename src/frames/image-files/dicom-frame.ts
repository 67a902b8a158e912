/** The samples of a frame of a DICOM image: uncompressed, run-length coded, or JPEG (PS3.5, 8.2 and annexes A, G). */
import { codecOf, codecSamples } from './codec.ts';
import { syntaxes } from './dicom-elements.ts';
import type { Stored } from './dicom-tables.ts';
import { checkHeld, damaged, inFile, plausible, unsupported } from './faults.ts';
import type { Pace } from './pace.ts';
import { jpegHeader, jpegRows, markedRgb } from './jpeg.ts';
import { losslessJpeg } from './lossless-jpeg.ts';
import { packBits } from './decompress.ts';

export interface FrameFormat extends Stored {
  width: number;
  height: number;
  samples: 1 | 3;
  photometric: string;
  planar: boolean;
  frames: number;
  /** Bytes of the samples and of the resulting image. */
  decoded: number;
}

/** Interleaved samples. `rgb`: three per pixel, regardless of the color space that the file declares. */
export interface Frame {
  data: Uint8Array | Uint16Array;
  rgb: boolean;
}

const baseline = ['1.2.840.10008.1.2.4.50', '1.2.840.10008.1.2.4.51'];
const lossless = ['1.2.840.10008.1.2.4.57', '1.2.840.10008.1.2.4.70'];
export const runLength = '1.2.840.10008.1.2.5';
const unread: readonly [RegExp, string][] = [
  [/^1\.2\.840\.10008\.1\.2\.4\.9\d$/, 'JPEG 2000 in several components'],
  [/^1\.2\.840\.10008\.1\.2\.4\.20\d$/, 'High-Throughput JPEG 2000'],
  [/^1\.2\.840\.10008\.1\.2\.4\.10\d/, 'MPEG video'],
];

/** Throws 'source-unsupported' for transfer syntaxes that cannot be read. */
export function checkSyntax(syntax: string): void {
  const native: string[] = [syntaxes.implicit, syntaxes.explicit, syntaxes.deflated, syntaxes.bigEndian];
  if ([...native, ...baseline, ...lossless, runLength].includes(syntax) || codecOf(syntax)) return;
  const known = unread.find(([form]) => form.test(syntax))?.[1];
  throw unsupported(
    `The DICOM file is compressed as ${known ?? 'transfer syntax'} (${syntax}), which is not supported. Convert it to Explicit VR Little Endian, for example: gdcmconv --raw in.dcm out.dcm`,
  );
}

/** The bytes of one frame as stored in the file. */
export interface StoredFrame {
  bytes: Uint8Array;
  encapsulated: boolean;
  /** 16-bit samples are little endian, and so are words of two 8-bit samples. */
  little: boolean;
  words: boolean;
  /** Additional bytes in memory. */
  held: number;
}

export async function decodedFrame(
  frame: StoredFrame,
  syntax: string,
  format: FrameFormat,
  pace: Pace,
): Promise<Frame> {
  if (!frame.encapsulated) return { data: await native(frame, format, pace), rgb: false };
  const { samples, width, height, decoded } = format;
  const { bytes } = frame;
  const pixels = width * height;
  const held = frame.held + decoded;
  checkHeld(held + pixels); // a run-length coded plane
  if (syntax === runLength) return { data: await decodedRuns(bytes, format, pace), rgb: false };
  const codec = codecOf(syntax);
  if (codec)
    return { data: await codecSamples(codec, bytes, format, held, pace), rgb: format.photometric !== 'YBR_FULL' };
  const header = jpegHeader(bytes);
  if (!header) throw damaged('The DICOM file is damaged: its frame is not a JPEG.');
  if (header.width !== width || header.height !== height || header.components !== samples)
    throw damaged('The DICOM file is damaged: the size of the JPEG in it differs from its header.');
  if (header.process === 3) return { data: await losslessJpeg(bytes, format, pace), rgb: false };
  checkHeld(held + 4 * pixels); // the browser's bitmap
  const data = new Uint8Array(pixels * samples);
  const take = (pixels: Uint8ClampedArray, y0: number, y1: number) => {
    for (let i = y0 * width, from = 0; i < y1 * width; i++, from += 4)
      for (let c = 0; c < samples; c++) data[i * samples + c] = pixels[from + c]!;
  };
  // Without a marker, browsers interpret three components as YCbCr.
  await jpegRows(format.photometric === 'RGB' && !header.tells ? markedRgb(bytes) : bytes, header, pace, take);
  return { data, rgb: samples === 3 };
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const isHalved = ({ photometric }: FrameFormat) => photometric === 'YBR_FULL_422';

/** Bytes of an uncompressed image. */
export const nativeBytes = (format: FrameFormat): number =>
  isHalved(format)
    ? 4 * Math.ceil(format.width / 2) * format.height
    : (format.width * format.height * format.samples * format.allocated) / 8;

/** Converts to little endian. */
function swapped(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let i = 0; i + 1 < bytes.length; i += 2) [out[i], out[i + 1]] = [bytes[i + 1]!, bytes[i]!];
  return out;
}

/** Returns interleaved samples, whatever order the file uses. */
async function native(
  { bytes, little, words, held }: StoredFrame,
  format: FrameFormat,
  pace: Pace,
): Promise<Uint8Array | Uint16Array> {
  const { width, height, samples, allocated, planar } = format;
  const pixels = width * height;
  const length = nativeBytes(format);
  const swap = !little && (allocated === 16 || words);
  if (swap) checkHeld(held + format.decoded + length);
  const source = (swap ? swapped(bytes) : bytes).subarray(0, length);
  const halved = isHalved(format);
  // Without a copy, unless colors are changed in place.
  const converted = halved || format.photometric.startsWith('YBR');
  const standing = !planar && !converted && (allocated === 8 || (source.byteOffset % 2 === 0 && isLittleEndian));
  checkHeld(held + format.decoded - (standing ? length : 0));
  if (standing) return allocated === 8 ? source : new Uint16Array(source.buffer, source.byteOffset, pixels * samples);
  if (halved) return doubled(source, format, pace);
  if (allocated === 8 && !planar) return source.slice();
  const data = new (allocated === 16 ? Uint16Array : Uint8Array)(pixels * samples);
  // Position of a sample in the file: interleaved, or plane by plane.
  const [perPixel, perSample] = planar ? [1, pixels] : [samples, 1];
  const take = (y0: number, y1: number) => {
    for (let i = y0 * width; i < y1 * width; i++)
      for (let c = 0; c < samples; c++) {
        const at = i * perPixel + c * perSample;
        data[i * samples + c] = allocated === 16 ? source[2 * at]! | (source[2 * at + 1]! << 8) : source[at]!;
      }
  };
  await pace.rows(format, take, [0.1, 0.7]);
  return data;
}

/** Y Y Cb Cr for two pixels each: color at half the width (PS3.3, C.7.6.3.1.2). */
async function doubled(source: Uint8Array, format: FrameFormat, pace: Pace): Promise<Uint8Array> {
  const { width, height } = format;
  const data = new Uint8Array(3 * width * height);
  const pairs = Math.ceil(width / 2);
  const take = (y0: number, y1: number) => {
    for (let y = y0; y < y1; y++)
      for (let x = 0; x < width; x++) {
        const from = 4 * (y * pairs + (x >> 1));
        const to = 3 * (y * width + x);
        data[to] = source[from + (x & 1)]!;
        data[to + 1] = source[from + 2]!;
        data[to + 2] = source[from + 3]!;
      }
  };
  await pace.rows(format, take, [0.1, 0.7]);
  return data;
}

/** Each byte of each sample is a separate run-length coded plane, high bytes first. */
async function decodedRuns(source: Uint8Array, format: FrameFormat, pace: Pace): Promise<Uint8Array | Uint16Array> {
  const { width, height, samples, allocated } = format;
  const planes = (samples * allocated) / 8;
  const pixels = width * height;
  inFile(source, 0, 64, 'its picture');
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  if (view.getUint32(0, true) !== planes)
    throw damaged(`The DICOM file is damaged: ${view.getUint32(0, true)} planes instead of ${planes}.`);
  plausible(source.length, pixels * planes, 'packBits');
  const data = allocated === 16 ? new Uint16Array(pixels * samples) : new Uint8Array(pixels * samples);
  const plane = new Uint8Array(pixels);
  for (let n = 0; n < planes; n++) {
    const start = view.getUint32(4 + 4 * n, true);
    const end = n + 1 < planes ? view.getUint32(8 + 4 * n, true) : source.length;
    inFile(source, start, end, 'its picture');
    await packBits(source.subarray(start, end), plane, pace);
    const sample = allocated === 16 ? n >> 1 : n;
    const shift = allocated === 16 && n % 2 === 0 ? 8 : 0;
    const add = (y0: number, y1: number) => {
      for (let i = y0 * width; i < y1 * width; i++) data[i * samples + sample]! |= plane[i]! << shift;
    };
    await pace.rows(format, add, [0.1 + (0.6 * n) / planes, 0.1 + (0.6 * (n + 1)) / planes]);
  }
  return data;
}
