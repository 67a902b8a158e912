import { expect } from 'chai';
import { bidsBytes, toBids, type BidsInput } from '../../src/reports/bids.ts';
import { FoveolaError } from '../../src/runtime/error.ts';
import { series } from '../support/report-samples.ts';

const input = (): BidsInput => ({
  name: 'sub-01_task-light',
  recordedEye: 'left',
  timestamp: [0, 10.5, 20],
  x: [1, NaN, 3.12345],
  y: [4, NaN, 6],
  coordinateSystem: 'eye-in-head',
  coordinateUnit: 'pixel',
  pupil: [5, NaN, 5.55555],
  pupilUnit: 'mm',
  blinks: [{ onset: 10.5, offset: 20 }],
  parameters: { method: 'robust' },
});

describe('toBids', () => {
  it('has the columns that the sidecar names, without a header, n/a for what is not known', () => {
    const [table, sidecar] = toBids(input());
    expect(table).to.deep.equal({
      name: 'sub-01_task-light_recording-eye1_physio.tsv.gz',
      text: '0\t1\t4\t5\n10.5\tn/a\tn/a\tn/a\n20\t3.123\t6\t5.5556\n',
    });
    expect(sidecar!.name).to.equal('sub-01_task-light_recording-eye1_physio.json');
    const json = JSON.parse(sidecar!.text) as Record<string, unknown>;
    expect(json).to.deep.include({
      Columns: ['timestamp', 'x_coordinate', 'y_coordinate', 'pupil_size'],
      SamplingFrequency: 100,
      StartTime: 0,
      PhysioType: 'eyetrack',
      RecordedEye: 'left',
      SampleCoordinateSystem: 'eye-in-head',
      RawDataFilters: 'method robust',
    });
    expect(json.SoftwareVersions).to.match(/research use/);
    for (const column of json.Columns as string[]) expect(json[column], column).to.have.property('Description');
    expect((json.pupil_size as { Units: string }).Units).to.equal('mm');
  });

  it('lists blinks as events', () => {
    const [, , events, sidecar] = toBids(input());
    expect(events).to.deep.equal({
      name: 'sub-01_task-light_recording-eye1_physioevents.tsv.gz',
      text: '10.5\t0.0095\tblink\tn/a\t1\n',
    });
    expect(JSON.parse(sidecar!.text)).to.deep.include({
      Columns: ['onset', 'duration', 'trial_type', 'message', 'blink'],
    });
  });

  it('takes a series alone: the required columns are there and not known', () => {
    const { timestamp, diameter, rate } = series();
    const files = toBids({
      name: 'sub-01_task-rest',
      recordedEye: 'right',
      timestamp,
      pupil: diameter,
      pupilUnit: 'px',
      rate,
    });
    expect(files.length).to.equal(2);
    const rows = files[0]!.text.trimEnd().split('\n');
    expect(rows.length).to.equal(timestamp.length);
    expect(rows[0]).to.equal('0\tn/a\tn/a\t6');
    expect(files[1]!.text).to.contain('"SamplingFrequency": 40').and.contain('"Units": "pixel"');
  });

  it('compresses what is named so', async () => {
    const [table, sidecar] = toBids(input());
    const bytes = await bidsBytes(table!);
    expect([...bytes.subarray(0, 2)]).to.deep.equal([0x1f, 0x8b]);
    const back = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    expect(await new Response(back).text()).to.equal(table!.text);
    expect(new TextDecoder().decode(await bidsBytes(sidecar!))).to.equal(sidecar!.text);
  });

  const cases: [string, Partial<Record<keyof BidsInput, unknown>>, RegExp][] = [
    ['a name that BIDS has not', { name: 'Jane Doe' }, /name must have the form 'sub-01_task-light'/],
    ['a name without a task', { name: 'sub-01' }, /name must have the form 'sub-01_task-light'/],
    ['gaze on a screen of unknown size', { coordinateSystem: 'gaze-on-screen' }, /screen is missing/],
    ['both eyes as one', { recordedEye: 'both' }, /recordedEye must be 'left' or 'right' or 'cyclopean'/],
    ['one coordinate', { y: undefined }, /y is missing\. Pass both coordinates or none/],
    ['lists of two lengths', { pupil: [1] }, /pupil must have 3 samples, like timestamp, not 1/],
    ['times that go back', { timestamp: [0, 5, 3] }, /timestamp\[2\] must be at least 5/],
    ['a pupil without a unit', { pupilUnit: undefined }, /pupilUnit must be 'px' or 'mm'/],
    [
      'no samples',
      { timestamp: [], x: undefined, y: undefined, pupil: undefined },
      /timestamp must have at least one sample/,
    ],
    ['one time for all', { timestamp: [1, 1, 1] }, /rate is missing/],
  ];
  for (const [what, change, expected] of cases)
    it(`refuses ${what}`, () => {
      expect(() => toBids({ ...input(), ...change } as BidsInput))
        .to.throw(FoveolaError, expected)
        .with.property('code', 'invalid-argument');
    });
});
