/** How the frames of a recording are shown: which ones, when, and in which orientation. */
import { FoveolaError } from '../runtime/error.ts';
import type { Bytes } from './containers.ts';
import { type Orientation, isSideways } from './as-shown.ts';
import { checkDecoded } from './size.ts';

// Edit lists of MP4 and QuickTime: which frames of a recording are presented, and when. A trim on a phone keeps the
// frames and writes such a list. The rules are the same as in browsers and FFmpeg: a frame belongs to the edit that
// contains its start, and the first frame of an edit is shown when the edit begins.

/**
 * In seconds: start of the edit on the presentation time line, its start on the time line of the frames (null: nothing
 * is shown), and its duration.
 */
export interface Edit {
  readonly start: number;
  readonly from: number | null;
  readonly duration: number;
}

declare module 'mediabunny' {
  interface InputVideoTrack {
    /** Added by our patch of mediabunny. Empty if the file has no edit list. */
    getEdits(): Promise<Edit[]>;
  }
}

/** Times are integer ticks of two clocks. */
const ROUNDING = 1e-6;

/**
 * Presentation time of a frame with this time, in seconds. Null if it is not shown. Call this in the order of the
 * frames' times.
 * @throws {FoveolaError} 'source-unsupported' if parts are repeated or reordered
 */
export function presentedTimes(edits: readonly Edit[]): (time: number) => number | null {
  const parts = edits.flatMap(({ start, from, duration }) =>
    from === null ? [] : [{ start, from, to: from + (duration || Infinity), first: NaN }],
  );
  if (parts.some(({ from }, i) => i > 0 && from < parts[i - 1]!.to - ROUNDING))
    throw new FoveolaError(
      'source-unsupported',
      'The recording repeats or reorders its parts (edit list). Convert it first, for example: ffmpeg -i in.mov out.mp4',
    );
  if (!parts.length) return (time) => time;
  return (time) => {
    const part = parts.find(({ from, to }) => time >= from - ROUNDING && time < to - ROUNDING);
    if (!part) return null;
    if (Number.isNaN(part.first)) part.first = time;
    return part.start + time - part.first;
  };
}

// The edit list of the video track in an MP4 or QuickTime file, read directly from the boxes of the file, for decoders
// that do not expose it.

/** No recorder writes more. */
const MOST_EDITS = 4096;
const MOST_BOXES = 10_000;

interface Box {
  type: string;
  /** Start of its contents. */
  from: number;
  to: number;
}

async function* boxes(bytes: Bytes, from: number, to: number): AsyncGenerator<Box, void> {
  for (let count = 0; from + 8 <= to && count < MOST_BOXES; count++) {
    const view = await bytes.read(from, 16);
    if (view.byteLength < 8) return;
    const long = view.getUint32(0) === 1 && view.byteLength >= 16;
    const size = long ? Number(view.getBigUint64(8)) : view.getUint32(0) || to - from;
    if (size < (long ? 16 : 8)) return;
    const type = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(i)));
    yield { type, from: from + (long ? 16 : 8), to: Math.min(to, from + size) };
    from += size;
  }
}

/** The first box at the end of a path of types. */
async function boxAt(bytes: Bytes, { from, to }: Pick<Box, 'from' | 'to'>, path: string[]): Promise<Box | null> {
  for await (const box of boxes(bytes, from, to))
    if (box.type === path[0]) return path.length === 1 ? box : boxAt(bytes, box, path.slice(1));
  return null;
}

/** Ticks per second of a movie or a track. They follow two times of four or eight bytes. */
async function timescaleIn(bytes: Bytes, box: Box | null): Promise<number> {
  const view = box && (await bytes.read(box.from, 32));
  if (!view || view.byteLength < 24) return 0;
  return view.getUint32(view.getUint8(0) === 1 ? 20 : 12);
}

/** Edits of the first video track. `from` is on the track's clock. Empty if there is no list. */
export async function movieEdits(bytes: Bytes): Promise<Edit[]> {
  const movie = await boxAt(bytes, { from: 0, to: bytes.size }, ['moov']);
  if (!movie) return [];
  const ticks = await timescaleIn(bytes, await boxAt(bytes, movie, ['mvhd']));
  for await (const track of boxes(bytes, movie.from, movie.to)) {
    if (track.type !== 'trak') continue;
    const handler = await boxAt(bytes, track, ['mdia', 'hdlr']);
    const view = handler && (await bytes.read(handler.from, 12));
    if (!view || view.byteLength < 12 || view.getUint32(8) !== 0x76696465) continue; // 'vide'
    const own = await timescaleIn(bytes, await boxAt(bytes, track, ['mdia', 'mdhd']));
    const list = await boxAt(bytes, track, ['edts', 'elst']);
    return list && ticks && own ? editsIn(await bytes.read(list.from, list.to - list.from), ticks, own) : [];
  }
  return [];
}

function editsIn(view: DataView, ticks: number, own: number): Edit[] {
  if (view.byteLength < 8) return [];
  const long = view.getUint8(0) === 1;
  const size = long ? 20 : 12;
  const count = Math.min(view.getUint32(4), MOST_EDITS, Math.floor((view.byteLength - 8) / size));
  let start = 0;
  return Array.from({ length: count }, (_, i) => {
    const at = 8 + size * i;
    const duration = (long ? Number(view.getBigUint64(at)) : view.getUint32(at)) / ticks;
    const from = long ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
    start += duration;
    return { start: start - duration, from: from < 0 ? null : from / own, duration };
  });
}

export interface Presentation {
  readonly edits: readonly Edit[];
  readonly orientation: Orientation;
}

/** Decoded frames as shown. The receiver must close each frame. Throws like `presentedTimes`. */
export async function* presented(
  frames: AsyncIterable<VideoFrame>,
  { edits, orientation }: Presentation,
): AsyncGenerator<VideoFrame, void> {
  const timeOf = presentedTimes(edits);
  for await (const frame of frames) {
    const time = timeOf(frame.timestamp / 1e6);
    if (time === null) frame.close();
    else yield asShown(frame, Math.round(time * 1e6), orientation);
  }
}

/** Closes the frame if another one replaces it. */
function asShown(frame: VideoFrame, timestamp: number, orientation: Orientation): VideoFrame {
  const { rotation, flip } = orientation;
  const plain = rotation === 0 && !flip;
  if (plain && timestamp === frame.timestamp) return frame;
  try {
    const init: VideoFrameInit & Orientation = { timestamp, ...orientation };
    const made = new VideoFrame(frame, init) as VideoFrame & Partial<Orientation>;
    if (plain || (made.rotation === rotation && made.flip === flip)) return made;
    made.close();
    return drawn(frame, timestamp, orientation);
  } finally {
    frame.close();
  }
}

/** For browsers that do not support rotation of frames. */
function drawn(frame: VideoFrame, timestamp: number, orientation: Orientation): VideoFrame {
  const { displayWidth: width, displayHeight: height } = frame;
  const canvas = isSideways(orientation) ? new OffscreenCanvas(height, width) : new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.translate(canvas.width / 2, canvas.height / 2);
  if (orientation.flip) context.scale(-1, 1);
  context.rotate((orientation.rotation * Math.PI) / 180);
  context.drawImage(frame, -width / 2, -height / 2);
  return new VideoFrame(canvas, { timestamp });
}

/** Call this for each frame before its samples are copied. Throws 'image-too-large'. */
export function checkFrame({ codedWidth, codedHeight, displayWidth, displayHeight }: VideoFrame): void {
  checkDecoded(codedWidth, codedHeight);
  checkDecoded(displayWidth, displayHeight);
}
