// Bytes put together for files made in tests.

/** Grows as it is written to. */
export class ByteWriter {
  #bytes: number[] = [];
  readonly little: boolean;

  constructor(little = true) {
    this.little = little;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** A whole number of 1, 2, 4 or 8 bytes. */
  number(value: number, size: number): this {
    const bytes = Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i) & 255);
    this.#bytes.push(...(this.little ? bytes : bytes.reverse()));
    return this;
  }

  bytes(values: ArrayLike<number>): this {
    for (let i = 0; i < values.length; i++) this.#bytes.push(values[i]!);
    return this;
  }

  text(value: string): this {
    return this.bytes([...value].map((character) => character.charCodeAt(0)));
  }

  /** Replaces what was written at `at`. */
  patch(at: number, value: number, size: number): void {
    const bytes = new ByteWriter(this.little).number(value, size).done();
    bytes.forEach((byte, i) => (this.#bytes[at + i] = byte));
  }

  done(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#bytes);
  }
}

export async function deflated(
  bytes: Uint8Array,
  format: 'deflate' | 'deflate-raw' = 'deflate',
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** PackBits of TIFF, which is DICOM's RLE as well: runs of three and more, literals between them. */
export function packed(bytes: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  for (let at = 0; at < bytes.length;) {
    let run = 1;
    while (run < 128 && at + run < bytes.length && bytes[at + run] === bytes[at]) run++;
    if (run > 2) {
      out.push(257 - run, bytes[at]!);
      at += run;
      continue;
    }
    let end = at + 1;
    const isRun = (i: number) => bytes[i] === bytes[i + 1] && bytes[i] === bytes[i + 2];
    while (end < bytes.length && end - at < 128 && !isRun(end)) end++;
    out.push(end - at - 1, ...Array.from({ length: end - at }, (_, i) => bytes[at + i]!));
    at = end;
  }
  return Uint8Array.from(out);
}

/** A test picture that looks the same in every tool: samples of pixel x, y and channel c. */
export const pattern = (x: number, y: number, c: number, levels = 256): number =>
  (x * 37 + y * 59 + c * 101 + x * y * 7) % levels;

/** All samples of the test picture, pixel by pixel. */
export const patternOf = (width: number, height: number, channels: number, levels = 256): number[] =>
  Array.from({ length: width * height * channels }, (_, i) => {
    const pixel = Math.floor(i / channels);
    return pattern(pixel % width, Math.floor(pixel / width), i % channels, levels);
  });
