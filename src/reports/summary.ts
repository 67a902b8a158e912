/** What a series of diameters, a list of blinks and a result of `engine.vessels` come to in a few numbers. */
import type { EventSpan, VesselResult } from '../results/types.ts';
import type { BlinkSummary, SeriesSamples, SeriesSummary, VesselReport } from './report.ts';

/** Samples that were measured: valid where the series says so, and a number. */
export const isMeasured = ({ diameter, valid }: SeriesSamples, i: number): boolean =>
  Number.isFinite(diameter[i]) && (valid === undefined || valid[i] === 1);

export function seriesSummary(series: SeriesSamples): SeriesSummary {
  const samples = series.timestamp.length;
  const measured: number[] = [];
  for (let i = 0; i < samples; i++) if (isMeasured(series, i)) measured.push(series.diameter[i]!);
  const n = measured.length;
  const mean = measured.reduce((sum, value) => sum + value, 0) / n;
  const squares = measured.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const duration = samples > 1 ? series.timestamp[samples - 1]! - series.timestamp[0]! : null;
  return {
    mean: n ? mean : null,
    deviation: n > 1 ? Math.sqrt(squares / (n - 1)) : null,
    minimum: n ? measured.reduce((a, b) => Math.min(a, b)) : null,
    maximum: n ? measured.reduce((a, b) => Math.max(a, b)) : null,
    duration,
    rate: series.rate ?? (duration ? (1000 * (samples - 1)) / duration : null),
    samples,
    validPercent: samples ? (100 * n) / samples : 0,
  };
}

/** `duration`: of the recording, ms; null where it is not known. `all`: closures were looked for as well. */
export function blinkSummary(events: readonly EventSpan[], duration: number | null, all: boolean): BlinkSummary {
  const ended = (wanted: EventSpan['kind']) => events.filter(({ kind, final }) => kind === wanted && final);
  const blinks = ended('blink');
  const closed = blinks.reduce((sum, { onset, offset }) => sum + offset - onset, 0);
  return {
    count: blinks.length,
    rate: duration ? (60_000 * blinks.length) / duration : null,
    meanDuration: blinks.length ? closed / blinks.length : null,
    ...(all && { closures: ended('closure').length }),
  };
}

/** Micrometres where `unit` asks for them; pixels elsewhere. Widths are weighted by the lengths of their segments. */
export function vesselSummary(
  result: Pick<VesselResult, 'fraction' | 'segments' | 'branchPoints'>,
  unit: 'px' | 'um',
): VesselReport {
  const { segments } = result;
  const lengths = segments?.map((one) => (unit === 'um' ? (one.lengthMicrometres ?? NaN) : one.length)) ?? [];
  const widths = segments?.map((one) => (unit === 'um' ? one.widthMicrometres : one.width)) ?? [];
  let [sum, weights] = [0, 0];
  widths.forEach((width, i) => {
    if (width === undefined || !Number.isFinite(width * lengths[i]!)) return;
    sum += width * lengths[i]!;
    weights += lengths[i]!;
  });
  const total = lengths.reduce((all, length) => all + length, 0);
  return {
    vesselPercent: 100 * result.fraction,
    segments: segments?.length ?? null,
    branchPoints: result.branchPoints?.length ?? null,
    totalLength: segments && Number.isFinite(total) ? total : null,
    meanWidth: weights ? sum / weights : null,
    ...{ crae: null, crve: null, avr: null, tortuosity: null, fractalDimension: null },
  };
}
