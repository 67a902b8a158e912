/** Traces of pupils with blinks, closures and losses, and every place that says what they are: all of it must agree. */
import {
  blinkStatistics,
  cleanSeries,
  createReport,
  EventList,
  exportParts,
  JournalWriter,
  pupilColumns,
  type PupilResult,
  pupilRows,
  pupilSamples,
  pupilSeries,
  readJournal,
  recordedPupils,
  toBids,
  toHtml,
  exportText,
  type ExportFormat,
  toPupilJson,
  type EventSpan,
  type EyeEvent,
  type Pupil,
} from '../../src/index.ts';
import { EyeEventDetector } from '../../src/series/eye-events.ts';
import { TestRecord } from '../../widget/pupil-test/test-record.ts';
import { Recorder } from '../../widget/tools/recorder.ts';
import type { Feed } from '../../widget/base/feed.ts';
import { KnownResults } from '../../widget/tools/player/known-results.ts';

/** A frame of one eye: 1 found, 0 not, c covered in part, e at the edge of the picture, d too dark. */
export type Trace = string;

const pupilOf = (letter: string): Pupil => {
  const found = letter !== '0' && letter !== 'd';
  const outlineConfidence = !found ? NaN : letter === 'c' ? 0.5 : 1;
  const place = found ? { x: 100, y: 80, diameter: 40 } : { x: NaN, y: NaN, diameter: NaN };
  return {
    ...{
      eye: 'unknown',
      found,
      confidence: found ? 0.9 : 0.1,
      outlineConfidence,
      ...place,
      diameterMm: found ? 4 : null,
    },
    ...{
      ellipse: null,
      circle: { x: place.x, y: place.y, r: place.diameter / 2 },
      blink: false,
      votes: NaN,
      points: NaN,
    },
  };
};

/** As a tracker gives them. */
export function resultsOf(traces: readonly Trace[], interval: number): PupilResult[] {
  const detectors = traces.map(() => new EyeEventDetector());
  return Array.from(traces[0]!, (_, frame) => {
    const timestamp = frame * interval;
    const events: EyeEvent[] = [];
    const pupils = traces.map((trace, index) => {
      const pupil = pupilOf(trace[frame]!);
      const unsure = 'de'.includes(trace[frame]!);
      const { blink, events: own } = detectors[index]!.update({ ...pupil, unsure }, timestamp);
      events.push(...own.map((event) => ({ ...event, pupil: index, eye: 'unknown' as const })));
      return { ...pupil, blink };
    });
    return { timestamp, width: 200, height: 160, pupils, events, dropped: 0, backend: 'wasm' };
  });
}

const timingOf = ({ timestamp }: PupilResult, frame: number) =>
  ({ frame, timestamp, clock: 'media', mediaTime: timestamp, dropped: 0, throttled: 0 }) as const;

/** An event as everything says it: `blink 100 260 0`, with a star while it is not final. */
const said = ({ kind, onset, offset, pupil, final }: Omit<EyeEvent, 'eye'>) =>
  `${kind} ${onset.toFixed(3)} ${offset.toFixed(3)} ${pupil}${final ? '' : '*'}`;

/** What the flags of rows say, by eye and frame. */
const flagsOf = (results: readonly PupilResult[], events: EventList): string =>
  results
    .flatMap(({ timestamp, pupils }) => pupils.map((_, index) => events.at(timestamp, index)?.kind ?? '-'))
    .join(' ');

/** What each consumer says of events, and of each frame: name by name, to be compared with the first. */
export async function everyAnswer(results: readonly PupilResult[]) {
  const truth = new EventList();
  for (const { events } of results) for (const event of events) truth.settle(event);
  const eyes = results[0]!.pupils.length;
  const each = <T>(of: (index: number) => T): T[] => Array.from({ length: eyes }, (_, index) => of(index));

  // The element's recording, its kept journal, which is written while it runs, and what the timeline knows.
  const recorder = new Recorder();
  const feed = { name: 'eye.webm', kind: 'video', width: 200, height: 160 } as Feed;
  recorder.start(pupilColumns, { feed, capabilities: { backend: 'wasm' } as never, parameters: {}, clock: 'media' });
  const recording = recorder.recording!;
  const { header } = recorder;
  const writer = await JournalWriter.create({ element: 'foveola-pupil', columns: pupilColumns, header }, recording);
  const bytes: Uint8Array[] = [];
  const known = new KnownResults<PupilResult>();
  const test = new TestRecord({ format: 1, id: 'a', title: 'a', eyes: eyes as 1 | 2, steps: [] });
  for (const [frame, result] of results.entries()) {
    const timing = timingOf(result, frame);
    recorder.add(pupilRows(result, timing), timing, 'media', 'wasm', result.events);
    for (const event of result.events) known.events.settle(event);
    known.add({ result, timing, state: result.pupils.some(({ found }) => found) ? 'found' : 'lost' });
    test.add(result);
    if (frame % 7 === 0) bytes.push(await writer.take(header));
  }
  bytes.push(await writer.take(header, true));
  const stored = await readJournal(() => bytes);
  const text = async (format: ExportFormat) => {
    let all = '';
    for await (const part of exportParts(stored, format, { format: 'comments' })) all += part;
    return all;
  };

  const events: Record<string, string[]> = { results: truth.all.map(said) };
  const frames: Record<string, string> = { results: flagsOf(results, truth) };
  const csvs = { csv: exportText(recording, header, 'csv', { format: 'comments' }), 'kept csv': await text('csv') };
  for (const [name, csv] of Object.entries(csvs)) {
    events[name] = eventsOfCsv(csv);
    frames[name] = framesOfCsv(csv, eyes);
  }
  events['table of events'] = eventsOfTable(exportText(recording, header, 'events.csv'));
  const beside = { 'beside csv': exportText(recording, header, 'csv.json'), 'kept beside': await text('csv.json') };
  for (const [name, json] of Object.entries(beside))
    events[name] = (JSON.parse(json) as { events: EyeEvent[] }).events.map(said);
  const jsons = { json: toPupilJson(recording, header), 'kept json': await text('json') };
  for (const [name, json] of Object.entries(jsons)) {
    const { events: list, rows } = JSON.parse(json) as {
      events: EyeEvent[];
      rows: { event: string | null; blink: boolean }[];
    };
    events[name] = list.map(said);
    frames[name] = rows.map(({ event }) => event ?? '-').join(' ');
    frames[`${name}, blink`] = rows
      .map(({ event, blink }) => (blink === (event === 'blink') ? (event ?? '-') : 'wrong'))
      .join(' ');
  }
  events['kept recording'] = (await stored.recording()).events.all.map(said);
  const tested = test.result(true);
  events.test = tested.events.map(said);
  frames.test = results.flatMap((_, i) => tested.eyes.map((samples) => samples[i]!.event ?? '-')).join(' ');

  const byEye = each((eye) => pupilSeries(results, { eye }));
  const stays = each((eye) => pupilSeries(recordedPupils(recording), { eye }));
  for (const [name, series] of Object.entries({ series: byEye, 'series of the recording': stays })) {
    events[name] = series
      .flatMap((one) => one.events)
      .sort((a, b) => a.onset - b.onset)
      .map(said);
    frames[name] = results.flatMap((_, i) => series.map(({ rows }) => rows[i]!.event ?? '-')).join(' ');
  }
  const cleaned = each((eye) => cleanSeries(pupilSamples(results, { eye })));
  const withPupil = cleaned.map((one, pupil) => one.events!.map((event) => ({ ...event, pupil })));
  events.cleaning = withPupil
    .flat()
    .sort((a, b) => a.onset - b.onset)
    .map(said);

  // What the timeline shows is the one that matters most of both eyes; what reports count are blinks and closures that ended.
  const states = known.entries.map((entry) => known.stateOf(entry));
  const strip = { wanted: results.map(({ timestamp }) => stripOf(truth, timestamp, eyes)), shown: states };
  const counts: Record<string, string> = { results: countsOf(each((eye) => truth.of(eye))) };
  const report = createReport({
    ...{ kind: 'pupil', unit: 'px', started: new Date(0) },
    eyes: cleaned.map((series, i) => ({
      series,
      eye: eyes > 1 ? (['left', 'right'] as const)[i]! : ('unknown' as const),
    })),
  });
  counts.report = report.eyes.map(({ blinkSummary: b }) => `${b!.count} ${b!.closures}`).join(', ');
  counts.statistics = cleaned
    .map((one, i) => `${blinkStatistics(one).count} ${ended(truth.of(i), 'closure')}`)
    .join(', ');
  events.report = report.eyes
    .flatMap((eye, pupil) => eye.events.map((event) => ({ ...event, pupil })))
    .sort((a, b) => a.onset - b.onset)
    .map(said);
  const drawn = [...toHtml(report).matchAll(/<rect class="(blink|closure|loss)"/g)].map(([, kind]) => kind!);
  // Where nothing was found there is no plot.
  const plotted = results.some(({ pupils }) => pupils.some(({ found }) => found)) ? truth.all : [];
  const marks = { wanted: plotted.map(({ kind }) => kind).sort(), page: drawn.sort() };
  events.bids = bidsOf(cleaned, report.eyes).map(said);
  return { events, frames, strip, counts, marks };
}

const ended = (events: readonly Pick<EyeEvent, 'kind' | 'final'>[], wanted: string) =>
  events.filter(({ kind, final }) => kind === wanted && final).length;
const countsOf = (eyes: readonly (readonly EyeEvent[])[]) =>
  eyes.map((events) => `${ended(events, 'blink')} ${ended(events, 'closure')}`).join(', ');

function stripOf(events: EventList, timestamp: number, eyes: number): string {
  const kinds = Array.from({ length: eyes }, (_, index) => events.at(timestamp, index)?.kind);
  return kinds.includes('closure')
    ? 'closure'
    : kinds.includes('blink')
      ? 'blink'
      : kinds.includes('loss')
        ? 'lost'
        : 'found';
}

function eventsOfCsv(csv: string): string[] {
  const lines = [...csv.matchAll(/^# (blink|closure|loss): (\S+) (\S+) eye unknown pupil (\d)(, not ended)?$/gm)];
  return lines.map(([, kind, onset, offset, pupil, lasts]) =>
    said({ kind: kind as EyeEvent['kind'], onset: +onset!, offset: +offset!, pupil: +pupil!, final: !lasts }),
  );
}

function eventsOfTable(csv: string): string[] {
  const [, ...rows] = csv.trimEnd().split('\n');
  return rows.map((row) => {
    const [kind, onset, offset, , , pupil, final] = row.split(',');
    return said({
      kind: kind as EyeEvent['kind'],
      onset: +onset!,
      offset: +offset!,
      pupil: +pupil!,
      final: final === '1',
    });
  });
}

function framesOfCsv(csv: string, eyes: number): string {
  const [head, ...rows] = csv
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const columns = head!.split(',').flatMap((name, i) => (/^event(_|$)/.test(name) ? [i] : []));
  if (columns.length !== eyes) throw new Error(`${columns.length} columns of events`);
  return rows.map((row) => columns.map((i) => row.split(',')[i] || '-').join(' ')).join(' ');
}

/** The tables of events, back as events; which of them are final they do not say. */
function bidsOf(
  cleaned: readonly ReturnType<typeof cleanSeries>[],
  eyes: readonly { events: readonly EventSpan[] }[],
): Omit<EyeEvent, 'eye'>[] {
  return cleaned
    .flatMap((series, pupil) => {
      const { timestamp, diameter } = series;
      const files = toBids({
        ...{ name: 'sub-1_task-x', recordedEye: pupil ? 'right' : 'left', timestamp, pupil: diameter, pupilUnit: 'px' },
        events: series.events,
      });
      const { text } = files.find(({ name }) => name.endsWith('physioevents.tsv.gz'))!;
      return text
        .split('\n')
        .filter(Boolean)
        .map((line, i) => {
          const [onset, duration, kind] = line.split('\t');
          const final = eyes[pupil]!.events[i]!.final;
          return { kind: kind as EyeEvent['kind'], onset: +onset!, offset: +onset! + 1000 * +duration!, final, pupil };
        });
    })
    .sort((a, b) => a.onset - b.onset);
}
