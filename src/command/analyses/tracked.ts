/** What the analyses with a tracker share: each frame through it, rows of each result. */
import { Recording, type Column, type FrameTiming } from '../../node/index.ts';
import { framesOf, type Outcome, type Work } from './analysis.ts';

interface FrameTracker<R> {
  process(source: never, options: { timestamp: number }): Promise<R>;
  dispose(): Promise<void>;
}

/** One frame after the other; two are under way, so that the next is decoded while the engine works. */
export async function track<R>(
  work: Work,
  tracker: FrameTracker<R>,
  columns: readonly Column[],
  rowsOf: (result: R, timing: FrameTiming) => number[][],
  first?: (source: never) => Promise<unknown>,
): Promise<Outcome & { recording: Recording }> {
  const recording = new Recording(columns);
  const size = { width: 0, height: 0 };
  let frames = 0;
  let lastMediaTime: number | null = null;
  try {
    for await (const { source, timing, width, height } of framesOf(work)) {
      if (!frames++) {
        Object.assign(size, { width, height });
        await first?.(source as never);
      }
      const result = await tracker.process(source as never, { timestamp: timing.timestamp });
      for (const row of rowsOf(result, timing)) recording.push(row);
      lastMediaTime = timing.mediaTime;
    }
  } finally {
    await tracker.dispose();
  }
  return { ...size, frames, lastMediaTime, tables: {}, summary: {}, recording };
}

/** Mean of a column over the rows where `flag` is set, and their share. */
export function shareOf(recording: Recording, flag: string): number {
  const column = recording.columns.findIndex(({ name }) => name === flag);
  let set = 0;
  for (let row = 0; row < recording.length; row++) set += recording.at(row, column) === 1 ? 1 : 0;
  return recording.length ? set / recording.length : 0;
}
