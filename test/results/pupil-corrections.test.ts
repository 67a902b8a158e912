/** Corrections by hand: literal rows in, literal rows, events and exports out. */
import { expect } from 'chai';
import {
  addEvents,
  blinkStatistics,
  checkPupilCorrections,
  cleanSeries,
  correctPupils,
  eventKinds,
  FoveolaError,
  pupilColumns,
  pupilSamples,
  pupilSeries,
  type PupilCorrection,
  Recording,
  recordedPupils,
  type RecordingHeader,
  toPupilCsv,
  toPupilJson,
} from '../../src/index.ts';

const column = (name: string) => pupilColumns.findIndex((one) => one.name === name);
const header = {
  ...{ software: 'foveola', version: '0', notice: '', started: null, backend: 'wasm', renderer: null, threads: 1 },
  source: { name: 'eye.webm', kind: 'file', sha256: null, width: 64, height: 48 },
  ...{ parameters: { method: 'robust' }, clock: 'media', frames: 10, dropped: 0 },
} satisfies RecordingHeader;

/** Ten frames, 10 ms apart: a blink at 30 to 60 ms, and a loss at 80 ms. */
const diameters = [20, 21, 22, NaN, NaN, NaN, 23, 24, NaN, 25];

function recorded(values = diameters): Recording {
  const recording = new Recording(pupilColumns);
  values.forEach((diameter, frame) => {
    const row = pupilColumns.map(({ type }) => (type === 'boolean' ? 0 : NaN));
    const found = !Number.isNaN(diameter);
    const set = { frame, timestamp: 10 * frame, clock: 1, mediaTime: 10 * frame, pupil: 0, eye: 2, dropped: 0 };
    Object.assign(set, { throttled: 0, backend: 0, found: Number(found), confidence: found ? 0.9 : 0 });
    if (found) Object.assign(set, { x: 32, y: 24, diameter, ellipseX: 32, ellipseY: 24, major: diameter, minor: 18 });
    for (const [name, value] of Object.entries(set)) row[column(name)] = value;
    recording.push(row);
  });
  const common = { final: true, pupil: 0, eye: 'unknown' } as const;
  addEvents(recording, [
    { kind: 'blink', onset: 30, offset: 60, ...common },
    { kind: 'loss', onset: 80, offset: 90, ...common },
  ]);
  return recording;
}

const cells = (recording: Recording, name: string) =>
  Array.from({ length: recording.length }, (_, row) =>
    recording.cell(
      row,
      recording.columns.findIndex((one) => one.name === name),
    ),
  );
const eventsOf = (recording: Recording) =>
  recording.events.all.map(({ kind, onset, offset, final }) => [kind, onset, offset, final]);
const ellipse = { x: 30, y: 25, major: 26, minor: 22, angle: 0 };
const span = (action: 'exclude' | 'blink' | 'open', from: number, to: number): PupilCorrection => ({
  ...{ action, pupil: 0, from, to },
});

describe('corrections of a recording', () => {
  it('returns the recording itself without corrections', () => {
    const recording = recorded();
    expect(correctPupils(recording, [])).to.equal(recording);
  });

  it('draws an outline by hand, which ends a loss', () => {
    const corrected = correctPupils(recorded(), [{ action: 'outline', pupil: 0, timestamp: 80, ellipse }], {
      millimetresPerPixel: 0.1,
    });
    expect(cells(corrected, 'diameter')).to.deep.equal([20, 21, 22, null, null, null, 23, 24, 26, 25]);
    expect(cells(corrected, 'diameterMm').at(8)).to.equal(2.6);
    expect([cells(corrected, 'x')[8], cells(corrected, 'minor')[8], cells(corrected, 'angle_deg')[8]]).to.deep.equal([
      ...[30, 22, 90],
    ]);
    expect(cells(corrected, 'confidence')[8]).to.equal(1);
    expect(cells(corrected, 'corrected').join()).to.equal(',,,,,,,,outline,');
    expect(eventsOf(corrected)).to.deep.equal([['blink', 30, 60, true]]);
  });

  it('leaves a blink in which an outline was drawn', () => {
    const corrected = correctPupils(recorded(), [{ action: 'outline', pupil: 0, timestamp: 40, ellipse }]);
    expect(eventsOf(corrected)[0]).to.deep.equal(['blink', 30, 60, true]);
    expect(cells(corrected, 'event').slice(3, 6)).to.deep.equal(['blink', 'blink', 'blink']);
  });

  it('excludes a span: a loss without values', () => {
    const corrected = correctPupils(recorded(), [span('exclude', 0, 10)]);
    expect(cells(corrected, 'diameter').slice(0, 3)).to.deep.equal([null, null, 22]);
    expect(cells(corrected, 'found').slice(0, 3)).to.deep.equal([false, false, true]);
    expect(eventsOf(corrected)[0]).to.deep.equal(['loss', 0, 20, true]);
    expect(cells(corrected, 'corrected').join()).to.equal('exclude,exclude,,,,,,,,');
  });

  it('turns the rest of a blink that is partly excluded into a loss', () => {
    const corrected = correctPupils(recorded(), [span('exclude', 50, 70)]);
    expect(eventsOf(corrected)).to.deep.equal([
      ['loss', 30, 80, true],
      ['loss', 80, 90, true],
    ]);
    expect(cells(corrected, 'corrected').join()).to.equal(',,,exclude,exclude,exclude,exclude,exclude,,');
    expect(cells(corrected, 'blink')).to.not.include(true);
  });

  it('marks a blink over frames with and without a pupil', () => {
    const corrected = correctPupils(recorded(), [span('blink', 70, 80)]);
    expect(eventsOf(corrected)).to.deep.equal([
      ['blink', 30, 60, true],
      ['blink', 70, 90, true],
    ]);
    expect(cells(corrected, 'diameter')[7]).to.equal(24);
    expect(cells(corrected, 'blink').map(Number).join('')).to.equal('0001110110');
  });

  it('removes a blink, whose frames without a pupil become a loss', () => {
    const corrected = correctPupils(recorded(), [span('open', 40, 40)]);
    expect(eventsOf(corrected)).to.deep.equal([
      ['loss', 30, 60, true],
      ['loss', 80, 90, true],
    ]);
    expect(cells(corrected, 'blink')).to.not.include(true);
    const drawn = correctPupils(recorded(), [
      span('open', 30, 50),
      ...[30, 40, 50].map((timestamp) => ({ action: 'outline' as const, pupil: 0, timestamp, ellipse })),
    ]);
    expect(eventsOf(drawn)).to.deep.equal([['loss', 80, 90, true]]);
  });

  it('does not end an event at the end of the recording', () => {
    const corrected = correctPupils(recorded(), [span('blink', 80, 90)]);
    expect(eventsOf(corrected).at(-1)).to.deep.equal(['blink', 80, 90, false]);
    expect(cells(corrected, 'event').slice(8)).to.deep.equal(['blink', 'blink']);
  });

  it('keeps one event for each frame without a pupil, whatever the order', () => {
    const actions = ['exclude', 'blink', 'open'] as const;
    const corrections: PupilCorrection[] = [];
    for (let i = 0; i < 60; i++) {
      const from = 10 * ((i * 7) % 10);
      const to = Math.min(90, from + 10 * (i % 4));
      corrections.push(
        i % 4 ? span(actions[i % 3]!, from, to) : { action: 'outline', pupil: 0, timestamp: from, ellipse },
      );
      const corrected = correctPupils(recorded(), corrections);
      const events = cells(corrected, 'event');
      cells(corrected, 'found').forEach((found, row) => found || expect(events[row], `${i}, row ${row}`).to.be.ok);
      events.forEach((kind, row) => {
        expect(corrected.events.at(10 * row, 0)?.kind ?? null, `${i}, row ${row}`).to.equal(kind);
      });
      const all = corrected.events.all;
      all.forEach(({ onset }, k) => k && expect(onset).to.be.at.least(all[k - 1]!.offset));
    }
    expect(eventKinds).to.deep.equal(['blink', 'closure', 'loss']);
  });

  it('reaches the table, the JSON and the statistics', () => {
    const list = [span('exclude', 0, 10), span('open', 30, 50), span('blink', 70, 80)];
    const corrected = correctPupils(recorded(), list);
    const about = { ...header, corrections: list };
    const csv = toPupilCsv(corrected, about, { format: 'comments' }).trimEnd().split('\n');
    const names = csv.find((line) => line.startsWith('filename'))!.split(',');
    const rows = csv.filter((line) => !/^(#|filename)/.test(line)).map((line) => line.split(','));
    expect(rows.map((row) => row[names.indexOf('corrected')])).to.deep.equal(
      'exclude,exclude,,open,open,open,,blink,blink,'.split(','),
    );
    expect(csv).to.include('# blink: 70 90 eye unknown pupil 0');
    expect(csv.filter((line) => line.startsWith('# blink:'))).to.have.length(1);
    expect(csv.some((line) => line.startsWith('# corrections: [{"action":"exclude"'))).to.equal(true);
    const json = JSON.parse(toPupilJson(corrected, about)) as { rows: Record<string, unknown>[]; events: object[] };
    expect(json.rows.map((row) => row.corrected)).to.deep.equal(cells(corrected, 'corrected'));
    expect(json).to.have.deep.property('corrections', list);
    const series = pupilSeries(recordedPupils(corrected));
    expect(series.events).to.deep.equal(json.events);
    const input = [...recordedPupils(corrected)].map((one) => ({
      ...one,
      pupils: one.pupils.map((pupil) => ({ ...pupil, confidence: 1, blink: false })),
    }));
    const cleaned = cleanSeries(pupilSamples(input), {});
    expect(blinkStatistics(cleaned).durations).to.deep.equal([20]);
  });

  it('does not detect events again once all were removed', () => {
    const corrected = correctPupils(recorded([20, 20, NaN, 20, 20, 20, 20, 20, 20, 20]), [
      span('open', 30, 50),
      ...[20, 80].map((timestamp) => ({ action: 'outline' as const, pupil: 0, timestamp, ellipse })),
    ]);
    expect(eventsOf(corrected)).to.deep.equal([]);
    expect(pupilSeries(recordedPupils(corrected)).events).to.deep.equal([]);
  });

  it('refuses what is not a correction, and says why', () => {
    const refused = (given: unknown, text: RegExp) =>
      expect(() => checkPupilCorrections(given))
        .to.throw(FoveolaError, text)
        .with.property('code', 'invalid-argument');
    refused({}, /corrections must be a list/);
    refused([{ action: 'erase' }], /corrections\[0\]\.action must be 'outline' or 'exclude'/);
    refused([{ ...span('open', 3, 5), pupil: 0.5 }], /pupil must be 0 or 1/);
    refused([span('blink', 5, 3)], /corrections\[0\]\.to must be at least 5/);
    refused([{ action: 'outline', pupil: 0, timestamp: 1 }], /ellipse must be an object/);
    refused(
      [{ action: 'outline', pupil: 0, timestamp: 1, ellipse: { ...ellipse, minor: 30 } }],
      /minor must be 0.1 to 26/,
    );
  });
});
