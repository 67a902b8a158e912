/**
 * Netpbm: PBM, PGM and PPM, plain (P1 to P3) and raw (P4 to P6), and PAM (P7), of 8 and 16 bits. Several images in a
 * file are its frames.
 */
import type { GrayImage } from '../../results/types.ts';
import { checkDecoded, checkSize } from '../size.ts';
import { bytesOf, type Pace } from './pace.ts';
import { checkHeld, damaged, inFile, unsupported } from './faults.ts';
import { firstOf, PAGE_TIME, type PagedFile } from './paged.ts';
import { bitsOf, linearTable, toImage, whiteOfBits, type Raster } from './raster.ts';

interface Picture {
  /** 1 to 7. */
  kind: number;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
  /** The value of white. */
  most: number;
  /** Start of the samples and, for raw ones, their end. */
  from: number;
  to: number;
}

const MAXIMUM_PICTURES = 100_000;
const [LINE, HASH] = [10, 35];
const isSpace = (byte: number | undefined) => byte === 32 || (byte! >= 9 && byte! <= 13);
const isDigit = (byte: number | undefined) => byte! >= 48 && byte! <= 57;
const broken = (what: string) => damaged(`The file is damaged: ${what}.`);

/** Position after white space and comments. */
function skip(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(bytes[at]) || bytes[at] === HASH)
    if (bytes[at] === HASH) while (at < bytes.length && bytes[at] !== LINE) at++;
    else at++;
  return at;
}

/** A decimal integer, and its end. */
function numberAt(bytes: Uint8Array, from: number): { value: number; end: number } {
  const start = skip(bytes, from);
  let end = start;
  let value = 0;
  while (isDigit(bytes[end]) && end < start + 10) value = 10 * value + bytes[end++]! - 48;
  inFile(bytes, start, start + 1, 'its header');
  if (end === start) throw broken(`a number is expected at byte ${start}`);
  return { value, end };
}

const kinds: Readonly<Record<string, 1 | 2 | 3 | 4>> = {
  BLACKANDWHITE: 1,
  GRAYSCALE: 1,
  BLACKANDWHITE_ALPHA: 2,
  GRAYSCALE_ALPHA: 2,
  RGB: 3,
  RGB_ALPHA: 4,
};

/** The header lines of a PAM, each with a name and its value. */
function pamHeader(bytes: Uint8Array, start: number): Omit<Picture, 'to'> {
  const named = new Map<string, string>();
  for (let at = start; ;) {
    const end = bytes.indexOf(LINE, at);
    if (end < 0 || end - at > 256 || named.size > 16) throw broken('its header has no end');
    const line = String.fromCharCode(...bytes.subarray(at, end)).trim();
    at = end + 1;
    if (line === 'ENDHDR') {
      const [width, height, most, depth] = ['WIDTH', 'HEIGHT', 'MAXVAL', 'DEPTH'].map((name) =>
        Number(named.get(name)),
      ) as [number, number, number, number];
      const channels = kinds[named.get('TUPLTYPE') ?? ''] ?? (depth as 1);
      if (channels !== depth || depth > 4)
        throw unsupported(
          `The PAM file has tuples of ${depth} samples, which are not supported. Save it as gray or RGB.`,
        );
      return { kind: 7, width, height, channels, most, from: at };
    }
    const [, name, value] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name) named.set(name, value!);
  }
}

function headerAt(bytes: Uint8Array, start: number): Picture {
  const kind = bytes[start + 1]! - 48;
  if (bytes[start] !== 0x50 || !(kind >= 1 && kind <= 7)) throw broken(`a picture is expected at byte ${start}`);
  let header: Omit<Picture, 'to'>;
  if (kind === 7) header = pamHeader(bytes, start + 3);
  else {
    const width = numberAt(bytes, start + 2);
    const height = numberAt(bytes, width.end);
    const most = kind % 3 === 1 ? { value: 1, end: height.end } : numberAt(bytes, height.end);
    header = {
      kind,
      width: width.value,
      height: height.value,
      channels: kind % 3 ? 1 : 3,
      most: most.value,
      from: most.end + 1,
    };
  }
  const { width, height, channels, most, from } = header;
  if (!(width >= 1 && height >= 1)) throw broken('its picture has no size');
  if (!(most >= 1 && most <= 65535)) throw broken(`its largest value is ${most}`);
  (channels > 1 ? checkDecoded : checkSize)(width, height);
  const row = kind === 4 ? Math.ceil(width / 8) : width * channels * (most > 255 ? 2 : 1);
  return { ...header, to: kind > 3 ? from + row * height : bytes.length };
}

/** All images in the file. A plain image is always the only one. */
async function picturesOf(bytes: Uint8Array, pace: Pace): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (let at = 0; at < bytes.length;) {
    const picture = headerAt(bytes, at);
    pictures.push(picture);
    if (pictures.length > MAXIMUM_PICTURES)
      throw unsupported(`The file has more than ${MAXIMUM_PICTURES} pictures. Save it in several files.`);
    at = picture.to;
    while (isSpace(bytes[at])) at++;
    if (bytes[at] !== 0x50) break; // ignores data after the last image
    await pace.step(NaN);
  }
  return pictures;
}

/** Plain samples: numbers separated by white space, or single digits in a bitmap. */
async function plainSamples(bytes: Uint8Array, picture: Picture, samples: Uint8Array | Uint16Array, pace: Pace) {
  const { kind, most, from } = picture;
  let at = from - 1;
  for (let i = 0; i < samples.length; i++) {
    at = skip(bytes, at);
    if (at >= bytes.length) throw damaged(`The file is cut off: it has ${i} of its ${samples.length} samples.`);
    if (kind === 1) {
      if (bytes[at] !== 48 && bytes[at] !== 49) throw broken(`a sample is expected at byte ${at}`);
      samples[i] = 49 - bytes[at++]!; // 1 is black
    } else {
      const { value, end } = numberAt(bytes, at);
      samples[i] = Math.min(most, value);
      at = end;
    }
    if (i % 4096 === 4095) await pace.step((0.7 * i) / samples.length);
  }
}

async function rasterOf(bytes: Uint8Array, picture: Picture, pace: Pace): Promise<Raster> {
  const { kind, width, height, channels, most, from, to } = picture;
  const deep = most > 255;
  const count = width * height * channels;
  if (kind > 3) inFile(bytes, from, to, 'its picture');
  else if (bytes.length - from < count)
    throw damaged(`The file is cut off: ${bytes.length} bytes for ${count} samples.`);
  checkHeld(bytes.length + count * (deep ? 2 : 1) + (channels > 1 ? 4 : 1) * width * height);
  const samples = new (deep ? Uint16Array : Uint8Array)(count);
  if (kind < 4) await plainSamples(bytes, picture, samples, pace);
  else if (kind === 4) {
    const row = Math.ceil(width / 8);
    for (let i = 0; i < count; i++) {
      const [x, y] = [i % width, Math.floor(i / width)];
      samples[i] = 1 - ((bytes[from + y * row + (x >> 3)]! >> (7 - (x & 7))) & 1);
    }
  } else if (!deep) samples.set(bytes.subarray(from, to));
  else {
    const view = new DataView(bytes.buffer, bytes.byteOffset + from);
    const perRow = width * channels;
    const take = (y0: number, y1: number) => {
      for (let i = y0 * perRow; i < y1 * perRow; i++) samples[i] = view.getUint16(2 * i);
    };
    await pace.rows({ width, height }, take, [0.1, 0.6]);
  }
  return { width, height, channels, samples };
}

/** 0 up to `white` become 0 up to 255. Opacity is scaled by the maximum value of the file. */
async function imageOf(raster: Raster, most: number, white: number, pace: Pace): Promise<GrayImage | ImageData> {
  const { channels, samples } = raster;
  const full = samples instanceof Uint16Array ? 65535 : 255;
  if (channels % 2 === 0 && most < full)
    for (let i = channels - 1; i < samples.length; i += channels)
      samples[i] = Math.round((Math.min(most, samples[i]!) * full) / most);
  return toImage(raster, pace, linearTable(white));
}

export async function openPnm(file: Blob, pace: Pace): Promise<PagedFile> {
  checkHeld(file.size);
  const bytes = await bytesOf(file);
  const all = await picturesOf(bytes, pace);
  const first = all[0]!;
  const isFrame = ({ width, height, channels }: Picture) =>
    width === first.width && height === first.height && channels === first.channels;
  const frames = all.filter(isFrame);
  const notes: string[] = [];
  const colors = first.channels > 2 ? 3 : 1;
  const format = ['PBM', 'PGM', 'PPM', 'PBM', 'PGM', 'PPM', 'PAM'][first.kind - 1]!;
  return {
    ...{ format, bits: Math.ceil(Math.log2(first.most + 1)), spacing: null, notes },
    ...{ pages: all.length, frames: frames.length },
    async *read(whole) {
      if (!whole && all.length > 1) notes.push(firstOf(1, all.length, 'page'));
      // 16-bit samples often come from a camera with fewer bits. Any other maximum is used as declared.
      let white = 0;
      if (first.most === 65535) {
        let bits = 0;
        for (const picture of whole ? frames : [first])
          bits |= await bitsOf(await rasterOf(bytes, picture, pace), colors, pace);
        const found = whiteOfBits(bits);
        white = found.white;
        if (found.note) notes.push(found.note);
      } else if (first.most > 255) notes.push(`The maximum sample is ${first.most}. 0..${first.most} became 0..255.`);
      let before = -1;
      for (const [i, picture] of frames.entries()) {
        const image = await imageOf(await rasterOf(bytes, picture, pace), picture.most, white || picture.most, pace);
        const place = all.indexOf(picture, before + 1);
        yield { image, time: i * PAGE_TIME, duration: PAGE_TIME, skipped: place - before - 1 };
        before = place;
      }
    },
  };
}
