// What toBids gives, against the rules of the BIDS schema 1.11.2 (bids-standard/bids-schema, versions/1.11.2/schema.json):
// rules.sidecars.continuous, rules.sidecars.entity_rules, rules.tabular_data.physio and .events,
// rules.files.raw.task.timeseries, rules.checks.eyetrack, objects.metadata. Only the rules for these files are here.
import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';

const { bidsBytes, toBids } = await importTs('src/reports/index.ts');
const samples = await importTs('test/support/report-samples.ts');

const text = (value) => typeof value === 'string' && value !== '';
const number = (value) => typeof value === 'number' && Number.isFinite(value);
const oneOf =
  (...accepted) =>
  (value) =>
    accepted.includes(value);
const listOf = (item) => (value) => Array.isArray(value) && value.every(item);
const pair = (item) => (value) => listOf(item)(value) && value.length === 2;
const screen = {
  ScreenDistance: number,
  ScreenOrigin: pair(oneOf('top', 'bottom', 'left', 'right', 'center')),
  ScreenRefreshRate: number,
  ScreenResolution: pair(Number.isInteger),
  ScreenSize: pair(number),
  ...{ SoftwareName: text, SoftwareVersion: text, SoftwareRRID: text, OperatingSystem: text, Code: text },
};
/** Types of the fields (objects.metadata). */
const types = {
  ...{ TaskName: text, Columns: listOf(text), Description: text, OnsetSource: text },
  ...{ SamplingFrequency: number, StartTime: number, PhysioType: oneOf('generic', 'eyetrack') },
  ...{ DeviceSerialNumber: text, Manufacturer: text, ManufacturersModelName: text, SoftwareVersions: text },
  RecordedEye: oneOf('left', 'right', 'cyclopean'),
  SampleCoordinateSystem: oneOf('gaze-on-screen', 'eye-in-head', 'gaze-in-world', 'custom'),
  ...{ AverageCalibrationError: number, CalibrationCount: Number.isInteger, CalibrationType: text },
  ...{ CalibrationUnit: text, EyeTrackerDistance: number, EyeTrackingMethod: text, MaximalCalibrationError: number },
  ...{ CalibrationPosition: Array.isArray, PupilFitMethod: text, RawDataFilters: text },
  StimulusPresentation: (value) => Object.entries(value).every(([name, one]) => screen[name]?.(one)),
};
const hardware = ['DeviceSerialNumber', 'Manufacturer', 'ManufacturersModelName', 'SoftwareVersions'];
const calibration = ['AverageCalibrationError', 'CalibrationCount', 'CalibrationPosition', 'CalibrationType'];
const tracking = ['CalibrationUnit', 'EyeTrackerDistance', 'EyeTrackingMethod', 'MaximalCalibrationError'];
const rules = {
  physio: {
    required: ['SamplingFrequency', 'StartTime', 'Columns', 'PhysioType', 'RecordedEye', 'SampleCoordinateSystem'],
    optional: ['TaskName', ...hardware, ...calibration, ...tracking, 'PupilFitMethod', 'RawDataFilters'],
    initial: ['timestamp', 'x_coordinate', 'y_coordinate'],
    columns: ['timestamp', 'x_coordinate', 'y_coordinate', 'pupil_size'],
  },
  physioevents: {
    required: ['Columns', 'OnsetSource'],
    optional: ['TaskName', 'Description'],
    initial: ['onset'],
    // `blink` is of the examples of the specification; additional columns are allowed where the sidecar defines them.
    columns: ['onset', 'duration', 'trial_type', 'message', 'blink'],
  },
  events: {
    required: [],
    optional: ['TaskName', 'StimulusPresentation'],
    initial: ['onset', 'duration'],
    columns: ['onset', 'duration', 'trial_type', 'message'],
  },
};
const ofColumn = {
  Description: text,
  Units: text,
  Levels: (value) => Object.values(value).every(text),
  LongName: text,
};
const fileName =
  /^sub-[A-Za-z0-9]+(_ses-[A-Za-z0-9]+)?_task-[A-Za-z0-9]+(_acq-[A-Za-z0-9]+)?(_run-\d+)?(_recording-[A-Za-z0-9]+)?_(physio|physioevents|events)\.(tsv\.gz|tsv|json)$/;
const numeric = { onset: /^-?[\d.]+$/, duration: /^([\d.]+|n\/a)$/, timestamp: /^-?[\d.]+$/ };

/** Every fault that a validator of these rules would report. */
async function faultsOf(files) {
  const faults = [];
  for (const { name } of files) if (!fileName.test(name)) faults.push(`name ${name}`);
  for (const { name, text: given } of files.filter((file) => file.name.endsWith('.json'))) {
    const [, suffix] = /_([a-z]+)\.json$/.exec(name);
    const { required, optional, initial, columns: known } = rules[suffix];
    const sidecar = JSON.parse(given);
    const table = files.find((file) => file.name.startsWith(name.replace(/json$/, 'tsv')));
    const bytes = Buffer.from(await bidsBytes(table));
    const rows = (table.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trimEnd().split('\n');
    const columns = sidecar.Columns ?? rows.shift().split('\t');
    for (const field of required) if (!(field in sidecar)) faults.push(`${name}: ${field} is missing`);
    for (const [field, value] of Object.entries(sidecar))
      if (columns.includes(field)) {
        for (const [part, one] of Object.entries(value))
          if (!ofColumn[part]?.(one)) faults.push(`${name}: ${field}.${part}`);
      } else if (![...required, ...optional].includes(field)) faults.push(`${name}: ${field} is no field`);
      else if (!types[field](value)) faults.push(`${name}: ${field} has a wrong value`);
    if (initial.some((column, i) => columns[i] !== column)) faults.push(`${name}: columns ${columns}`);
    for (const column of columns) if (!known.includes(column)) faults.push(`${name}: column ${column}`);
    if (sidecar.Columns) for (const column of columns) if (!(column in sidecar)) faults.push(`${name}: no ${column}`);
    for (const row of rows.filter(Boolean)) {
      const cells = row.split('\t');
      if (cells.length !== columns.length) faults.push(`${name}: row ${row}`);
      columns.forEach((column, i) => {
        if (!(numeric[column] ?? /./).test(cells[i])) faults.push(`${name}: ${column} ${cells[i]}`);
        const { Levels } = sidecar[column] ?? {};
        if (Levels && cells[i] !== 'n/a' && !(cells[i] in Levels)) faults.push(`${name}: ${column} ${cells[i]}`);
      });
    }
    if (suffix === 'physioevents') {
      const physio = JSON.parse(files.find((file) => file.name.endsWith('_physio.json')).text);
      if (!physio.Columns.includes(sidecar.OnsetSource)) faults.push('MISSING_ONSET_COLUMN');
    }
    if (suffix === 'physio') {
      const screenOf = JSON.parse(files.find((file) => /_events\.json$/.test(file.name))?.text ?? '{}');
      const { ScreenDistance, ScreenOrigin, ScreenResolution, ScreenSize } = screenOf.StimulusPresentation ?? {};
      if (sidecar.SampleCoordinateSystem === 'gaze-on-screen')
        if (!ScreenDistance || !ScreenOrigin || !ScreenResolution || !ScreenSize)
          faults.push('INCOMPLETE_STIMULUS_PRESENTATION');
      if (sidecar.pupil_size && !/area|diameter/i.test(sidecar.pupil_size.Description))
        faults.push('UNKNOWN_PUPIL_SIZE');
    }
  }
  return faults;
}

const { timestamp, diameter, rate } = samples.series();
const base = {
  name: 'sub-01_ses-2_task-light_run-1',
  recordedEye: 'left',
  timestamp,
  pupil: diameter,
  pupilUnit: 'mm',
};
const events = [
  { kind: 'blink', onset: 4000, offset: 4200, final: true },
  { kind: 'closure', onset: 5000, offset: 5900, final: true },
  { kind: 'loss', onset: 100, offset: 200, final: true },
];
const steps = [
  { path: 'steps[0]', type: 'flash', eye: 'left', round: 1, label: 'red\tone', onset: 1000, offset: 2000 },
  { path: 'steps[1]', type: 'ask', eye: null, round: 1, label: null, onset: 3000, offset: null },
];
const gaze = { x: diameter.map(() => 3), y: diameter.map(() => 4), coordinateUnit: 'pixel' };
const display = { width: 1920, height: 1080, millimetresPerPixel: 0.25, distance: 600, refreshRate: 60 };
const cases = {
  'a series': { ...base },
  'a series in pixels of the right eye': { ...base, recordedEye: 'right', pupilUnit: 'px', rate },
  'both eyes combined': { ...base, recordedEye: 'cyclopean', camera: 'EC-1', startTime: -2.5 },
  'all events': { ...base, events, steps, markers: [{ label: 'go', timestamp: 900 }] },
  'only blinks': { ...base, blinks: [{ onset: 10, offset: 90 }] },
  'the place of the pupil': {
    ...base,
    ...gaze,
    coordinateSystem: 'eye-in-head',
    parameters: { fit: 'ellipse', a: [1] },
  },
  'gaze on a screen': { ...base, ...gaze, coordinateSystem: 'gaze-on-screen', screen: display, steps },
};

describe('files of toBids follow the schema of BIDS 1.11', () => {
  for (const [what, input] of Object.entries(cases))
    it(what, async () => assert.deepEqual(await faultsOf(toBids(input)), []));

  it('would hear of a fault', async () => {
    const files = toBids(cases['gaze on a screen']);
    const changed = (change) =>
      files.map((file) => ({
        ...file,
        ...(file.name.endsWith('_physio.json') && { text: JSON.stringify(change(JSON.parse(file.text))) }),
      }));
    assert.deepEqual(await faultsOf(changed((json) => ({ ...json, Notice: 'x' }))), [
      'sub-01_ses-2_task-light_run-1_recording-eye1_physio.json: Notice is no field',
    ]);
    assert.equal((await faultsOf(changed((json) => ({ ...json, RecordedEye: undefined })))).length, 1);
    const alone = files.filter(({ name }) => !name.includes('_events.'));
    assert.deepEqual(await faultsOf(alone), ['INCOMPLETE_STIMULUS_PRESENTATION']);
  });

  it('names eyes and events, on the clock of the samples and in seconds of the task', () => {
    const files = toBids({ ...cases['all events'], startTime: 10 });
    const of = (end) => files.find(({ name }) => name.endsWith(end)).text;
    assert.deepEqual(
      files.map(({ name }) => name.replace(base.name, '')),
      [
        ...['_recording-eye1_physio.tsv.gz', '_recording-eye1_physio.json'],
        ...['_recording-eye1_physioevents.tsv.gz', '_recording-eye1_physioevents.json'],
        ...['_events.tsv', '_events.json'],
      ],
    );
    assert.equal(
      of('physioevents.tsv.gz'),
      [
        ['100', '0.1', 'loss', 'n/a', 'n/a'],
        ['900', '0', 'n/a', 'go', 'n/a'],
        ['1000', '1', 'flash', 'red one, light in the left eye', 'n/a'],
        ['3000', 'n/a', 'ask', 'n/a', 'n/a'],
        ['4000', '0.2', 'blink', 'n/a', '1'],
        ['5000', '0.9', 'closure', 'n/a', '1'],
      ]
        .map((row) => `${row.join('\t')}\n`)
        .join(''),
    );
    assert.match(of('_events.tsv'), /^onset\tduration\ttrial_type\tmessage\n10\.9\t0\tn\/a\tgo\n11\t1\tflash\t/);
    const { StimulusPresentation } = JSON.parse(
      toBids(cases['gaze on a screen']).find(({ name }) => name.endsWith('_events.json')).text,
    );
    assert.deepEqual(StimulusPresentation.ScreenSize, [0.48, 0.27]);
    assert.equal(StimulusPresentation.ScreenDistance, 0.6);
    const { RecordedEye, SamplingFrequency } = JSON.parse(of('_physio.json'));
    assert.deepEqual([RecordedEye, SamplingFrequency], ['left', 40]);
  });
});
