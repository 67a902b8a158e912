/**
 * A rendered person whose left pupil is larger and whose left eye blinks, in pictures of each view, and every place that says
 * which eye it is.
 */
import {
  addEvents,
  anisocoria,
  blinkStatistics,
  cleanSeries,
  createReport,
  type Engine,
  exportParts,
  type FoveolaError,
  hippus,
  JournalWriter,
  type Laterality,
  lightReflex,
  PortalChannel,
  type PortalMessage,
  type Pupil,
  pupilColumns,
  type PupilReport,
  type PupilResult,
  pupilRows,
  pupilSamples,
  pupilSeries,
  readJournal,
  Recording,
  type RecordingHeader,
  relativeAfferentDefect,
  toBids,
  toFhir,
  toHtml,
  exportText,
  toPupilCsv,
  toPupilJson,
} from '../../src/index.ts';
import { planOf } from '../../src/protocols/protocol.ts';
import { protocols } from '../../src/protocols/shipped-protocols.ts';
import { sampleFrame } from '../../lab/eyes/index.ts';
import { type PupilTestResult, testJson, TestRecord } from '../../widget/pupil-test/test-record.ts';

export const views = ['facing', 'mirrored', 'unknown'] as const;
export type View = (typeof views)[number];
/** What a place says: whose pupil is larger, 'unknown' where it names no side, 'asks' where it asks for one. */
export type Said = Laterality | 'asks' | 'nothing';

export interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

const HALF = { width: 320, height: 240 };

const rendered = new Map<number, ReturnType<typeof sampleFrame>>();
function frameOf(index: number) {
  const frame = rendered.get(index) ?? sampleFrame(index);
  rendered.set(index, frame);
  return frame;
}

/** Half as large, and mirrored. */
function eyeOf(index: number, mirrored: boolean): (x: number, y: number) => number {
  const { width, data } = frameOf(index);
  return (x, y) => {
    const at = 2 * (mirrored ? HALF.width - 1 - x : x) + 2 * y * width;
    return (data[at]! + data[at + 1]! + data[at + width]! + data[at + width + 1]!) / 4;
  };
}

/** Moments of the clip: a small pupil, a large one, a shut eye. */
const [SMALL, LARGE, SHUT] = [12, 250, 278];

/** The person from the front: the right eye is in the left half. 'mirrored' is the mirror image of that. */
export function pictureOf(view: View, shut = false): Picture {
  const [right, left] = [eyeOf(SMALL, false), eyeOf(shut ? SHUT : LARGE, true)];
  const width = 2 * HALF.width;
  const data = Uint8Array.from({ length: width * HALF.height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const from = view === 'mirrored' ? width - 1 - x : x;
    return from < HALF.width ? right(from, y) : left(from - HALF.width, y);
  });
  return { width, height: HALF.height, data };
}

/** The center of the larger pupil in such a picture. */
export function largerOf(view: View): { x: number; y: number } {
  const { x, y } = frameOf(LARGE).truth.ellipse!;
  const half = HALF.width - 1 - x / 2;
  return { x: view === 'mirrored' ? HALF.width - 1 - half : HALF.width + half, y: y / 2 };
}

/** The left eye alone. */
export function oneEye(shut = false): Picture {
  const left = eyeOf(shut ? SHUT : LARGE, true);
  const data = Uint8Array.from({ length: HALF.width * HALF.height }, (_, i) =>
    left(i % HALF.width, Math.floor(i / HALF.width)),
  );
  return { ...HALF, data };
}

const STEP = 20;

/** 45 frames; the left eye is shut for eight of them. */
export async function track(engine: Engine, settings: object, open: Picture, shut: Picture): Promise<PupilResult[]> {
  const tracker = engine.createPupilTracker(settings);
  const results: PupilResult[] = [];
  for (let i = 0; i < 45; i++)
    results.push(await tracker.process(i >= 25 && i < 33 ? shut : open, { timestamp: STEP * i }));
  await tracker.dispose();
  return results;
}

const header = (parameters: Record<string, unknown>): RecordingHeader =>
  ({
    ...{
      software: 'foveola',
      version: '0.0.0',
      notice: 'A test.',
      source: { name: 'eyes.mp4', width: 640, height: 240 },
    },
    ...{ parameters, changes: [], backend: 'wasm', renderer: null, capabilities: {}, threads: 1 },
    ...{ clock: 'media', started: '2026-01-01T00:00:00.000Z' },
  }) as unknown as RecordingHeader;

/** Everything that is made of results before somebody asks it. */
export interface Case {
  view: View;
  results: readonly PupilResult[];
  recording: Recording;
  header: RecordingHeader;
  /** As the element keeps it while it runs. */
  kept: Awaited<ReturnType<typeof readJournal>>;
  test: PupilTestResult;
}

export async function caseOf(view: View, parameters: Record<string, unknown>, results: readonly PupilResult[]) {
  const recording = new Recording(pupilColumns);
  const head = header(parameters);
  const writer = await JournalWriter.create(
    { element: 'foveola-pupil', columns: pupilColumns, header: head },
    recording,
  );
  for (const [frame, result] of results.entries()) {
    const { timestamp } = result;
    const timing = { frame, timestamp, clock: 'media', mediaTime: timestamp, dropped: 0, throttled: 0 } as const;
    for (const row of pupilRows(result, timing)) recording.push(row);
    addEvents(recording, result.events);
  }
  const bytes = await writer.take(head, true);
  const kept = await readJournal(() => [bytes]);
  return { view, results, recording, header: head, kept, test: swingingLight(results[0]!) } satisfies Case;
}

/** 0 before x = 0, 1 at x = 500 ms, slowly back. */
const wave = (x: number) => (x <= 0 ? 0 : ((x / 500) * Math.exp(1 - x / 500)) ** 3);

/** The swinging flashlight with these pupils: light in the left eye does half of what light in the right eye does. */
function swingingLight(first: PupilResult): PupilTestResult {
  const protocol = first.pupils.length === 2 ? protocols['swinging-flashlight'] : protocols['light-reflex'];
  const record = new TestRecord(protocol);
  const plan = planOf(protocol);
  const lights: { onset: number; height: number }[] = [];
  const times = plan.map(({ step }) => (step.type === 'text' ? 0 : step.duration));
  let at = 0;
  for (const [i, { step }] of plan.entries()) {
    if (step.type === 'flash') lights.push({ onset: at, height: (step.eye === 'left' ? 0.1 : 0.2) + 0.002 * (i % 3) });
    at += times[i]!;
  }
  for (let time = 0; time <= at; time += 1000 / 60) {
    const narrow = lights.reduce((sum, { onset, height }) => sum + height * wave(time - onset - 250), 0);
    const pupils = first.pupils.map((pupil): Pupil => ({ ...pupil, diameter: pupil.diameter * (1 - narrow) }));
    record.add({ ...first, timestamp: time, pupils, events: [] });
  }
  at = 0;
  for (const [i, planned] of plan.entries()) {
    record.seen(planned, at);
    record.over((at += times[i]!));
  }
  return record.result(true);
}

/** 'asks' where it is refused with what to set. */
export function asked(work: () => Said): Said {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as FoveolaError; // perhaps of another bundle
    if (code === 'invalid-argument' && message.includes('`view`')) return 'asks';
    throw error;
  }
}

/** Whose diameter is the largest. */
export function largest(list: readonly (readonly [eye: unknown, diameter: unknown])[]): Said {
  const known = list.map(([eye, diameter]) => [eye, Number(diameter)] as const).filter(([, d]) => d > 0);
  const [first] = known.sort((a, b) => b[1] - a[1]);
  return first ? (first[0] as Said) : 'nothing';
}

/** The one name among these; 'nothing' where there are several. */
export const only = (list: Iterable<unknown>): Said => {
  const names = new Set(list);
  return names.size === 1 ? ([...names][0] as Said) : 'nothing';
};

export function tableOf(csv: string): Record<string, string>[] {
  const lines = csv
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const names = lines[0]!.split(',');
  return lines.slice(1).map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i]!, cell])));
}

/** By the names of the columns: 'unknown' where they name pupils by their place. */
function byColumns(row: Record<string, string>, column: string): Said {
  const named = Object.keys(row).filter((name) => name.startsWith(`${column}_`));
  if (!named.length) return largest([[row['eye'], row[column]]]);
  return largest(named.map((name) => [name.slice(column.length + 1).replace(/^pupil\d$/, 'unknown'), row[name]]));
}

const byCells = (row: Record<string, string>) =>
  largest(['left', 'right', 'pupil0', 'pupil1'].map((end) => [row[`eye_${end}`], row[`diameter_px_${end}`]]));

interface JsonRow {
  frame: number;
  pupil: number;
  eye: Laterality;
  diameter: number;
}
const ofFrame = (rows: readonly JsonRow[]) =>
  largest(rows.filter(({ frame }) => frame === 0).map(({ eye, diameter }) => [eye, diameter]));
const parsed = (text: string) =>
  JSON.parse(text) as {
    rows: JsonRow[];
    events: { eye: Laterality; kind: string }[];
    series: { whose: Laterality[]; eyes: { diameter: number }[][] };
  };
const eventLines = (csv: string) =>
  only([...csv.matchAll(/^# blink: \S+ \S+ eye (\w+) pupil \d/gm)].map(([, eye]) => eye));
const eventRows = (csv: string) => only(tableOf(csv).flatMap(({ kind, eye }) => (kind === 'blink' ? [eye] : [])));
const comments = { format: 'comments' } as const;
const joined = async (parts: AsyncIterable<string>) => {
  let all = '';
  for await (const part of parts) all += part;
  return all;
};

const cleaned = ({ results }: Case) => results[0]!.pupils.map((_, eye) => cleanSeries(pupilSamples(results, { eye })));
const levelOf = ({ diameter }: { diameter: Float64Array }) => diameter[0]!;

/** The report of a test, as docs/run-pupil-tests.md makes it. */
export function reportOf({ test }: Case): PupilReport {
  return createReport({ kind: 'pupil', result: test, started: new Date(0) });
}

/** By the table of the recording. */
function ofHtml(html: string): Said {
  const table = html.slice(html.indexOf('<h2>Recording'));
  const head = table.slice(0, table.indexOf('</thead>'));
  const sides = [...head.matchAll(/scope="col">(Left|Right|Eye)/g)].map(([, side]) => side!.toLowerCase());
  const row = /Mean diameter.*?<\/tr>/.exec(table)?.[0] ?? '';
  const values = [...row.matchAll(/<td>([\d.]+)/g)].map(([, value]) => value);
  return largest(values.map((value, i) => [sides[i]!.replace('eye', 'unknown'), value]));
}

const siteNames: Readonly<Record<string, Said>> = { '16089004': 'left', '52378001': 'right', '81745001': 'unknown' };

interface Observed {
  resourceType: string;
  code: { text: string };
  bodySite: { coding: { code: string }[] };
  component: { code: { text?: string; coding: { code: string }[] }; valueQuantity?: { value: number } }[];
}
export function ofFhir(bundle: { entry?: readonly { resource: unknown }[] }): Said {
  const all = (bundle.entry ?? []).map(({ resource }) => resource as Observed);
  const observed = all.filter(
    ({ resourceType, code }) => resourceType === 'Observation' && /over time/.test(code.text),
  );
  return largest(
    observed.map(({ bodySite, component }) => {
      const mean = component.find(({ code }) => code.coding.some((one) => one.code === 'mean-diameter'));
      return [siteNames[bodySite.coding[0]!.code], mean?.valueQuantity?.value];
    }),
  );
}

/** What a portal receives of a page. */
function ofPortal(fhir: ReturnType<typeof toFhir>): Said {
  const sent: PortalMessage<'report'>[] = [];
  const channel = new PortalChannel({
    target: { postMessage: (message) => void sent.push(structuredClone(message) as PortalMessage<'report'>) },
    receiver: { addEventListener: () => {}, removeEventListener: () => {} },
    allowedOrigins: ['https://portal.example'],
  });
  channel.send('report', { fhir });
  channel.dispose();
  return ofFhir(sent[0]!.payload.fhir);
}

export interface Consumer {
  says: (one: Case) => Said | Promise<Said>;
  /** In each view; 'left' in two of them, and 'unknown' in the third, where it is not said. */
  wanted?: Readonly<Record<View, Said>>;
  /** It is about two eyes. */
  pair?: boolean;
  /** It says 'left' where it asks for nothing. */
  warns?: boolean;
}

const asks = { facing: 'left', mirrored: 'left', unknown: 'asks' } as const;

/** Every place of the library. Those of the command and of elements are in the tests of these. */
export const consumers: Readonly<Record<string, Consumer>> = {
  'results, larger pupil': {
    says: ({ results }) => largest(results[0]!.pupils.map(({ eye, diameter }) => [eye, diameter])),
  },
  'results, eye that blinks': {
    says: ({ results }) =>
      only(results.flatMap(({ events }) => events.filter(({ kind }) => kind === 'blink')).map(({ eye }) => eye)),
  },
  'rows of a recording': {
    says: ({ recording }) => {
      const at = (name: string) => pupilColumns.findIndex((column) => column.name === name);
      return largest([0, 1].map((row) => [recording.cell(row, at('eye')), recording.cell(row, at('diameter'))]));
    },
  },
  'events of a recording': { says: ({ recording }) => only(recording.events.all.map(({ eye }) => eye)) },
  'CSV, names of columns': {
    says: (one) => byColumns(tableOf(toPupilCsv(one.recording, one.header))[0]!, 'diameter_px'),
  },
  'CSV, series': {
    says: (one) =>
      byColumns(tableOf(toPupilCsv(one.recording, one.header, { series: { unit: 'px' } }))[0]!, 'series_px'),
  },
  'CSV, cells of eye': { pair: true, says: (one) => byCells(tableOf(toPupilCsv(one.recording, one.header))[0]!) },
  'CSV, event that covers a frame': {
    pair: true,
    says: (one) => {
      const rows = tableOf(toPupilCsv(one.recording, one.header));
      const blinking = Object.keys(rows[0]!).filter((name) => /^event_/.test(name) && rows[28]![name] === 'blink');
      return only(blinking.map((name) => name.slice(6).replace(/^pupil\d$/, 'unknown')));
    },
  },
  'CSV, list of events': { says: (one) => eventLines(toPupilCsv(one.recording, one.header, comments)) },
  'CSV as PupilEXT, halves of the picture': {
    pair: true,
    says: (one) => {
      const [row] = tableOf(toPupilCsv(one.recording, one.header, { format: 'pupilext' }));
      const half = largest(['A', 'B'].map((name) => [name, row![`diameter${name}_px`]])) as string;
      const eyes = one.results[0]!.pupils.map(({ eye }) => eye);
      return half === 'A' ? eyes[0]! : eyes[1]!;
    },
  },
  'JSON, rows': { says: (one) => ofFrame(parsed(toPupilJson(one.recording, one.header)).rows) },
  'JSON, events': { says: (one) => only(parsed(toPupilJson(one.recording, one.header)).events.map(({ eye }) => eye)) },
  'JSON, series': {
    says: (one) => {
      const { series } = parsed(toPupilJson(one.recording, one.header, { series: {} }));
      return largest(series.whose.map((eye, i) => [eye, series.eyes[i]![0]!.diameter]));
    },
  },
  'kept recording, CSV': {
    says: async ({ kept }) => byColumns(tableOf(await joined(exportParts(kept, 'csv')))[0]!, 'diameter_px'),
  },
  'kept recording, events of the CSV': {
    says: async ({ kept }) => eventLines(await joined(exportParts(kept, 'csv', comments))),
  },
  'table of events': { says: (one) => eventRows(exportText(one.recording, one.header, 'events.csv')) },
  'kept recording, JSON': { says: async ({ kept }) => ofFrame(parsed(await joined(exportParts(kept, 'json'))).rows) },
  'pupilSeries, of each eye': {
    says: ({ results }) => {
      const both = results[0]!.pupils.map((_, eye) => pupilSeries(results, { eye }));
      return largest(both.map(({ eye, rows }) => [eye, rows[0]!.diameter]));
    },
  },
  'pupilSeries, of the left eye': {
    pair: true,
    says: ({ results }) =>
      asked(() => {
        const of = (eye: 'left' | 'right') => pupilSeries(results, { eye }).rows[0]!.diameter;
        return largest([
          ['left', of('left')],
          ['right', of('right')],
        ]);
      }),
    wanted: asks,
  },
  'pupilSeries, events of the left eye': {
    pair: true,
    says: ({ results }) => asked(() => only(pupilSeries(results, { eye: 'left' }).events.map(({ eye }) => eye))),
    wanted: asks,
  },
  'pupilSamples, of the left eye': {
    pair: true,
    says: ({ results }) =>
      asked(() => {
        const of = (eye: 'left' | 'right') => pupilSamples(results, { eye })[0]!.diameter;
        return largest([
          ['left', of('left')],
          ['right', of('right')],
        ]);
      }),
    wanted: asks,
  },
  'pupilSamples, samples': {
    says: ({ results }) => {
      const both = results[0]!.pupils.map((_, eye) => pupilSamples(results, { eye })[0]!);
      return largest(both.map(({ eye, diameter }) => [eye, diameter]));
    },
  },
  cleanSeries: { says: (one) => largest(cleaned(one).map((series) => [series.eye, levelOf(series)])) },
  'blinkStatistics, eye that blinks': {
    says: (one) =>
      largest(
        cleaned(one)
          .map(blinkStatistics)
          .map(({ eye, count }) => [eye, count]),
      ),
  },
  'lightReflex, larger baseline': {
    says: ({ test }) => {
      const reflexes = test.measures.series.map((series) => lightReflex(series!, { onset: 10_000 }));
      return largest(reflexes.map(({ eye, baseline }) => [eye, baseline]));
    },
  },
  'hippus, larger waves': {
    says: ({ test }) =>
      largest(test.measures.series.map((series) => hippus(series!)).map(({ eye, rms }) => [eye, rms])),
  },
  anisocoria: {
    pair: true,
    says: (one) =>
      asked(() => {
        const series = cleaned(one);
        const of = (side: Laterality) => series.find(({ eye }) => eye === side) ?? series[0]!;
        return anisocoria(of('left'), of('right')).larger as Said;
      }),
    wanted: asks,
  },
  'anisocoria, of swapped eyes': {
    pair: true,
    says: (one) => {
      const series = cleaned(one);
      const of = (side: Laterality) => series.find(({ eye }) => eye === side) ?? series[0]!;
      try {
        anisocoria(of('right'), of('left'));
        return 'nothing';
      } catch (error) {
        const { message } = error as Error;
        return /series for the left eye is from the right eye/.test(message)
          ? 'left'
          : /`view`/.test(message)
            ? 'asks'
            : 'nothing';
      }
    },
    wanted: asks,
  },
  'relativeAfferentDefect, eye that is lit': {
    pair: true,
    says: ({ test }) =>
      asked(() => {
        const into = (side: string) => test.measures.reflexes!.filter(({ lit }) => lit === side);
        return relativeAfferentDefect(into('left'), into('right')).eye as Said;
      }),
    wanted: asks,
  },
  'test, samples': { says: ({ test }) => largest(test.eyes.map((samples) => [samples[0]!.eye, samples[0]!.diameter])) },
  'test, series': {
    says: ({ test }) => largest(test.measures.series.map((series) => [series!.eye, levelOf(series!)])),
  },
  'test, reflexes': {
    says: ({ test }) => largest(test.measures.reflexes!.map(({ eye, baseline }) => [eye, baseline])),
  },
  'test, anisocoria': {
    pair: true,
    says: ({ test: { measures } }) =>
      (measures.anisocoria?.larger as Said | undefined) ??
      (measures.warnings.some((text) => /^anisocoria: .*`view`/.test(text)) ? 'asks' : 'nothing'),
    wanted: asks,
  },
  'test, afferent defect': {
    pair: true,
    says: ({ test: { measures } }) =>
      (measures.afferentDefect?.eye as Said | undefined) ??
      (measures.warnings.some((text) => /^relative afferent pupillary defect: .*`view`/.test(text))
        ? 'asks'
        : 'nothing'),
    wanted: asks,
  },
  'test, JSON': {
    says: ({ test }) => {
      const { eyes } = JSON.parse(testJson(test)) as PupilTestResult;
      return largest(eyes.map((samples) => [samples[0]!.eye, samples[0]!.diameter]));
    },
  },
  'report, what it warns of': {
    warns: true,
    says: (one) => asked(() => (reportOf(one).warnings.some((text) => /Set `eye`/.test(text)) ? 'asks' : 'left')),
    wanted: asks,
  },
  report: {
    says: (one) => asked(() => largest(reportOf(one).eyes.map(({ eye, summary }) => [eye, summary!.mean]))),
    wanted: asks,
  },
  'report, HTML': { says: (one) => asked(() => ofHtml(toHtml(reportOf(one)))), wanted: asks },
  'report, FHIR': { says: (one) => asked(() => ofFhir(toFhir(reportOf(one)))), wanted: asks },
  'message to a portal': { says: (one) => asked(() => ofPortal(toFhir(reportOf(one)))), wanted: asks },
  BIDS: {
    says: (one) =>
      asked(() => {
        const sizes = cleaned(one).map((series) => {
          const files = toBids({
            ...{ name: 'sub-1_task-x', recordedEye: series.eye as 'left', timestamp: series.timestamp },
            ...{ pupil: series.diameter, pupilUnit: 'px', events: series.events },
          });
          const { RecordedEye } = JSON.parse(files.find(({ name }) => name.endsWith('physio.json'))!.text) as {
            RecordedEye: Said;
          };
          return [RecordedEye, levelOf(series)] as const;
        });
        return largest(sizes);
      }),
    wanted: asks,
  },
};
