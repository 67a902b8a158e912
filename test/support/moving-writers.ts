// Animations made in tests: GIF, APNG, and WebP out of pictures that an encoder has made; and EXIF blocks for any of them.
import { crc32 } from '../../src/runtime/crc32.ts';
import { ByteWriter, deflated } from './bytes.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const big = () => new ByteWriter(false);

export interface Frame {
  x?: number;
  y?: number;
  width: number;
  height: number;
  /** GIF: an index per pixel. APNG: RGBA. */
  data: readonly number[];
  /** Milliseconds. */
  delay?: number;
  dispose?: 'keep' | 'clear' | 'restore';
  /** APNG and WebP: over what is there, and not in its place. */
  over?: boolean;
}

/** Codes of 9 bits alone: the table is cleared before it grows. */
function lzwOfGif(indices: readonly number[]): number[] {
  const [clear, end] = [256, 257];
  const out: number[] = [];
  let [held, bits] = [0, 0];
  const put = (code: number) => {
    held |= code << bits;
    for (bits += 9; bits >= 8; bits -= 8, held >>= 8) out.push(held & 255);
  };
  indices.forEach((index, i) => {
    if (i % 200 === 0) put(clear);
    put(index);
  });
  put(end);
  if (bits) out.push(held & 255);
  return out;
}

/** `palette`: red, green, blue of up to 256 colors. `transparent`: an index of all frames. */
export function gifFile(
  width: number,
  height: number,
  palette: readonly number[],
  frames: readonly Frame[],
  transparent?: number,
): Bytes {
  const out = new ByteWriter().text('GIF89a').number(width, 2).number(height, 2).bytes([0xf7, 0, 0]);
  out.bytes(Array.from({ length: 768 }, (_, i) => palette[i] ?? 0));
  for (const { x = 0, y = 0, data, delay = 0, dispose = 'keep', ...size } of frames) {
    const flags = ({ keep: 1, clear: 2, restore: 3 }[dispose] << 2) | (transparent === undefined ? 0 : 1);
    out
      .bytes([0x21, 0xf9, 4, flags])
      .number(Math.round(delay / 10), 2)
      .bytes([transparent ?? 0, 0]);
    out.bytes([0x2c]).number(x, 2).number(y, 2).number(size.width, 2).number(size.height, 2).bytes([0, 8]);
    const codes = lzwOfGif(data);
    for (let at = 0; at < codes.length; at += 255) {
      const block = codes.slice(at, at + 255);
      out.bytes([block.length, ...block]);
    }
    out.number(0, 1);
  }
  return out.bytes([0x3b]).done();
}

function chunk(out: ByteWriter, type: string, content: ArrayLike<number>): void {
  const body = big().text(type).bytes(content).done();
  out.number(content.length, 4).bytes(body).number(crc32(body), 4);
}

async function rowsOf({ width, data }: Frame): Promise<Bytes> {
  const rows = new ByteWriter();
  for (let at = 0; at < data.length; at += 4 * width) rows.number(0, 1).bytes(data.slice(at, at + 4 * width));
  return deflated(rows.done());
}

/**
 * PNG of RGBA with 8 bits; with `frames` an animation. `still`: the picture of programs that show no animation; without it the
 * first frame is that.
 */
export async function apngFile(
  width: number,
  height: number,
  { still, frames = [], chunks = [] }: { still?: Frame; frames?: readonly Frame[]; chunks?: [string, Uint8Array][] },
): Promise<Bytes> {
  const out = big().bytes([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  chunk(out, 'IHDR', big().number(width, 4).number(height, 4).bytes([8, 6, 0, 0, 0]).done());
  for (const [type, content] of chunks) chunk(out, type, content);
  if (frames.length) chunk(out, 'acTL', big().number(frames.length, 4).number(0, 4).done());
  if (still) chunk(out, 'IDAT', await rowsOf(still));
  let sequence = 0;
  for (const [i, frame] of frames.entries()) {
    const { x = 0, y = 0, delay = 0, dispose = 'keep', over = false } = frame;
    const control = big()
      .number(sequence++, 4)
      .number(frame.width, 4)
      .number(frame.height, 4)
      .number(x, 4)
      .number(y, 4);
    control
      .number(delay, 2)
      .number(1000, 2)
      .bytes([['keep', 'clear', 'restore'].indexOf(dispose), over ? 1 : 0]);
    chunk(out, 'fcTL', control.done());
    const rows = await rowsOf(frame);
    if (i === 0 && !still) chunk(out, 'IDAT', rows);
    else chunk(out, 'fdAT', big().number(sequence++, 4).bytes(rows).done());
  }
  chunk(out, 'IEND', []);
  return out.done();
}

function part(type: string, content: ArrayLike<number>): Bytes {
  const out = new ByteWriter().text(type).number(content.length, 4).bytes(content);
  return (content.length % 2 ? out.number(0, 1) : out).done();
}

function webpOf(...parts: ArrayLike<number>[]): Bytes {
  const body = new ByteWriter().text('WEBP');
  for (const one of parts) body.bytes(one);
  return new ByteWriter().text('RIFF').number(body.length, 4).bytes(body.done()).done();
}

/** The picture in a WebP, with its transparency where that stands by itself. */
function pictureIn(webp: Uint8Array): number[] {
  const found: number[] = [];
  const view = new DataView(webp.buffer, webp.byteOffset);
  for (let at = 12; at + 8 <= webp.length;) {
    const length = view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) % 2);
    if (/^(VP8[ L]|ALPH)$/.test(String.fromCharCode(...webp.subarray(at, at + 4))))
      found.push(...webp.subarray(at, at + 8 + length));
    at += 8 + length;
  }
  return found;
}

const header = (flags: number, width: number, height: number) =>
  part(
    'VP8X',
    new ByteWriter()
      .number(flags, 4)
      .number(width - 1, 3)
      .number(height - 1, 3)
      .done(),
  );

/** An animation of pictures, each a WebP in `data`. */
export const movingWebp = (width: number, height: number, frames: readonly Frame[]): Bytes =>
  webpOf(
    header(0x12, width, height),
    part('ANIM', [0, 0, 0, 0, 0, 0]),
    ...frames.map(({ x = 0, y = 0, data, delay = 0, dispose = 'keep', over = false, ...size }) => {
      const place = new ByteWriter().number(x / 2, 3).number(y / 2, 3);
      place
        .number(size.width - 1, 3)
        .number(size.height - 1, 3)
        .number(delay, 3);
      place.number((over ? 0 : 2) | (dispose === 'clear' ? 1 : 0), 1);
      return part('ANMF', [...place.done(), ...pictureIn(Uint8Array.from(data))]);
    }),
  );

/** A WebP with an EXIF block. */
export const webpWithExif = (webp: Uint8Array, width: number, height: number, exif: Uint8Array): Bytes =>
  webpOf(header(0x18, width, height), pictureIn(webp), part('EXIF', exif));

/** An EXIF block that says one thing: how the picture is to be turned. */
export function exifBlock(orientation: number, little = true): Bytes {
  const out = new ByteWriter(little)
    .text(little ? 'II' : 'MM')
    .number(42, 2)
    .number(8, 4)
    .number(1, 2);
  return out.number(274, 2).number(3, 2).number(1, 4).number(orientation, 2).number(0, 2).number(0, 4).done();
}

/** A JPEG with an EXIF block. */
export const jpegWithExif = (jpeg: Uint8Array, exif: Uint8Array): Bytes =>
  big()
    .bytes(jpeg.subarray(0, 2))
    .bytes([0xff, 0xe1])
    .number(exif.length + 8, 2)
    .text('Exif\0\0')
    .bytes(exif)
    .bytes(jpeg.subarray(2))
    .done();

/** An AVIF of sharp, turned by its properties: 'irot' (quarters, counterclockwise), 'imir' (0 top to bottom, 1 left to right). */
export function turnedAvif(avif: Uint8Array, properties: readonly (readonly ['irot' | 'imir', number])[]): Bytes {
  const bytes = [...avif];
  const place = (name: string, from = 0) => {
    for (let at = from; at + 4 <= bytes.length; at++)
      if ([...name].every((letter, i) => bytes[at + i] === letter.charCodeAt(0))) return at - 4;
    throw new Error(`no ${name}`);
  };
  const u32 = (at: number) => bytes.slice(at, at + 4).reduce((sum, byte) => sum * 256 + byte, 0);
  const set = (at: number, value: number) => bytes.splice(at, 4, ...big().number(value, 4).done());
  const boxes = properties.flatMap(([name, value]) => [...big().number(9, 4).text(name).number(value, 1).done()]);
  const [ipco, ipma, iloc] = [place('ipco'), place('ipma'), place('iloc')];
  const known = bytes[ipma + 18]!; // of the one picture, how many properties
  const added = boxes.length + properties.length;
  for (const [name, more] of [
    ['meta', added],
    ['iprp', added],
    ['ipco', boxes.length],
    ['ipma', properties.length],
  ] as const)
    set(place(name), u32(place(name)) + more);
  set(iloc + 20, u32(iloc + 20) + added); // where the picture stands
  bytes[ipma + 18] = known + properties.length;
  bytes.splice(ipma + 19 + known, 0, ...properties.map((_, i) => 0x81 + known + i));
  bytes.splice(ipco + u32(ipco) - boxes.length, 0, ...boxes);
  return Uint8Array.from(bytes);
}
