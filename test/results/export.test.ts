import { expect } from 'chai';
import { toCsv, toJson } from '../../src/results/export.ts';
import { pupilColumns, pupilRows, type FrameTiming } from '../../src/results/export-pupil.ts';
import { notice, Recording, type RecordingHeader } from '../../src/results/recording.ts';
import type { Pupil, PupilResult } from '../../src/results/types.ts';

const header: RecordingHeader = {
  software: 'foveola',
  version: '0.1.0',
  notice,
  started: '2026-01-31T12:00:00.000Z',
  source: { name: 'a, "b".webm', kind: 'video', sha256: 'ab'.repeat(32), width: 640, height: 480 },
  parameters: { fit: 'ellipse' },
  backend: 'wasm',
  renderer: null,
  threads: 1,
  clock: 'media: milliseconds into the recording',
  frames: 2,
  dropped: 1,
};

const found: Pupil = {
  eye: 'unknown',
  found: true,
  confidence: 0.91234,
  outlineConfidence: 0.8,
  x: 320.12345,
  y: 240,
  diameter: 80,
  diameterMm: 4,
  ellipse: { x: 320.12345, y: 240, major: 80, minor: 70, angle: 0.5 },
  circle: { x: 320, y: 240, r: 40 },
  blink: false,
  votes: 18,
  points: 20,
};
const nothing: Pupil = {
  ...found,
  found: false,
  confidence: 0.1,
  x: NaN,
  y: NaN,
  diameter: NaN,
  diameterMm: null,
  ellipse: null,
  blink: true,
};
const result = (...pupils: Pupil[]): PupilResult => ({
  timestamp: 0,
  width: 640,
  height: 480,
  pupils,
  events: [],
  dropped: 0,
  backend: 'wasm',
});
const timing = (frame: number, timestamp: number, more: Partial<FrameTiming> = {}): FrameTiming => ({
  frame,
  timestamp,
  clock: 'media',
  mediaTime: timestamp,
  dropped: 0,
  throttled: 0,
  ...more,
});

function sample(): Recording {
  const recording = new Recording(pupilColumns, 1);
  for (const row of pupilRows(result(found), timing(0, 0))) recording.push(row);
  for (const row of pupilRows(result(nothing), timing(2, 33.3333, { dropped: 1 }))) recording.push(row);
  return recording;
}

const rowsOf = (csv: string) => {
  const lines = csv.trimEnd().split('\n');
  const table = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(','));
  return table.slice(1).map((fields) => Object.fromEntries(table[0]!.map((name, i) => [name, fields[i]])));
};

describe('export of a recording', () => {
  it('writes a CSV with its header, one row a frame', () => {
    const plain = toCsv(sample(), header);
    const csv = toCsv(sample(), header, { format: 'comments' });
    expect(plain).to.match(/^frame,timestamp,/);
    expect(csv.endsWith(`\n${plain}`)).to.equal(true);
    expect(csv).to.match(/^# foveola 0\.1\.0\n# For research use, not a medical device\.\n/);
    expect(csv).to.include(`# sha256: ${'ab'.repeat(32)}`);
    expect(csv).to.include('# source: a, "b".webm (video, 640 x 480)');
    expect(csv).to.include('# parameters: {"fit":"ellipse"}');
    const [first, second] = rowsOf(csv);
    expect(first).to.include({ frame: '0', clock: 'media', found: '1', x: '320.123', diameter: '80', diameterMm: '4' });
    expect(first).to.include({ major: '80', minor: '70', angle_deg: '118.648', confidence: '0.9123' });
    expect(second).to.include({ frame: '2', timestamp: '33.333', found: '0', blink: '1', dropped: '1' });
  });

  it('says which side computed each frame', () => {
    const recording = new Recording(pupilColumns);
    for (const [i, backend] of (['wasm', 'gpu', 'both'] as const).entries())
      for (const row of pupilRows({ ...result(found), backend }, timing(i, i))) recording.push(row);
    expect(rowsOf(toCsv(recording, header)).map(({ backend }) => backend)).to.deep.equal(['wasm', 'gpu', 'both']);
  });

  it('leaves empty what is not known, and writes no NaN', () => {
    const csv = toCsv(sample(), header);
    expect(csv).to.not.match(/NaN|Infinity|null|undefined/);
    expect(rowsOf(csv)[1]).to.include({ x: '', y: '', diameter: '', diameterMm: '', major: '', angle_deg: '' });
  });

  it('writes JSON that parses, with null for what is not known', () => {
    const json = JSON.parse(toJson(sample(), header));
    expect(json).to.include({ software: 'foveola', version: '0.1.0', notice, backend: 'wasm', dropped: 1 });
    expect(json.source.sha256).to.equal('ab'.repeat(32));
    expect(json.units.diameterMm).to.equal('mm');
    expect(json.rows).to.have.length(2);
    expect(json.rows[0]).to.include({ found: true, clock: 'media', x: 320.123 });
    expect(json.rows[1]).to.include({ found: false, x: null, diameter: null, diameterMm: null, blink: true });
  });

  it('writes an empty recording', () => {
    const empty = new Recording(pupilColumns);
    expect(rowsOf(toCsv(empty, header))).to.deep.equal([]);
    expect(JSON.parse(toJson(empty, header)).rows).to.deep.equal([]);
  });

  it('puts markers at the first row from their time on, and their exact time in the header', () => {
    const recording = sample();
    recording.mark('flash, left', 10);
    recording.mark('late', 5000);
    recording.mark('at once', 0);
    const csv = toCsv(recording, header, { format: 'comments' });
    expect(csv).to.include('# marker: 10 flash, left\n# marker: 5000 late\n# marker: 0 at once\n');
    const lines = csv.trimEnd().split('\n').slice(-2);
    expect(lines[0]).to.match(/,at once$/);
    expect(lines[1]).to.match(/,"flash, left; late"$/);
    expect(JSON.parse(toJson(recording, header)).markers[0]).to.deep.equal({ label: 'flash, left', timestamp: 10 });
  });

  it('keeps a marker with quotes, line breaks and number signs in one field', () => {
    const recording = sample();
    recording.mark('say "go"\n#2', 0);
    expect(toCsv(recording, header)).to.include(',"say ""go"" #2"\n');
  });

  it('writes a label that begins like a formula as text', () => {
    for (const label of ['=1+1', '+1', '-1', '@sum', '\tx']) {
      const recording = sample();
      recording.mark(label, 0);
      expect(toCsv(recording, header)).to.match(/,"?'[=+\-@\t][^\n]*\n/);
    }
    const plain = sample();
    plain.mark('1-2', 0);
    expect(toCsv(plain, header)).to.include(',1-2\n');
  });

  it('has no cell of others that begins like a formula, also where a spreadsheet parts the lines of its head', () => {
    const recording = sample();
    recording.mark('go,=1+1;@sum', 0);
    const source = { ...header.source, name: 'a,=cmd|b;+1\t-2.webm' };
    const parameters = { names: ['x', '=2+2', 'y'], shift: [1, -2] };
    const csv = toCsv(recording, { ...header, source, parameters }, { format: 'comments' });
    const cells = csv.split('\n').flatMap((line) => line.split(/[,;\t]/).map((cell) => cell.replace(/^\s*"?/, '')));
    expect(cells.filter((cell) => /^[=+@]/.test(cell))).to.deep.equal([]);
    expect(csv).to.include('"shift":[1,-2]'); // numbers stay
    expect(csv).to.include("# marker: 0 go,'=1+1;'@sum\n");
  });

  it('gives two rows a frame for two eyes', () => {
    const rows = pupilRows(result(found, nothing), timing(0, 0));
    const eye = pupilColumns.findIndex((column) => column.name === 'pupil');
    expect(rows.map((row) => row[eye])).to.deep.equal([0, 1]);
  });

  it('grows', () => {
    const recording = new Recording([{ name: 'timestamp', type: 'number' }], 1);
    for (let i = 0; i < 5000; i++) recording.push([i]);
    expect(recording.length).to.equal(5000);
    expect([0, 1, 2500, 4999].map((row) => recording.cell(row, 0))).to.deep.equal([0, 1, 2500, 4999]);
  });
});
