/** How often and how long somebody blinks. */
import { median } from '../image/numbers.ts';
import type { Laterality } from '../results/types.ts';
import { average } from './statistics.ts';
import type { PupilSeries } from './types.ts';

export interface BlinkStatistics {
  count: number;
  perMinute: number;
  /** ms; NaN without blinks. */
  meanDuration: number;
  durationStandardError: number;
  medianDuration: number;
  durations: number[];
  /** Whose eye, where the series says it. */
  eye?: Laterality;
}

/** Of the blinks that lie entirely within the series, over its time from first to last sample. */
export function blinkStatistics({
  blinks,
  timestamp,
  eye,
}: Pick<PupilSeries, 'blinks' | 'timestamp' | 'eye'>): BlinkStatistics {
  const durations = blinks.map(({ onset, offset }) => offset - onset);
  const minutes = ((timestamp.at(-1) ?? NaN) - (timestamp[0] ?? NaN)) / 60_000;
  const { mean, standardError } = average(durations);
  return {
    count: blinks.length,
    perMinute: blinks.length / minutes,
    meanDuration: mean,
    durationStandardError: standardError,
    medianDuration: median(durations),
    durations,
    ...(eye && { eye }),
  };
}
