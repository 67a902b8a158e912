/**
 * A recording analysed frame by frame: decoded as fast as the machine can, each frame once, with its own time. Several
 * frames are under way, so that decoding and computing overlap; their results come in order. tools.js contains this file.
 */
import {
  type AnalysisNote,
  type FoveolaError,
  type frames as framesOf,
  type FrameTiming,
  type Source,
} from '../../src/index.ts';
import type { ElementTracker } from './engine.ts';
import { isInterruption } from './progress.ts';

/** How many frames are under way: what is left out of, or waited for, where there are enough of them. */
class UnderWay {
  readonly #most: number;
  readonly #frames = new Set<Promise<unknown>>();

  constructor(most: number) {
    this.#most = most;
  }

  get full(): boolean {
    return this.#frames.size >= this.#most;
  }

  add(frame: Promise<unknown>): void {
    const end = () => void this.#frames.delete(done);
    const done: Promise<void> = frame.then(end, end);
    this.#frames.add(done);
  }

  /** Resolves when there is room for one more. */
  async room(): Promise<void> {
    while (this.full) await Promise.race(this.#frames);
  }

  /** Resolves when none is under way. */
  async none(): Promise<void> {
    await Promise.all(this.#frames);
  }
}

const mostUnderWay = 3;
/** A step of the file's own time above this many milliseconds and usual steps is reported as a jump; so is one back. */
const leap = 250;
const usualSteps = 10;
const mostJumps = 100;

interface AnalysisHost<R> {
  /** `frames` of the page, which loads the reader. */
  readonly frames: typeof framesOf;
  /** Converts an error to the class of the page. */
  asOurs(error: unknown): FoveolaError;
  /** A frame and its result, in order; `picture` is the host's to close. False: not taken, and nothing after it. */
  onFrame(result: R, timing: FrameTiming, picture: VideoFrame | null): boolean;
}

export interface AnalysisResult extends AnalysisNote {
  frames: number;
  /** Why it ended early; null at the end and after a cancel. */
  error: FoveolaError | null;
}

/** A frame that went with the engine's worker is processed again in the next one. */
async function process<R>(tracker: ElementTracker<R>, frame: Source, picture: VideoFrame | null, timestamp: number) {
  for (let source = frame; ; source = picture!)
    try {
      return await tracker.process(source, { timestamp });
    } catch (error) {
      if (!picture || !isInterruption(error)) throw error; // the engine says when it has died too often
    }
}

/** Runs to the end, to a fault or to a cancel; never throws, and what was done before is kept by the host. */
export async function analyse<R>(
  source: Blob | string,
  tracker: ElementTracker<R>,
  host: AnalysisHost<R>,
  signal: AbortSignal,
): Promise<AnalysisResult> {
  const note: AnalysisResult = {
    everyFrame: true,
    complete: false,
    reason: null,
    lastMediaTime: null,
    jumps: [],
    repeated: 0,
    frames: 0,
    error: null,
  };
  const underWay = new UnderWay(mostUnderWay);
  let failed: unknown = null;
  let read = 0;
  let lastRead = NaN;
  let usual = 0;
  /** Pages of a stack that are no frames. */
  let left = 0;
  // Only what the host has taken counts: frames that were under way when it ended are in no export.
  const taken = ({ mediaTime }: FrameTiming) => {
    note.frames++;
    const step = mediaTime - lastRead;
    if (step === 0) note.repeated++;
    else if (step < 0 || step > Math.max(leap, usualSteps * usual)) {
      if (note.jumps.length < mostJumps) note.jumps.push(mediaTime);
    } else if (step > 0) usual = usual ? usual + 0.1 * (step - usual) : step;
    lastRead = note.lastMediaTime = mediaTime;
  };
  try {
    for await (const one of host.frames(source, { everyFrame: true, signal })) {
      const { frame, timestamp, mediaTime, clock, dropped, file } = one;
      if (file) note.pages = `${file.frames} of ${file.pages}`;
      left = file ? file.pages - file.frames : 0;
      if (failed) throw failed as Error;
      const timing: FrameTiming = { frame: read++, timestamp, clock, mediaTime, dropped, throttled: 0 };
      const picture = frame instanceof VideoFrame ? frame.clone() : null;
      underWay.add(
        process(tracker, frame, picture, timestamp).then(
          (result) => {
            if (failed) picture?.close();
            else if (host.onFrame(result, timing, picture)) taken(timing);
          },
          (error: unknown) => {
            picture?.close();
            failed ??= error;
          },
        ),
      );
      await underWay.room();
    }
    await underWay.none();
    if (failed) throw failed as Error;
    note.complete = left === 0;
    if (left) note.reason = `${left} of its pages have another size and were skipped.`;
  } catch (cause) {
    await underWay.none(); // what was read is kept
    const error = host.asOurs(cause);
    const cancelled = signal.aborted;
    note.reason = cancelled ? 'cancelled' : error.message;
    if (!cancelled) note.error = error;
  }
  return note;
}
