/**
 * Analyzes a recording frame by frame: decodes as fast as possible, each frame once, with its own time. Several frames
 * are in flight, so that decoding and computing overlap. Results arrive in order. This file is part of tools.js.
 */
import {
  type AnalysisNote,
  type FoveolaError,
  type frames as framesOf,
  type FrameTiming,
  type Source,
} from '../../src/index.ts';
import { type ElementTracker, isInterruption } from '../base/engine.ts';

/** Counts the frames in flight, and waits while there are too many. */
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

  /** Resolves when no frame is in flight. */
  async none(): Promise<void> {
    await Promise.all(this.#frames);
  }
}

const mostUnderWay = 3;
/**
 * A step in the file's timestamps is reported as a jump if it exceeds both this many milliseconds and `usualSteps` usual
 * steps. A step backwards is also reported.
 */
const leap = 250;
const usualSteps = 10;
const mostJumps = 100;

interface AnalysisHost<R> {
  /** `frames` of the page, which loads the frame reader. */
  readonly frames: typeof framesOf;
  /** Converts an error to the page's error class. */
  asOurs(error: unknown): FoveolaError;
  /**
   * Receives each frame and its result, in order. The host must close `picture`. False: the host rejects this frame and
   * all later ones.
   */
  onFrame(result: R, timing: FrameTiming, picture: VideoFrame | null): boolean;
}

export interface AnalysisResult extends AnalysisNote {
  frames: number;
  /** Why it ended early. Null at the end and after a cancel. */
  error: FoveolaError | null;
}

/** Outcome of an analysis, for its summary. */
export interface Outcome extends AnalysisResult {
  /** Number of frames with the tracked object, and of frames that the user should check. */
  found: number;
  doubtful: number;
}

/** If a frame is lost with the engine's worker, it is processed again in the next worker. */
async function process<R>(tracker: ElementTracker<R>, frame: Source, picture: VideoFrame | null, timestamp: number) {
  for (let source = frame; ; source = picture!)
    try {
      return await tracker.process(source, { timestamp });
    } catch (error) {
      if (!picture || !isInterruption(error)) throw error; // after too many crashes the engine reports an error
    }
}

/** Runs to the end, to an error or to a cancel. Never throws. The host keeps the results so far. */
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
  /** Number of pages of a stack that are not frames. */
  let left = 0;
  // Only frames accepted by the host count. Frames still in flight at the end are not in any export.
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
    await underWay.none(); // frames read so far are kept
    const error = host.asOurs(cause);
    const cancelled = signal.aborted;
    note.reason = cancelled ? 'cancelled' : error.message;
    if (!cancelled) note.error = error;
  }
  return note;
}
