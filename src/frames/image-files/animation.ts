/**
 * Animations (GIF, APNG, WebP), split by their readers. The platform decodes each frame as a still file of its format,
 * and this module composes it with the previous frames. So every frame has its own time in every browser and in Node.
 */
import type { ImageFileNotes } from '../../results/types.ts';
import { rgbaImage, checkDecoded } from '../size.ts';
import { checkHeld, damaged } from './faults.ts';
import { oriented } from './raster.ts';
import type { Pace } from './pace.ts';
import { firstOf, type FilePage, type PagedFile } from './paged.ts';
import { platformPixels, type PlatformPicture } from './platform.ts';

export interface AnimationFrame {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Milliseconds as stored in the file. */
  delay: number;
  /** Blended over the previous content, or replaces it. */
  over: boolean;
  /** What happens to its area afterwards: it stays, is cleared, or is restored to the previous content. */
  dispose: 'keep' | 'clear' | 'restore';
  /** A still file with only this frame. */
  still(): Uint8Array;
}

export interface Animation {
  format: 'GIF' | 'PNG' | 'WebP' | 'JPEG';
  type: PlatformPicture['type'];
  width: number;
  height: number;
  frames: readonly AnimationFrame[];
  /** Number of additional images. */
  others: number;
  orientation: number;
  /** Bytes of the file. */
  held: number;
}

/** Like in browsers, a delay of at most 10 ms counts as 100 ms. */
const shownFor = ({ delay }: AnimationFrame) => (delay > 10 ? delay : 100);

type Place = Pick<AnimationFrame, 'x' | 'y' | 'width' | 'height'>;

/** The part of a frame that is inside the image. */
const clipped = ({ x, y, width, height }: Place, to: { width: number; height: number }): Place => ({
  ...{ x, y },
  width: Math.max(0, Math.min(width, to.width - x)),
  height: Math.max(0, Math.min(height, to.height - y)),
});

class Canvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8ClampedArray(4 * width * height);
  }

  /**
   * Calls `row` with the positions of each row of a part: on the canvas, and in an array of rows of `stride` pixels.
   */
  #rows({ x, y, width, height }: Place, stride: number, row: (at: number, from: number, bytes: number) => void): void {
    for (let i = 0; i < height; i++) row(4 * ((y + i) * this.width + x), 4 * i * stride, 4 * width);
  }

  put(rgba: Uint8ClampedArray, frame: AnimationFrame): void {
    const { pixels } = this;
    this.#rows(clipped(frame, this), frame.width, (at, from, bytes) => {
      if (!frame.over) return pixels.set(rgba.subarray(from, from + bytes), at);
      for (let i = 0; i < bytes; i += 4) blend(pixels, at + i, rgba, from + i);
    });
  }

  clear(frame: Place): void {
    this.#rows(clipped(frame, this), frame.width, (at, _, bytes) => this.pixels.fill(0, at, at + bytes));
  }

  copyOf(frame: Place): Uint8ClampedArray {
    const place = clipped(frame, this);
    const copy = new Uint8ClampedArray(4 * place.width * place.height);
    this.#rows(place, place.width, (at, to, bytes) => copy.set(this.pixels.subarray(at, at + bytes), to));
    return copy;
  }

  restore(copy: Uint8ClampedArray, frame: Place): void {
    const place = clipped(frame, this);
    this.#rows(place, place.width, (at, from, bytes) => this.pixels.set(copy.subarray(from, from + bytes), at));
  }
}

/** Blends one pixel over another. Neither is premultiplied. */
function blend(to: Uint8ClampedArray, at: number, from: Uint8ClampedArray, i: number): void {
  const alpha = from[i + 3]!;
  if (alpha === 0) return;
  const rest = (to[at + 3]! * (255 - alpha)) / 255;
  if (alpha === 255 || rest === 0) {
    for (let c = 0; c < 4; c++) to[at + c] = from[i + c]!;
    return;
  }
  for (let c = 0; c < 3; c++) to[at + c] = Math.round((from[i + c]! * alpha + to[at + c]! * rest) / (alpha + rest));
  to[at + 3] = Math.round(alpha + rest);
}

async function* framesOf(animation: Animation, pace: Pace): AsyncGenerator<FilePage, void> {
  const { type, format, frames, orientation } = animation;
  const canvas = new Canvas(animation.width, animation.height);
  let time = 0;
  for (const [place, frame] of frames.entries()) {
    const which = frames.length > 1 ? `frame ${place + 1}` : 'picture';
    const broken = () => damaged(`The ${format} file is cut off or damaged: its ${which} cannot be decoded.`);
    const { width, height } = frame;
    const rgba = await platformPixels({ bytes: frame.still(), width, height, type, broken }, pace);
    const before = frame.dispose === 'restore' ? canvas.copyOf(frame) : null;
    canvas.put(rgba, frame);
    const duration = shownFor(frame);
    const image = rgbaImage(canvas.width, canvas.height, canvas.pixels.slice());
    yield { image: await oriented(image, orientation, pace), time, duration, skipped: 0 };
    time += duration;
    if (before) canvas.restore(before, frame);
    else if (frame.dispose === 'clear') canvas.clear(frame);
  }
}

export function openAnimation(animation: Animation, pace: Pace): PagedFile {
  const { format, width, height, frames, others, held } = animation;
  if (!frames.length) throw damaged(`The ${format} file is cut off or damaged: it has no picture.`);
  for (const frame of frames) {
    if (!(frame.width >= 1 && frame.height >= 1)) throw damaged(`The ${format} file is damaged: a frame has no size.`);
    checkDecoded(frame.width, frame.height);
  }
  checkDecoded(width, height);
  const largest = frames.reduce((most, frame) => Math.max(most, frame.width * frame.height), 0);
  checkHeld(held + 4 * (3 * largest + 2 * width * height));
  const notes: string[] = [];
  const pages = frames.length + others;
  const about: ImageFileNotes = { format, bits: 8, spacing: null, notes, pages, frames: frames.length };
  return {
    ...about,
    async *read(all) {
      if (!all && pages > 1) notes.push(firstOf(1, pages, 'frame'));
      yield* framesOf(animation, pace);
    },
  };
}
