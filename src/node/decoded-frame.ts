/**
 * A decoded picture of a recording, as a VideoFrame without a browser: the same members, as far as the engine uses them, so
 * that frames of both worlds take the same way (frames/video-frame.ts) and give the same bytes. Samples stay where the
 * decoder has put them until the last clone is closed.
 */
import { FoveolaError } from '../runtime/error.ts';

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
  /** Samples of 9 to 16 bits are two bytes each, the lower one first; the upper 8 bits are taken. */
  readonly bits: number;
  /** False: luma 16..235. */
  readonly fullRange: boolean;
  /** Microseconds into the recording. */
  readonly timestamp: number;
  /** Gives the samples back to the decoder. */
  release(): void;
}

/** How many clones of a picture are open. */
interface Use {
  open: number;
}

const half = (size: number, shift: number) => (size + (1 << shift) - 1) >> shift;

/** Bytes a row and rows of each plane, as 8-bit samples. */
export function planeShapes({
  format,
  width,
  height,
}: Pick<Picture, 'format' | 'width' | 'height'>): [row: number, rows: number][] {
  if (format === 'RGBA') return [[4 * width, height]];
  const luma: [number, number] = [width, height];
  if (format === 'NV12') return [luma, [2 * half(width, 1), half(height, 1)]];
  const chroma: [number, number] = [half(width, format === 'I444' ? 0 : 1), half(height, format === 'I420' ? 1 : 0)];
  return [luma, chroma, chroma];
}

export class DecodedFrame {
  readonly #picture: Picture;
  readonly #use: Use;
  #closed = false;

  constructor(picture: Picture, use: Use = { open: 0 }) {
    this.#picture = picture;
    this.#use = use;
    use.open++;
  }

  get format(): Picture['format'] {
    return this.#picture.format;
  }
  get timestamp(): number {
    return this.#picture.timestamp;
  }
  get displayWidth(): number {
    return this.#closed ? 0 : this.#picture.width;
  }
  get displayHeight(): number {
    return this.#closed ? 0 : this.#picture.height;
  }
  get visibleRect(): { x: number; y: number; width: number; height: number } {
    const { width, height } = this.#picture;
    return { x: 0, y: 0, width, height };
  }
  get colorSpace(): { fullRange: boolean; matrix: string | null } {
    return { fullRange: this.#picture.fullRange, matrix: this.format === 'RGBA' ? 'rgb' : null };
  }

  allocationSize(): number {
    return planeShapes(this.#picture).reduce((bytes, [row, rows]) => bytes + row * rows, 0);
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
      throw new FoveolaError('source-not-ready', 'The frame was closed. Use it before the next one is asked for.');
    const { planes, bits } = this.#picture;
    let offset = 0;
    planeShapes(this.#picture).forEach(([row, rows], index) => {
      const place = layout?.[index] ?? { offset, stride: row };
      offset += row * rows;
      const plane = planes[index];
      for (let y = 0; y < rows; y++) {
        const to = place.offset + y * place.stride;
        if (!plane) target.fill(128, to, to + row);
        else if (bits === 8) {
          if (plane.stride === row && place.stride === row) {
            target.set(plane.data.subarray(0, row * rows), to);
            return;
          }
          target.set(plane.data.subarray(y * plane.stride, y * plane.stride + row), to);
        } else narrow(plane.data, y * plane.stride, target, to, row, bits - 8);
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

/** A row of samples of more than 8 bits: their upper 8. */
function narrow(from: Uint8Array, start: number, to: Uint8Array, at: number, samples: number, shift: number): void {
  for (let i = 0; i < samples; i++) to[at + i] = (from[start + 2 * i]! | (from[start + 2 * i + 1]! << 8)) >> shift;
}
