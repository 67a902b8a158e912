/** The motion of a target over time: its position and speed, from results and from the rows of a recording. */
import { objectColumns, type ObjectResult, type Recording, type TrackedObject } from '../../src/index.ts';
import type { Tracked } from './track-on.ts';

export type Place = { readonly x: number; readonly y: number };
type Box = NonNullable<TrackedObject['box']>;

/** Center of a box in source pixels. */
export const middleOf = ({ x, y, width, height }: Box): Place => ({ x: x + (width - 1) / 2, y: y + (height - 1) / 2 });

/** Position in pixels, and speed in pixels per second since the frame before. NaN if it is lost. */
export class Motion {
  #last: (Place & { readonly timestamp: number }) | null = null;

  next(box: Box | null, timestamp: number): readonly [place: number[], speed: number[]] {
    const now = box && middleOf(box);
    const last = this.#last;
    this.#last = now && { ...now, timestamp };
    if (!now) return [[NaN, NaN], [NaN]];
    const seconds = last ? (timestamp - last.timestamp) / 1000 : 0;
    return [[now.x, now.y], [seconds > 0 ? Math.hypot(now.x - last!.x, now.y - last!.y) / seconds : NaN]];
  }
}

const column = (wanted: string) => objectColumns.findIndex(({ name }) => name === wanted);
const [frameAt, timeAt, mediaAt, targetAt, xAt, confidenceAt] = (
  ['frame', 'timestamp', 'mediaTime', 'target', 'x', 'confidence'] as const
).map(column) as [number, number, number, number, number, number];

export interface TrackRow {
  readonly row: number;
  readonly frame: number;
  readonly timestamp: number;
  readonly mediaTime: number;
  readonly box: Box | null;
  readonly confidence: number;
}

/** Rows of a target, in order of time. */
export function* rowsOf(recording: Recording, target: number): Generator<TrackRow> {
  for (let row = recording.first; row < recording.length; row++) {
    if (recording.at(row, targetAt) !== target) continue;
    const [x, y, width, height] = [0, 1, 2, 3].map((i) => recording.at(row, xAt + i)) as [
      number,
      number,
      number,
      number,
    ];
    const times = {
      row,
      frame: recording.at(row, frameAt),
      timestamp: recording.at(row, timeAt),
      mediaTime: recording.at(row, mediaAt),
    };
    yield {
      ...times,
      box: Number.isNaN(x) ? null : { x, y, width, height },
      confidence: recording.at(row, confidenceAt),
    };
  }
}

/** A stored result with the states that were corrected since. */
export function settled(result: ObjectResult, corrected: ReadonlyMap<number, Tracked> | undefined): ObjectResult {
  if (!corrected?.size) return result;
  const targets = result.targets.map((target) => ({ ...target, ...corrected.get(target.id) }));
  const { box, confidence, learning, by, angle } = targets[0]!;
  return { ...result, box, confidence, learning, by, ...(angle !== undefined && { angle }), targets };
}
