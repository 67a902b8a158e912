/**
 * A decoded frame of a recording: a VideoFrame without a browser. It has the same members, as far as the engine uses
 * them, so frames of both platforms use the same code (frames/video-frame.ts) and produce the same bytes. Samples stay
 * in the decoder's memory until the last clone is closed.
 */
import type { Clock } from '../results/export-pupil.ts';
import type { ImageFileNotes } from '../results/types.ts';
import {
  asShown,
  isSideways,
  narrowed,
  type Orientation,
  type SamplePlane,
  tightPlane,
  upright,
} from '../frames/as-shown.ts';
import { FoveolaError } from '../runtime/error.ts';
import { checkDecoded } from '../frames/size.ts';

/** Samples of one plane in rows of `stride` bytes. */
export interface PicturePlane {
  readonly data: Uint8Array;
  readonly stride: number;
}

export interface Picture {
  readonly format: 'I420' | 'I422' | 'I444' | 'NV12' | 'RGBA';
  readonly width: number;
  readonly height: number;
  /** A gray frame has only the first plane. The others count as 128. */
  readonly planes: readonly PicturePlane[];
  /**
   * Samples of 9 to 16 bits are two bytes each, low byte first. The upper 8 bits are used, or the values of `levels`.
   */
  readonly bits: number;
  /** The 8-bit level of each 16-bit sample. */
  readonly levels?: Uint8Array;
  /** Size with square pixels, if it differs from the size of the samples. */
  readonly square?: readonly [width: number, height: number];
  /** Orientation in the recording, if the frame must be rotated. */
  readonly orientation?: Orientation;
  /** False: luma 16..235. */
  readonly fullRange: boolean;
  /** Microseconds into the recording. */
  readonly timestamp: number;
  /** Returns the samples to the decoder. */
  release(): void;
}

/** Number of open clones of a frame, and its planes as shown, once they have been requested. */
interface Use {
  open: number;
  shown?: (SamplePlane | undefined)[];
}

const half = (size: number, shift: number) => (size + (1 << shift) - 1) >> shift;

/** Samples per row, rows and channels of each plane. */
function planeSides(format: Picture['format'], width: number, height: number): [number, number, number][] {
  if (format === 'RGBA') return [[width, height, 4]];
  if (format === 'NV12')
    return [
      [width, height, 1],
      [half(width, 1), half(height, 1), 2],
    ];
  const [across, down] = [half(width, format === 'I444' ? 0 : 1), half(height, format === 'I420' ? 1 : 0)];
  return [
    [width, height, 1],
    [across, down, 1],
    [across, down, 1],
  ];
}

/** Bytes per row and rows of each plane, as 8-bit samples. */
export const planeShapes = ({
  format,
  width,
  height,
}: Pick<Picture, 'format' | 'width' | 'height'>): [row: number, rows: number][] =>
  planeSides(format, width, height).map(([across, down, channels]) => [across * channels, down]);

/**
 * Format and size as shown. A rotated I422 frame would have chroma of half height, so every other chroma column is
 * skipped.
 */
function shownShape({ format, width, height, square, orientation = upright }: Picture) {
  const [across, down] = square ?? [width, height];
  if (!isSideways(orientation)) return { format, width: across, height: down };
  return { format: format === 'I422' ? ('I420' as const) : format, width: down, height: across };
}

/** 8-bit planes in the right orientation. Undefined for planes that a gray frame lacks. */
function shownPlanes(picture: Picture): (SamplePlane | undefined)[] {
  const { format, width, height, planes, bits, levels, square, orientation = upright } = picture;
  const [across, down] = square ?? [width, height];
  const wanted = planeSides(format, across, down);
  return planeSides(format, width, height).map(([columns, rows, channels], index) => {
    const plane = planes[index];
    if (!plane) return undefined;
    const bytes = bits > 8 ? 2 * channels : channels;
    const stored = { ...plane, offset: 0, width: columns, height: rows, bytes };
    const eight = bits > 8 ? narrowed(stored, channels, bits, levels) : stored;
    const made = asShown(eight, wanted[index]![0], wanted[index]![1], orientation);
    return format === 'I422' && index && isSideways(orientation) ? everyOther(made) : made;
  });
}

function everyOther({ data, offset, stride, width, height }: SamplePlane): SamplePlane {
  const to = tightPlane(half(width, 1), height, 1);
  for (let y = 0, out = 0; y < height; y++)
    for (let x = 0; x < width; x += 2) to.data[out++] = data[offset + y * stride + x]!;
  return to;
}

export class DecodedFrame {
  readonly #picture: Picture;
  readonly #use: Use;
  readonly #shape: Pick<Picture, 'format' | 'width' | 'height'>;
  #closed = false;

  constructor(picture: Picture, use: Use = { open: 0 }) {
    this.#picture = picture;
    this.#use = use;
    this.#shape = shownShape(picture);
    use.open++;
  }

  get format(): Picture['format'] {
    return this.#shape.format;
  }
  get timestamp(): number {
    return this.#picture.timestamp;
  }
  get displayWidth(): number {
    return this.#closed ? 0 : this.#shape.width;
  }
  get displayHeight(): number {
    return this.#closed ? 0 : this.#shape.height;
  }
  get visibleRect(): { x: number; y: number; width: number; height: number } {
    const { width, height } = this.#shape;
    return { x: 0, y: 0, width, height };
  }
  get colorSpace(): { fullRange: boolean; matrix: string | null } {
    return { fullRange: this.#picture.fullRange, matrix: this.format === 'RGBA' ? 'rgb' : null };
  }

  allocationSize(): number {
    return planeShapes(this.#shape).reduce((bytes, [row, rows]) => bytes + row * rows, 0);
  }

  /**
   * The samples, 8 bits each, one plane after the other or according to `layout`.
   * @throws {FoveolaError} (rejects) 'source-not-ready' after it has been closed
   */
  async copyTo(
    target: Uint8Array,
    { layout }: { layout?: readonly { offset: number; stride: number }[] } = {},
  ): Promise<void> {
    if (this.#closed)
      throw new FoveolaError('source-not-ready', 'The frame was closed. Use it before you request the next one.');
    const planes = (this.#use.shown ??= shownPlanes(this.#picture));
    let offset = 0;
    planeShapes(this.#shape).forEach(([row, rows], index) => {
      const place = layout?.[index] ?? { offset, stride: row };
      offset += row * rows;
      const plane = planes[index];
      if (plane?.stride === row && place.stride === row) {
        target.set(plane.data.subarray(plane.offset, plane.offset + row * rows), place.offset);
        return;
      }
      for (let y = 0; y < rows; y++) {
        const to = place.offset + y * place.stride;
        if (!plane) target.fill(128, to, to + row);
        else
          target.set(plane.data.subarray(plane.offset + y * plane.stride, plane.offset + y * plane.stride + row), to);
      }
    });
  }

  /** Another reference to the same samples. */
  clone(): DecodedFrame {
    if (this.#closed) throw new FoveolaError('source-not-ready', 'The frame was closed. Clone it before that.');
    return new DecodedFrame(this.#picture, this.#use);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (--this.#use.open === 0) this.#picture.release();
  }
}

export interface DecodedTimedFrame {
  /** A source for every engine call. Closed when the next one is requested, so use `clone()` to keep it. */
  frame: DecodedFrame;
  /** Milliseconds, strictly increasing. */
  timestamp: number;
  /** Milliseconds into the recording as stored in the file, even if that jumps back. */
  mediaTime: number;
  clock: Clock;
  /** Pages of a stack before this one that are not frames. Otherwise 0. */
  dropped: number;
  /** For a stack or an animation: notes on the file, including how many of its pages are frames. */
  file?: ImageFileNotes;
  /** Changes to the recording's samples, as text: bits that no sample uses. */
  notes: readonly string[];
}

// A recording that is open for reading.

export interface Recording {
  /** Coded size of its frames. */
  width: number;
  height: number;
  decoder: 'node-av' | 'ffmpeg';
  /** Samples are stored in 16 bits, but may use fewer (pixel-formats.ts). */
  deep: boolean;
  /** Milliseconds between two frames, for streams without times. */
  interval: number;
  /**
   * Each frame once, in presentation order. Its timestamp is NaN if the stream has none. The receiver must release each
   * frame.
   */
  pictures(): Iterable<Picture> | AsyncIterable<Picture>;
  close(): void;
}

export interface OpenOptions {
  /** Ignores the edit list: every frame, on the clock of its track. */
  asStored?: boolean;
}

/** Milliseconds between two frames, from the first valid rate. */
export function intervalOf(...rates: { num: number; den: number }[]): number {
  const rate = rates.find(({ num, den }) => num > 0 && den > 0 && num / den <= 1000);
  return rate ? (1000 * rate.den) / rate.num : 40;
}

/** Throws 'image-too-large' for a frame that exceeds the limits with its samples or with square pixels. */
export function checkPicture({ width, height, square }: Pick<Picture, 'width' | 'height' | 'square'>): void {
  checkDecoded(width, height);
  if (square) checkDecoded(...square);
}
