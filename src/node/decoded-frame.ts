/**
 * A decoded picture of a recording, as a VideoFrame without a browser: the same members, as far as the engine uses them, so
 * that frames of both worlds take the same way (frames/video-frame.ts) and give the same bytes. Samples stay where the
 * decoder has put them until the last clone is closed.
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
  /** Of a gray picture the first alone: the others are 128. */
  readonly planes: readonly PicturePlane[];
  /** Samples of 9 to 16 bits are two bytes each, the lower one first; the upper 8 bits are taken, or what `levels` says. */
  readonly bits: number;
  /** The 8-bit level of each 16-bit sample. */
  readonly levels?: Uint8Array;
  /** Sides with square pixels, where they are others than those of the samples. */
  readonly square?: readonly [width: number, height: number];
  /** How it stands in the recording, where it is to be turned. */
  readonly orientation?: Orientation;
  /** False: luma 16..235. */
  readonly fullRange: boolean;
  /** Microseconds into the recording. */
  readonly timestamp: number;
  /** Gives the samples back to the decoder. */
  release(): void;
}

/** How many clones of a picture are open, and its planes as it is shown, once somebody has asked for them. */
interface Use {
  open: number;
  shown?: (SamplePlane | undefined)[];
}

const half = (size: number, shift: number) => (size + (1 << shift) - 1) >> shift;

/** Samples a row, rows and channels of each plane. */
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

/** Bytes a row and rows of each plane, as 8-bit samples. */
export const planeShapes = ({
  format,
  width,
  height,
}: Pick<Picture, 'format' | 'width' | 'height'>): [row: number, rows: number][] =>
  planeSides(format, width, height).map(([across, down, channels]) => [across * channels, down]);

/** Format and sides as it is shown. Turned, the colors of I422 would be halved in height: every other column is left out. */
function shownShape({ format, width, height, square, orientation = upright }: Picture) {
  const [across, down] = square ?? [width, height];
  if (!isSideways(orientation)) return { format, width: across, height: down };
  return { format: format === 'I422' ? ('I420' as const) : format, width: down, height: across };
}

/** 8-bit planes the right way up; undefined for those that a gray picture lacks. */
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
   * The samples, 8 bits each, one plane after the other or as `layout` says.
   * @throws {FoveolaError} (rejects) 'source-not-ready' once it is closed
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

  /** Another hold on the same samples. */
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
  /** A source for every engine call; closed when the next one is asked for, `clone()` it to keep it. */
  frame: DecodedFrame;
  /** Milliseconds, strictly growing. */
  timestamp: number;
  /** Milliseconds into the recording as the file has it, also where that goes back. */
  mediaTime: number;
  clock: Clock;
  /** Pages of a stack before this one that are not frames; otherwise 0. */
  dropped: number;
  /** Of a stack or an animation: what the file says of itself, with how many of its pages are frames. */
  file?: ImageFileNotes;
  /** What was changed of the recording's samples, in plain words: bits that none of them uses. */
  notes: readonly string[];
}

// A recording that is open for reading.

export interface Recording {
  /** Sides of its pictures as they are coded. */
  width: number;
  height: number;
  decoder: 'node-av' | 'ffmpeg';
  /** Samples are stored in 16 bits, of which they may use fewer (pixel-formats.ts). */
  deep: boolean;
  /** Milliseconds between two pictures, for streams that have no times. */
  interval: number;
  /** Each picture once, in the order of showing; its timestamp is NaN where the stream has none. Whoever receives one releases it. */
  pictures(): Iterable<Picture> | AsyncIterable<Picture>;
  close(): void;
}

export interface OpenOptions {
  /** Without its edit list: every picture, by the clock of its track. */
  asStored?: boolean;
}

/** Milliseconds between two pictures by the first of these rates that is one. */
export function intervalOf(...rates: { num: number; den: number }[]): number {
  const rate = rates.find(({ num, den }) => num > 0 && den > 0 && num / den <= 1000);
  return rate ? (1000 * rate.den) / rate.num : 40;
}

/** Throws 'image-too-large' for a picture whose samples or square pixels are more than what is read. */
export function checkPicture({ width, height, square }: Pick<Picture, 'width' | 'height' | 'square'>): void {
  checkDecoded(width, height);
  if (square) checkDecoded(...square);
}
