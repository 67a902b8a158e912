/**
 * Compares all places where a `<foveola-pupil>` reports blinks, closures and losses of its recording with one list. These
 * are tables in three formats, JSON, the file next to the CSV and the table of events. The series, the chart, the
 * timeline, the summary and the readout follow.
 */
import type { EyeEvent } from '../../src/index.ts';
import type { ElementParts } from '../../widget/base/element-parts.ts';
import type { AnyResult } from '../../widget/base/kind.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import type { ChartsController } from '../../widget/tools/charts.ts';
import type { Player } from '../../widget/tools/player/player.ts';

type Row = Record<string, string>;
type Event = Pick<EyeEvent, 'kind' | 'onset' | 'offset' | 'final'>;

function rowsOf(csv: string, separator = ','): Row[] {
  const lines = csv.replace('\uFEFF', '').trimEnd().split('\n');
  const [names, ...rows] = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(separator));
  const point = (cell = '') => (separator === ';' ? cell.replace(',', '.') : cell);
  return rows.map((cells) => Object.fromEntries(names!.map((name, i) => [name, point(cells[i])])));
}

const time = (value: number | string) => Number(value).toFixed(3);
const eventText = ({ kind, onset, offset, final }: Event) => `${kind} ${time(onset)} ${time(offset)} ${final ? 1 : 0}`;
const listText = (events: readonly Event[]) => events.map(eventText).join('; ');

/** Event of a frame by the definition: from onset to offset, including the last frame if the event is not final. */
const kindAt = (events: readonly Event[], timestamp: number): string =>
  events.find(({ onset, offset, final }) => timestamp >= onset && (final ? timestamp < offset : timestamp <= offset))
    ?.kind ?? '';

const framesText = (frames: readonly (readonly [timestamp: number | string, kind: string, blink: string])[]) =>
  frames.map(([timestamp, kind, blink]) => `${time(timestamp)} ${kind}${blink === '1' ? ' blink' : ''}`).join('; ');

/** Chart and timeline, which have no export. */
function drawn(element: FoveolaPupil) {
  const { host, charts } = (element as unknown as { parts: ElementParts<AnyResult> }).parts;
  const [chart] = (charts as unknown as ChartsController<AnyResult>).all;
  return { chart, known: (host.parts.find((part) => 'known' in part) as unknown as Player | undefined)?.known };
}

/** Chart, timeline and summary have loaded. */
export function isDrawn(element: FoveolaPupil): boolean {
  const { chart, known } = drawn(element);
  return !!chart && !!known && !!element.renderRoot.querySelector('.summary');
}

const counted = (text: string, word: string) => new RegExp(`(\\d+) ${word}`).exec(text)?.[1];

/** Lines that name each place that differs, after an analysis. And the events of the list. */
export async function blinkAgreement(element: FoveolaPupil): Promise<{ faults: string[]; events: Event[] }> {
  type Json = {
    events: EyeEvent[];
    rows: { timestamp: number; event: string | null; blink: boolean; found: boolean }[];
  };
  const { events, rows } = JSON.parse(await element.exportJson()) as Json;
  const { chart, known } = drawn(element);
  const tables = {
    plain: rowsOf(await element.exportCsv({ format: 'plain' })),
    comments: rowsOf(await element.exportCsv({ format: 'comments' })),
    excel: rowsOf(await element.exportCsv({ format: 'excel' }), ';'),
  };
  const head = await element.exportCsv({ format: 'comments' });
  const lines = [...head.matchAll(/^# (blink|closure|loss): ([\d.]+) ([\d.]+) .*?(, not ended)?$/gm)];
  const eventTable = rowsOf(await element.exportEvents()).filter(({ kind }) => kind !== 'marker');
  const wholeList = {
    'file next to the CSV': (JSON.parse(await element.exportCsvJson()) as Json).events,
    'comment lines': lines.map(([, kind, onset, offset, open]) => eventOf(kind!, onset!, offset!, !open)),
    'table of events': eventTable.map((e) => eventOf(e.kind!, e.onset_ms!, e.offset_ms!, e.final === '1')),
    series: element.series().events,
    chart: chart!.events(-1, Infinity),
  };
  const expected = framesText(
    rows.map(({ timestamp }) => {
      const kind = kindAt(events, timestamp);
      return [timestamp, kind, kind === 'blink' ? '1' : ''];
    }),
  );
  const frames = {
    JSON: framesText(rows.map((row) => [row.timestamp, row.event ?? '', row.blink ? '1' : ''])),
    ...Object.fromEntries(
      Object.entries(tables).map(([format, table]) => [
        `CSV, ${format}`,
        framesText(table.map((row) => [row.timestamp_ms!, row.event!, row.blink!])),
      ]),
    ),
  };
  const stateOf = { blink: 'blink', closure: 'closure', loss: 'lost' } as Record<string, string>;
  const states = rows.map(({ timestamp, found }) => stateOf[kindAt(events, timestamp)] ?? (found ? 'found' : 'lost'));
  const count = (kind: string) => String(events.filter((event) => event.kind === kind).length);
  const summary = element.renderRoot.querySelector('.summary')?.textContent ?? '';
  const counts = {
    'blinks in the summary': [counted(summary, 'blink'), count('blink')],
    'closures in the summary': [counted(summary, 'closure'), count('closure')],
    'blinks in the readout': [element.renderRoot.querySelector('[data-value=blinks]')?.textContent, count('blink')],
  };
  const faults = [
    ...Object.entries(wholeList).flatMap(([place, list]) => differs(place, listText(list), listText(events))),
    ...Object.entries(frames).flatMap(([place, text]) => differs(place, text, expected)),
    ...differs('timeline', known!.entries.map((entry) => known!.stateOf(entry)).join(' '), states.join(' ')),
    ...Object.entries(counts).flatMap(([place, [got, wanted]]) => differs(place, got ?? 'nothing', wanted!)),
  ];
  return { faults, events };
}

const eventOf = (kind: string, onset: string, offset: string, final: boolean): Event => ({
  ...{ kind: kind as Event['kind'], final },
  ...{ onset: Number(onset), offset: Number(offset) },
});

const differs = (place: string, got: string, wanted: string): string[] =>
  got === wanted ? [] : [`${place}: ${got}, not ${wanted}`];
