/**
 * WebP: images that must be rotated according to their EXIF data, and animations. They are split into WebP files with
 * one image each.
 */
import { bytesOf, type Pace } from './pace.ts';
import { openAnimation, type AnimationFrame } from './animation.ts';
import { checkHeld, damaged, inFile } from './faults.ts';
import { exifOrientation } from './raster.ts';
import type { PagedFile } from './paged.ts';

interface Chunk {
  type: string;
  data: Uint8Array;
}

const MAXIMUM_CHUNKS = 200_000;
const CUT = 'one of its parts';
/** Header flag for transparency, and frame flags: not blended, cleared afterwards. */
const ALPHA = 0x10;
const [REPLACES, CLEARS] = [2, 1];

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const u24 = (bytes: Uint8Array, at: number) => bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);

/** The chunks of a file or of a frame. */
function chunksOf(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    if (chunks.length === MAXIMUM_CHUNKS) throw damaged('The WebP file is damaged: it has far too many parts.');
    const length = view(bytes).getUint32(at + 4, true);
    inFile(bytes, at, at + 8 + length, CUT);
    chunks.push({
      type: String.fromCharCode(...bytes.subarray(at, at + 4)),
      data: bytes.subarray(at + 8, at + 8 + length),
    });
    at += 8 + length + (length & 1);
  }
  return chunks;
}

/** A file with these chunks. */
function riff(chunks: readonly Chunk[]): Uint8Array {
  const length = chunks.reduce((sum, { data }) => sum + 8 + data.length + (data.length & 1), 4);
  const out = new Uint8Array(8 + length);
  const text = (word: string, at: number) =>
    out.set(
      [...word].map((letter) => letter.charCodeAt(0)),
      at,
    );
  text('RIFF', 0);
  view(out).setUint32(4, length, true);
  text('WEBP', 8);
  let at = 12;
  for (const { type, data } of chunks) {
    text(type, at);
    view(out).setUint32(at + 4, data.length, true);
    out.set(data, at + 8);
    at += 8 + data.length + (data.length & 1);
  }
  return out;
}

/** One image: the compressed data, and its transparency if stored separately. */
function stillOf(chunks: readonly Chunk[], width: number, height: number): Uint8Array {
  const picture = chunks.find(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const alpha = chunks.find(({ type }) => type === 'ALPH');
  if (!picture) throw damaged('The WebP file is cut off or damaged: a picture is missing.');
  if (!alpha || picture.type === 'VP8L') return riff([picture]);
  const header = new Uint8Array(10);
  header[0] = ALPHA;
  const sides = view(header);
  for (const [at, side] of [
    [4, width - 1],
    [7, height - 1],
  ] as const) {
    sides.setUint16(at, side & 0xffff, true);
    header[at + 2] = side >> 16;
  }
  return riff([{ type: 'VP8X', data: header }, alpha, picture]);
}

function frameOf(data: Uint8Array): AnimationFrame {
  inFile(data, 0, 16, CUT);
  const [width, height] = [1 + u24(data, 6), 1 + u24(data, 9)];
  const flags = data[15]!;
  return {
    ...{ x: 2 * u24(data, 0), y: 2 * u24(data, 3), width, height, delay: u24(data, 12) },
    over: !(flags & REPLACES),
    dispose: flags & CLEARS ? 'clear' : 'keep',
    still: () => stillOf(chunksOf(data.subarray(16)), width, height),
  };
}

export async function openWebp(file: Blob, pace: Pace): Promise<PagedFile> {
  checkHeld(file.size);
  const bytes = await bytesOf(file);
  inFile(bytes, 0, 30, CUT);
  inFile(bytes, 0, 8 + view(bytes).getUint32(4, true), CUT);
  const chunks = chunksOf(bytes.subarray(12, 8 + view(bytes).getUint32(4, true)));
  await pace.step(0.1);
  const header = chunks[0]!.data;
  inFile(header, 0, 10, CUT);
  const [width, height] = [1 + u24(header, 4), 1 + u24(header, 7)];
  const moving = chunks.filter(({ type }) => type === 'ANMF').map(({ data }) => frameOf(data));
  const still: AnimationFrame = {
    ...{ x: 0, y: 0, width, height, delay: 0, over: false, dispose: 'keep' },
    still: () => stillOf(chunks, width, height),
  };
  const exif = chunks.find(({ type }) => type === 'EXIF');
  return openAnimation(
    {
      ...{ format: 'WebP', type: 'image/webp', width, height, others: 0, held: bytes.length },
      frames: moving.length ? moving : [still],
      orientation: exif ? exifOrientation(withoutName(exif.data)) : 1,
    },
    pace,
  );
}

/** Some encoders put JPEG's name of the block before it. */
const withoutName = (exif: Uint8Array) => (exif[0] === 0x45 && exif[4] === 0 ? exif.subarray(6) : exif);
