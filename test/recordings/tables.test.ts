/** The tables of a recording: contents in each format, and the description next to them. */
import { expect } from 'chai';
import { Recording, pupilColumns, objectColumns, toCsv } from '../../src/index.ts';
import { faceColumns } from '../../src/faces/export-faces.ts';
import { exportText } from '../../src/recordings/export.ts';
import { toEventsCsv } from '../../src/recordings/events-table.ts';
import { describeColumns } from '../../src/results/dictionary.ts';
import { singleColumns, pairColumns } from '../../src/pupil/pupil-ext.ts';
import { strictRows } from '../support/strict-csv.ts';
import { header, pupils } from './made-recordings.ts';

const named = { ...header, source: { ...header.source, name: '=eye, #1; "left".webm' } };
const formats = ['plain', 'comments', 'excel', 'pupilext'] as const;

describe('tables of a recording', () => {
  const recording = pupils(200, { eyes: 2, millimetres: true });
  recording.events.settle({ kind: 'blink', onset: 100, offset: 220.5, final: true, pupil: 1, eye: 'unknown' });
  recording.mark('say "go", #2\n-1', 50);

  it('are strict CSV in every format, with equal values', () => {
    const plain = strictRows(exportText(recording, named, 'csv'));
    const comments = exportText(recording, named, 'csv', { format: 'comments' });
    const rest = comments.split('\n').filter((line) => !line.startsWith('# '));
    expect(strictRows(rest.join('\n'))).to.deep.equal(plain);
    const excel = exportText(recording, named, 'csv', { format: 'excel' });
    expect(excel.charCodeAt(0)).to.equal(0xfeff);
    const cells = strictRows(excel.slice(1), ';');
    const numbers = (text: string) => (/^-?\d+(,\d+)?$/.test(text) ? text.replace(',', '.') : text);
    expect(cells.map((row) => row.map(numbers))).to.deep.equal(plain);
    expect(cells.flat().filter((text) => /^\d+,\d+$/.test(text)).length).to.be.above(100);
    expect(plain[1]![0]).to.equal(`'${named.source.name}`);
    expect(plain.flat()).to.include('say "go", #2 -1');
  });

  it('have a description of exactly their columns', () => {
    for (const format of formats) {
      const names = strictRows(
        exportText(recording, header, 'csv', { format }).replace(/^(# .*\n)+|^\uFEFF/g, ''),
        format === 'excel' ? ';' : ',',
      )[0];
      const about = JSON.parse(exportText(recording, header, 'csv.json', { format })) as {
        columns: { name: string }[];
        events: object[];
        markers: object[];
      };
      expect(
        about.columns.map(({ name }) => name),
        format,
      ).to.deep.equal(names);
      expect(about).to.include({ format, version: header.version });
      expect(about.markers).to.deep.equal(recording.markers);
      expect(about.events).to.deep.equal(recording.events.all);
    }
  });

  it('explain every column, with its unit and its eye', () => {
    const all = [...pupilColumns, ...objectColumns, ...faceColumns(68)].map(({ name }) => name);
    const own = [...all, ...singleColumns, ...pairColumns, ...singleColumns.map((name) => `${name}_left`)];
    const bare = describeColumns(own).filter(({ name, description }) => description === `${name}.`);
    expect(bare).to.deep.equal([]);
    const one = (name: string) => describeColumns([name])[0];
    expect(one('diameter_px_right')).to.deep.equal({
      ...{ name: 'diameter_px_right', unit: 'px', description: 'Diameter of the pupil, right eye.' },
    });
    expect(one('centerB_x')).to.deep.equal({
      ...{
        name: 'centerB_x',
        unit: 'px',
        description: 'Center of the pupil, to the right, eye in the right half of the frame.',
      },
    });
    expect(one('physicalDiameterA_mm')).to.include({ unit: 'mm' });
    expect(one('angle_deg')).to.include({ unit: 'deg' });
    expect(one('event_pupil0')).to.deep.include({ values: ['blink', 'closure', 'loss'] });
  });

  it('list events by their onset, with markers and saccades', () => {
    const saccade = { start: 60, end: 92.5, amplitude: 4.25 } as never;
    const csv = toEventsCsv({ markers: recording.markers, events: recording.events.all, saccades: [saccade] }, header);
    expect(strictRows(csv)).to.deep.equal([
      ['kind', 'onset_ms', 'offset_ms', 'duration_ms', 'eye', 'pupil', 'final', 'label', 'amplitude'],
      ['marker', '50', '50', '0', '', '', '1', 'say "go", #2 -1', ''],
      ['saccade', '60', '92.5', '32.5', '', '', '1', '', '4.25'],
      ['blink', '100', '220.5', '120.5', 'unknown', '1', '1', '', ''],
    ]);
    expect(toEventsCsv({ events: recording.events.all }, header, { format: 'excel' })).to.contain(
      'blink;100;220,5;120,5',
    );
  });

  it('refuse the columns of PupilEXT for other recordings', () => {
    expect(() => toCsv(new Recording(objectColumns), header, { format: 'pupilext' })).to.throw(
      "'plain' or 'comments' or 'excel'",
    );
  });
});
