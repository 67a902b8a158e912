/** Each frame that was looked at has a row in a recording: one without any would look like a frame that was left out. */
import { clocks, type FrameTiming } from './export-pupil.ts';
import type { Column } from './recording.ts';

/** The row of a frame in which nothing was found: its timing, yes and no as no, `known` by column, the rest empty. */
function emptyRow(columns: readonly Column[], timing: FrameTiming, known: Readonly<Record<string, number>>): number[] {
  const given: Readonly<Record<string, number>> = { ...timing, clock: clocks.indexOf(timing.clock), ...known };
  return columns.map(({ name, type }) => given[name] ?? (type === 'boolean' ? 0 : NaN));
}

/** The rows of a frame, or the one that says that nothing was found in it. */
export const withFrame = (
  rows: number[][],
  columns: readonly Column[],
  timing: FrameTiming,
  known: Readonly<Record<string, number>> = {},
): number[][] => (rows.length ? rows : [emptyRow(columns, timing, known)]);
