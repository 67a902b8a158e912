/** Summary numbers of a result: the values that a clinic reads, and the rows of a recording. */
import {
  clocks,
  type Column,
  type FrameTiming,
  sideCell,
  sideColumn,
  type VesselResult,
  type VesselSegment,
} from '../../src/index.ts';
import type { VesselFrame } from './tracker.ts';

/**
 * Returns the result with other parts. Spreading it would compute its response at every pixel, since that is a lazy
 * getter.
 */
export function changed<R extends object, P extends object>(result: R, parts: P): R & P {
  return Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(result)) as R, parts);
}

export interface VesselFigures {
  /** Percent of the field of view. */
  fraction: number;
  /** Median width along all centerlines, in pixels. Null if nothing was measured. */
  medianWidth: number | null;
  branchPoints: number | null;
  segments: number | null;
  /** Percent. */
  confidence: number;
}

/** Every measured point of a centerline has the same weight. */
export function medianWidth(segments: readonly VesselSegment[]): number | null {
  const all = new Float32Array(segments.reduce((sum, { widths }) => sum + widths.length, 0));
  let at = 0;
  for (const { widths } of segments) for (const width of widths) if (!Number.isNaN(width)) all[at++] = width;
  if (!at) return null;
  all.subarray(0, at).sort();
  return at % 2 ? all[(at - 1) / 2]! : (all[at / 2 - 1]! + all[at / 2]!) / 2;
}

export const figuresOf = ({ fraction, confidence, segments, branchPoints }: VesselResult): VesselFigures => ({
  fraction: 100 * fraction,
  medianWidth: segments ? medianWidth(segments) : null,
  branchPoints: branchPoints?.length ?? null,
  segments: segments?.length ?? null,
  confidence: Math.round(100 * confidence),
});

/** Applies this scale to the result, with lengths in micrometers. Null: lengths are only in pixels. */
export function scaled<R extends VesselResult>(result: R, micrometresPerPixel: number | null): R {
  const known = result.scale?.micrometresPerPixel === micrometresPerPixel;
  const scale = known ? result.scale : micrometresPerPixel ? { micrometresPerPixel, from: 'option' as const } : null;
  if (!result.segments) return changed(result, { scale });
  const segments = result.segments.map(({ points, widths, width, length }): VesselSegment => {
    const known = width !== undefined;
    const segment = { points, widths, ...(known && { width }), length };
    if (!micrometresPerPixel) return segment;
    return {
      ...segment,
      ...(known && { widthMicrometres: width * micrometresPerPixel }),
      lengthMicrometres: length * micrometresPerPixel,
    };
  });
  return changed(result, { segments, scale });
}

export const vesselColumns: readonly Column[] = [
  { name: 'frame', type: 'number' },
  { name: 'timestamp', type: 'number', digits: 3, unit: 'ms' },
  { name: 'clock', type: 'choice', values: clocks },
  { name: 'mediaTime', type: 'number', digits: 3, unit: 'ms' },
  { name: 'fraction', type: 'number', digits: 5 },
  { name: 'medianWidth', type: 'number', digits: 2, unit: 'px' },
  { name: 'branchPoints', type: 'number' },
  { name: 'segments', type: 'number' },
  { name: 'confidence', type: 'number', digits: 3 },
  { name: 'dropped', type: 'number' },
  { name: 'throttled', type: 'number' },
  sideColumn,
];

export function vesselRows(result: VesselFrame, timing: FrameTiming): number[][] {
  const { frame, timestamp, clock, mediaTime, dropped, throttled } = timing;
  const { medianWidth: width, branchPoints, segments } = figuresOf(result);
  const own = [result.fraction, width ?? NaN, branchPoints ?? NaN, segments ?? NaN, result.confidence];
  return [[frame, timestamp, clocks.indexOf(clock), mediaTime, ...own, dropped, throttled, sideCell(result.backend)]];
}
