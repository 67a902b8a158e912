/** GIF (87a and 89a): its frames, each as a separate file. */
import { bytesOf, type Pace } from './pace.ts';
import { openAnimation, type AnimationFrame } from './animation.ts';
import { checkHeld, damaged, inFile } from './faults.ts';
import type { PagedFile } from './paged.ts';

const [EXTENSION, PICTURE, END] = [0x21, 0x2c, 0x3b];
const CONTROL = 0xf9;
const MAXIMUM_FRAMES = 100_000;
/** Disposal method in the control block before a frame. */
const disposals = ['keep', 'keep', 'clear', 'restore'] as const;

const tableBytes = (flags: number) => (flags & 0x80 ? 6 << (flags & 7) : 0);

/** Position after the blocks at `from`. Each block starts with its length. */
function behindBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let length = 1; length; at += 1 + length) {
    inFile(bytes, at, at + 1, 'one of its pictures');
    length = bytes[at]!;
  }
  inFile(bytes, from, at, 'one of its pictures');
  return at;
}

interface Control {
  transparent: number | null;
  delay: number;
  dispose: AnimationFrame['dispose'];
}

const noControl: Control = { transparent: null, delay: 0, dispose: 'keep' };

class Gif {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    inFile(bytes, 0, 13, 'its header');
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u16(at: number): number {
    return this.#view.getUint16(at, true);
  }

  #control(at: number): Control {
    inFile(this.#bytes, at, at + 8, 'its header');
    const flags = this.#bytes[at + 3]!;
    return {
      transparent: flags & 1 ? this.#bytes[at + 6]! : null,
      delay: 10 * this.u16(at + 4),
      dispose: disposals[(flags >> 2) & 7] ?? 'keep',
    };
  }

  /** A GIF without its last byte is shown normally. */
  async frames(pace: Pace): Promise<AnimationFrame[]> {
    const bytes = this.#bytes;
    const frames: AnimationFrame[] = [];
    let control = noControl;
    let at = 13 + tableBytes(bytes[10]!);
    while (at < bytes.length && bytes[at] !== END) {
      await pace.step(NaN);
      if (frames.length === MAXIMUM_FRAMES) throw damaged('The GIF file is damaged: it has far too many frames.');
      if (bytes[at] === EXTENSION) {
        if (bytes[at + 1] === CONTROL) control = this.#control(at);
        at = behindBlocks(bytes, at + 2);
      } else if (bytes[at] === PICTURE) {
        inFile(bytes, at, at + 11, 'one of its pictures');
        const data = at + 10 + tableBytes(bytes[at + 9]!);
        const end = behindBlocks(bytes, data + 1);
        frames.push(this.#frame(at, end, control));
        control = noControl;
        at = end;
      } else if (frames.length)
        break; // ignores data after the last image
      else throw damaged(`The GIF file is damaged at byte ${at}.`);
    }
    if (!frames.length) inFile(bytes, at, at + 1, 'its picture');
    return frames;
  }

  #frame(start: number, end: number, { transparent, delay, dispose }: Control): AnimationFrame {
    const [x, y, width, height] = [1, 3, 5, 7].map((i) => this.u16(start + i)) as [number, number, number, number];
    return {
      ...{ x, y, width, height, delay, dispose },
      over: true,
      still: () => this.#still(start, end, transparent),
    };
  }

  /** A screen with the size of the frame, the colors of the file, and the frame in its corner. */
  #still(start: number, end: number, transparent: number | null): Uint8Array {
    const bytes = this.#bytes;
    const table = tableBytes(bytes[10]!);
    const control = transparent === null ? [] : [EXTENSION, CONTROL, 4, 1, 0, 0, transparent, 0];
    const out = new Uint8Array(13 + table + control.length + end - start + 1);
    out.set(bytes.subarray(0, 13 + table));
    out.set(bytes.subarray(start + 5, start + 9), 6);
    out.set(control, 13 + table);
    const picture = 13 + table + control.length;
    out.set(bytes.subarray(start, end), picture);
    out.fill(0, picture + 1, picture + 5);
    out[out.length - 1] = END;
    return out;
  }
}

export async function openGif(file: Blob, pace: Pace): Promise<PagedFile> {
  checkHeld(file.size);
  const bytes = await bytesOf(file);
  const gif = new Gif(bytes);
  const frames = await gif.frames(pace);
  // A screen without a size is as large as its first frame.
  const [first] = frames;
  const [width, height] = [gif.u16(6) || first!.width, gif.u16(8) || first!.height];
  return openAnimation(
    { ...{ format: 'GIF', type: 'image/gif', width, height, frames }, others: 0, orientation: 1, held: bytes.length },
    pace,
  );
}
