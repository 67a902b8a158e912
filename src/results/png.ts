/**
 * PNG encoder that does not use a canvas. The bytes are exactly the samples, while browsers add noise to
 * canvas read-back against fingerprinting and premultiply. Text and scale can be included, and it works in pages,
 * workers and Node. Rows are filtered in bands and compressed by the deflate of the platform. Format: PNG, third
 * edition (W3C 2025).
 */
import { crc32 } from '../runtime/crc32.ts';
import { FoveolaError } from '../runtime/error.ts';

export interface PngPicture {
  readonly width: number;
  readonly height: number;
  /** 1 gray, 3 RGB, 4 RGBA (not premultiplied). */
  readonly channels: 1 | 3 | 4;
  /** width x height x channels samples, row by row. */
  readonly data: Uint8Array | Uint8ClampedArray;
}

export interface PngOptions {
  /** Written as pHYs (whole pixels per meter). */
  micrometresPerPixel?: number;
  /** Keyword (Latin-1, at most 79 characters) and text of iTXt chunks. */
  text?: Readonly<Record<string, string>>;
}

const BAND_BYTES = 1 << 18;
const colorTypes = { 1: 0, 3: 2, 4: 6 } as const;

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(data.length + 12);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  view.setUint32(data.length + 8, crc32(out, 4, data.length + 8));
  return out;
}

function header({ width, height, channels }: PngPicture): Uint8Array {
  const out = new Uint8Array(13);
  const view = new DataView(out.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  out[8] = 8; // bits per sample
  out[9] = colorTypes[channels];
  return out;
}

function physical(micrometresPerPixel: number): Uint8Array {
  const out = new Uint8Array(9);
  const view = new DataView(out.buffer);
  const perMetre = Math.round(1e6 / micrometresPerPixel);
  view.setUint32(0, perMetre);
  view.setUint32(4, perMetre);
  out[8] = 1; // the unit is the meter
  return out;
}

/** iTXt: keyword, not compressed, no language, no translated keyword, text in UTF-8. */
function international(keyword: string, text: string): Uint8Array {
  const content = new TextEncoder().encode(text);
  const out = new Uint8Array(keyword.length + 5 + content.length);
  for (let i = 0; i < keyword.length; i++) out[i] = keyword.charCodeAt(i);
  out.set(content, keyword.length + 5);
  return out;
}

/** Rows y0..y1-1 with their filter bytes: Up for gray (masks hardly change from row to row), Paeth for color. */
function filtered({ width, channels, data }: PngPicture, y0: number, y1: number): Uint8Array<ArrayBuffer> {
  const row = width * channels;
  const out = new Uint8Array((row + 1) * (y1 - y0));
  for (let y = y0; y < y1; y++) {
    const to = (row + 1) * (y - y0);
    const at = row * y;
    const paeth = channels > 1 && y > 0;
    out[to] = y === 0 ? 0 : paeth ? 4 : 2;
    for (let i = 0; i < row; i++) {
      const x = data[at + i]!;
      const above = y > 0 ? data[at + i - row]! : 0;
      if (!paeth) out[to + 1 + i] = x - above;
      else {
        const left = i < channels ? 0 : data[at + i - channels]!;
        const corner = i < channels ? 0 : data[at + i - row - channels]!;
        const a = Math.abs(above - corner);
        const b = Math.abs(left - corner);
        const c = Math.abs(left + above - 2 * corner);
        out[to + 1 + i] = x - (a <= b && a <= c ? left : b <= c ? above : corner);
      }
    }
  }
  return out;
}

async function compressed(picture: PngPicture): Promise<Uint8Array<ArrayBuffer>[]> {
  const rows = Math.max(1, Math.floor(BAND_BYTES / (picture.width * picture.channels)));
  let y = 0;
  const bands = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const end = Math.min(picture.height, y + rows);
      controller.enqueue(filtered(picture, y, end));
      y = end;
      if (y === picture.height) controller.close();
    },
  });
  const reader = bands.pipeThrough(new CompressionStream('deflate')).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
    parts.push(chunk('IDAT', value!));
  return parts;
}

/** @throws {FoveolaError} (rejects) 'invalid-argument', 'source-unsupported' (no CompressionStream) */
export async function encodePng(picture: PngPicture, { micrometresPerPixel, text }: PngOptions = {}): Promise<Blob> {
  const { width, height, channels, data } = picture;
  if (!(width >= 1 && height >= 1) || data.length !== width * height * channels)
    throw new FoveolaError(
      'invalid-argument',
      `A PNG of ${width}x${height} pixels of ${channels} samples needs ${width * height * channels} samples, not ${data.length}.`,
    );
  if (typeof CompressionStream === 'undefined')
    throw new FoveolaError(
      'source-unsupported',
      'This browser has no CompressionStream, which writing PNG needs. Use a browser from 2023 or later.',
    );
  const known = micrometresPerPixel !== undefined && micrometresPerPixel > 0;
  return new Blob(
    [
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      chunk('IHDR', header(picture)),
      ...(known ? [chunk('pHYs', physical(micrometresPerPixel))] : []),
      ...Object.entries(text ?? {}).map(([keyword, value]) => chunk('iTXt', international(keyword, value))),
      ...(await compressed(picture)),
      chunk('IEND', new Uint8Array(0)),
    ],
    { type: 'image/png' },
  );
}
