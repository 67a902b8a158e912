/** BMP, which sharp does not read, by what decodes recordings here: FFmpeg, inside this process or as a program. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rgbaImage } from '../frames/rgba-image.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Picture } from './decoded-frame.ts';
import { openRecording } from './recording-decoder.ts';

/** Places in the header: bits of a pixel, how pixels are packed, which of their bits are green. */
const BITS = 28;
const COMPRESSION = 30;
const GREEN = 58;
/** As it stands: the fourth byte of a pixel means nothing. */
const PLAIN = 0;
const MASKS = 3;

/** @throws {FoveolaError} (rejects) 'source-unsupported' (no decoder is installed), 'decode-failed' */
export async function bmpPixels(bytes: Uint8Array): Promise<ImageData> {
  // A name of its own: FFmpeg takes % in the name of a picture for the number of one in a row.
  const folder = await mkdtemp(path.join(tmpdir(), 'foveola-bmp-'));
  try {
    const file = path.join(folder, 'picture.bmp');
    await writeFile(file, bytes);
    const recording = await openRecording(file);
    try {
      for await (const picture of recording.pictures()) return asBrowsers(rgbaOf(picture), bytes);
    } finally {
      recording.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  throw new FoveolaError('decode-failed', 'There is no picture in the file.');
}

function rgbaOf(picture: Picture): ImageData {
  const { format, width, height, planes } = picture;
  const samples = new Uint8ClampedArray(4 * width * height);
  const [{ data, stride }] = planes as [Picture['planes'][number]];
  for (let y = 0; y < height; y++)
    if (format === 'RGBA') samples.set(data.subarray(y * stride, y * stride + 4 * width), 4 * y * width);
    else
      for (let x = 0; x < width; x++) {
        const at = 4 * (y * width + x);
        samples.fill(data[y * stride + x]!, at, at + 3);
        samples[at + 3] = 255;
      }
  picture.release();
  return rgbaImage(width, height, samples);
}

/** What FFmpeg does otherwise: it takes the fourth byte for transparency, and repeats the upper bits of 5 or 6 as lower ones. */
function asBrowsers(image: ImageData, bytes: Uint8Array): ImageData {
  const { data } = image;
  const header = new DataView(bytes.buffer, bytes.byteOffset);
  const packing = header.getUint32(COMPRESSION, true);
  if (packing === PLAIN) for (let i = 3; i < data.length; i += 4) data[i] = 255;
  if (header.getUint16(BITS, true) === 16) {
    const six = packing === MASKS && header.getUint32(GREEN, true) === 0x7e0;
    const spread = (value: number, bits: number) => Math.round(((value >> (8 - bits)) * 255) / ((1 << bits) - 1));
    for (let i = 0; i < data.length; i++) if (i % 4 < 3) data[i] = spread(data[i]!, six && i % 4 === 1 ? 6 : 5);
  }
  return image;
}
