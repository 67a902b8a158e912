/** What charts show as text: of one sample, and as a table of the part that is shown. */
import type { EyeEventKind } from '../../src/index.ts';
import type { Chart } from '../pupil/chart.ts';

/** One sample of each chart. */
export interface Sample {
  seconds: number;
  /** NaN where nothing was found. */
  values: number[];
  confidences: number[];
  /** The event that covers it, of each chart. */
  events: (EyeEventKind | null)[];
  /** NaN where there is no recording. */
  mediaTime: number;
  marks: string[];
}

/** The entry nearest to this time; -1 where there is none. */
export function nearest({ series }: Chart, seconds: number): number {
  const after = series.since(seconds);
  if (series.begin === series.end) return -1;
  if (after === series.begin) return after;
  if (after === series.end || seconds - series.time(after - 1) < series.time(after) - seconds) return after - 1;
  return after;
}

/** Of the charts of both eyes, which have the same times. */
export function sampleOf(charts: readonly Chart[], entry: number): Sample {
  const { series, marks } = charts[0]!;
  const seconds = series.time(entry);
  const before = entry > series.begin ? series.time(entry - 1) : -Infinity;
  return {
    seconds,
    values: charts.map((chart) => chart.series.value(0, entry)),
    confidences: charts.map((chart) => chart.series.confidence(entry)),
    events: charts.map((chart) => chart.eventAt(seconds)),
    mediaTime: series.mediaTime(entry),
    marks: marks.filter((mark) => mark.seconds > before && mark.seconds <= seconds).map(({ label }) => label),
  };
}

/** Every sample that is shown; `most`: no more than so many, evenly left out. */
export function samplesShown(charts: readonly Chart[], most = Infinity): Sample[] {
  const [first] = charts;
  if (!first) return [];
  const [from, to] = first.shown;
  const [begin, end] = [first.series.since(from), first.series.since(to + 1e-9)];
  const stride = Math.max(1, Math.ceil((end - begin) / most));
  const samples: Sample[] = [];
  for (let entry = begin; entry < end; entry += stride) samples.push(sampleOf(charts, entry));
  return samples;
}

/** A label that begins like a formula is none. */
const asText = (label: string) => label.replace(/[\t\r\n]/g, ' ').replace(/^[=+\-@]/, "'$&");

/** For spreadsheets, so with tabs, and with a point whatever the language. */
export function tabbed(samples: readonly Sample[], charts: readonly Chart[]): string {
  const unit = charts[0]?.unit ?? '';
  const eyes = samples[0]?.values.length ?? 1;
  const name = (what: string, eye: number) => {
    const known = charts[eye]?.eye ?? 'unknown';
    return known !== 'unknown' ? `${what} ${known}` : eyes > 1 ? `${what} ${eye + 1}` : what;
  };
  const each = <T>(make: (eye: number) => T) => Array.from({ length: eyes }, (_, eye) => make(eye));
  const head = [
    ...['time s', ...each((eye) => `${name('diameter', eye)} ${unit}`), ...each((eye) => name('confidence', eye))],
    ...[...each((eye) => name('event', eye)), 'marker', 'media time ms'],
  ];
  const cell = (value: number, digits: number) => (Number.isFinite(value) ? value.toFixed(digits) : '');
  const rows = samples.map(({ seconds, values, confidences, events, marks, mediaTime }) => [
    ...[seconds.toFixed(4), ...values.map((v) => cell(v, 4)), ...confidences.map((v) => cell(v, 4))],
    ...[...events.map((event) => event ?? ''), asText(marks.join(' ')), cell(mediaTime, 3)],
  ]);
  return [head, ...rows].map((row) => row.join('\t')).join('\n');
}
