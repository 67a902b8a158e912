/**
 * JPEG-LS (ISO 14495-1) and JPEG 2000 (ISO 15444-1), as used in DICOM. Their headers are compared with the file before
 * a library decodes them, and the result is compared with the header. The library is loaded on demand and runs where a
 * hang can be ended (codecs-page.ts, node/codecs.ts), because CharLS never returns for some damaged files.
 */
import { checkHeld, damaged, unsupported } from './faults.ts';

export type CodecName = 'JPEG-LS' | 'JPEG 2000';

export interface CodecRequest {
  codec: CodecName;
  bytes: Uint8Array;
}

/** Samples of 8 or 16 bits, little endian, interleaved or in planes. */
export interface CodecPicture {
  width: number;
  height: number;
  components: number;
  bits: number;
  planar: boolean;
  data: Uint8Array<ArrayBuffer>;
}

/** Rejects with the library's error if it cannot decode. */
export type Codec = (request: CodecRequest) => Promise<CodecPicture>;

/** Declared format of a frame in the file. */
interface FrameFormat {
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly allocated: number;
}

/** The part of Pace that is used here. */
interface Decoding {
  readonly codec?: Codec;
  rows(size: FrameFormat, work: (y0: number, y1: number) => void, share: readonly [number, number]): Promise<void>;
}

const syntaxes: Readonly<Record<string, CodecName>> = {
  '1.2.840.10008.1.2.4.80': 'JPEG-LS',
  '1.2.840.10008.1.2.4.81': 'JPEG-LS',
  '1.2.840.10008.1.2.4.90': 'JPEG 2000',
  '1.2.840.10008.1.2.4.91': 'JPEG 2000',
};

export const codecOf = (syntax: string): CodecName | undefined => syntaxes[syntax];

/** Memory that a library needs in addition to the returned samples: one 32-bit number per sample, and a copy. */
const HELD_PER_SAMPLE = 8;
const MOST_TILES = 1 << 12;

interface Header {
  width: number;
  height: number;
  components: number;
  bits: number;
}

/** Markers of JPEG-LS: start of the frame (SOF55), and start of a scan (SOS). */
const [FRAME, SCAN] = [0xf7, 0xda];

function headerOfLs(bytes: Uint8Array, view: DataView): Header | null {
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1];
    if (marker === SCAN) return null;
    if (marker === FRAME)
      return {
        ...{ height: view.getUint16(at + 5), width: view.getUint16(at + 7) },
        ...{ components: bytes[at + 9]!, bits: bytes[at + 4]! },
      };
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return null;
}

/**
 * SIZ, which follows the start of the codestream: one grid with its origin in the corner, without subsampled
 * components.
 */
function headerOf2000(bytes: Uint8Array, view: DataView): Header | null {
  if (bytes.length < 48 || view.getUint32(0) !== 0xff4fff51) return null;
  const [width, height, left, top, tileWidth, tileHeight, tileLeft, tileTop] = Array.from({ length: 8 }, (_, i) =>
    view.getUint32(8 + 4 * i),
  ) as [number, number, number, number, number, number, number, number];
  if (left || top || tileLeft || tileTop || !tileWidth || !tileHeight) return null;
  if (Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight) > MOST_TILES) return null;
  const components = view.getUint16(40);
  if (bytes.length < 42 + 3 * components) return null;
  const parts = Array.from({ length: components }, (_, i) => bytes.subarray(42 + 3 * i, 45 + 3 * i));
  if (!parts.every(([depth, dx, dy]) => depth === parts[0]![0] && dx === 1 && dy === 1)) return null;
  return { width, height, components, bits: (parts[0]![0]! & 127) + 1 };
}

/** A fragment may be padded with a zero. */
const ends = (bytes: Uint8Array): boolean => {
  const at = bytes.length - (bytes.at(-1) === 0 ? 3 : 2);
  return bytes[at] === 0xff && bytes[at + 1] === 0xd9;
};

/** @throws {FoveolaError} (rejects) 'decode-failed', 'source-unsupported', 'image-too-large' */
export async function codecSamples(
  codec: CodecName,
  bytes: Uint8Array,
  format: FrameFormat,
  held: number,
  pace: Decoding,
): Promise<Uint8Array | Uint16Array> {
  const { width, height, samples, allocated } = format;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = (codec === 'JPEG-LS' ? headerOfLs : headerOf2000)(bytes, view);
  if (!header) throw damaged(`The DICOM file is damaged: its frame is not a supported ${codec}.`);
  const { components, bits } = header;
  if (header.width !== width || header.height !== height || components !== samples || bits > allocated)
    throw damaged(`The DICOM file is damaged: the size of the ${codec} in it differs from its header.`);
  if (!ends(bytes)) throw damaged(`The DICOM file is cut off or damaged: the ${codec} in it has no end.`);
  const count = width * height * samples;
  checkHeld(held + HELD_PER_SAMPLE * count);
  if (!pace.codec) throw unsupported(`The DICOM file is compressed as ${codec}, and no decoder is available.`);
  const broken = (cause?: unknown) =>
    damaged(`The DICOM file is damaged: the ${codec} in it cannot be decoded${cause ? ` (${String(cause)})` : ''}.`);
  const picture = await pace.codec({ codec, bytes }).catch((error: unknown) => {
    throw error instanceof Error ? error : broken(error);
  });
  const size = bits > 8 ? 2 : 1;
  const { data } = picture;
  if (picture.width !== width || picture.height !== height || data.length !== count * size) throw broken();
  const from = size === 2 ? new DataView(data.buffer, data.byteOffset) : null;
  const out = new (allocated === 16 ? Uint16Array : Uint8Array)(count);
  const [perPixel, perSample] = picture.planar ? [1, width * height] : [samples, 1];
  const take = (y0: number, y1: number) => {
    for (let i = y0 * width; i < y1 * width; i++)
      for (let c = 0; c < samples; c++) {
        const at = i * perPixel + c * perSample;
        out[i * samples + c] = from ? from.getUint16(2 * at, true) : data[at]!;
      }
  };
  await pace.rows(format, take, [0.6, 0.7]);
  return out;
}
