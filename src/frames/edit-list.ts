/**
 * Edit lists of MP4 and QuickTime: which frames of a recording are presented, and when. A trim on a phone keeps the frames and
 * writes a list. The rules are those of browsers and FFmpeg: a frame belongs to the edit in which it begins, and the first one of
 * an edit is shown when the edit begins.
 */
import { FoveolaError } from '../runtime/error.ts';

/** Seconds: where the edit begins in what is shown, where among the times of the frames (null: nothing is shown), how long it is. */
export interface Edit {
  readonly start: number;
  readonly from: number | null;
  readonly duration: number;
}

declare module 'mediabunny' {
  interface InputVideoTrack {
    /** By our patch of mediabunny; empty where the file has no edit list. */
    getEdits(): Promise<Edit[]>;
  }
}

/** Times are whole ticks of two clocks. */
const ROUNDING = 1e-6;

/**
 * When a frame of this time is shown, seconds; null where it is not. To be asked for the frames in the order of their times.
 * @throws {FoveolaError} 'source-unsupported' where parts are repeated or change places
 */
export function presentedTimes(edits: readonly Edit[]): (time: number) => number | null {
  const parts = edits.flatMap(({ start, from, duration }) =>
    from === null ? [] : [{ start, from, to: from + (duration || Infinity), first: NaN }],
  );
  if (parts.some(({ from }, i) => i > 0 && from < parts[i - 1]!.to - ROUNDING))
    throw new FoveolaError(
      'source-unsupported',
      'The recording shows parts of itself twice or in another order (edit list). Convert it first, for example: ffmpeg -i in.mov out.mp4',
    );
  if (!parts.length) return (time) => time;
  return (time) => {
    const part = parts.find(({ from, to }) => time >= from - ROUNDING && time < to - ROUNDING);
    if (!part) return null;
    if (Number.isNaN(part.first)) part.first = time;
    return part.start + time - part.first;
  };
}
