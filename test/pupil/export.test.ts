import { expect } from 'chai';
import { recordedPupils, toPupilCsv, toPupilJson } from '../../src/pupil/export.ts';
import { pupilColumns, pupilRows } from '../../src/results/export-pupil.ts';
import { notice, Recording, type RecordingHeader } from '../../src/results/recording.ts';
import type { Laterality, Pupil } from '../../src/results/types.ts';
import { FoveolaError } from '../../src/runtime/error.ts';

const header: RecordingHeader = {
  software: 'foveola',
  version: '0.1.0',
  notice,
  started: '2026-01-31T12:00:00.000Z',
  source: { name: 'a, b.webm', kind: 'video', sha256: 'ab'.repeat(32), width: 640, height: 480 },
  parameters: { method: 'starburst', fit: 'ellipse' },
  changes: [{ timestamp: 20, parameters: { fit: 'circle' } }],
  backend: 'wasm',
  renderer: null,
  threads: 1,
  capabilities: {
    backend: 'wasm',
    gpu: null,
    softwareGpu: false,
    threads: 1,
    simd: true,
    crossOriginIsolated: false,
    worker: true,
    backends: {},
    reasons: ['no graphics hardware'],
  },
  clock: 'media',
  frames: 13,
  dropped: 0,
};

const found: Pupil = {
  eye: 'unknown',
  found: true,
  confidence: 0.91234,
  outlineConfidence: 0.8,
  x: 320.5,
  y: 240,
  diameter: 80,
  diameterMm: 4,
  ellipse: { x: 320.5, y: 240, major: 80, minor: 60, angle: Math.PI / 6 },
  circle: { x: 320, y: 240, r: 40 },
  blink: false,
  votes: 18,
  points: 20,
};
const nothing: Pupil = {
  ...found,
  ...{
    found: false,
    confidence: 0.1,
    outlineConfidence: 0,
    x: NaN,
    y: NaN,
    diameter: NaN,
    diameterMm: null,
    ellipse: null,
  },
};

/** A blink of one eye in the middle. */
function record(...eyes: ((frame: number) => Pupil)[]): Recording {
  const recording = new Recording(pupilColumns);
  for (let frame = 0; frame < 13; frame++) {
    const timing = {
      frame,
      timestamp: 20 * frame,
      clock: 'media',
      mediaTime: 20 * frame,
      dropped: 0,
      throttled: 0,
    } as const;
    const result = {
      timestamp: 20 * frame,
      width: 640,
      height: 480,
      pupils: eyes.map((eye) => eye(frame)),
      events: [],
      dropped: 0,
      backend: 'wasm' as const,
    };
    for (const row of pupilRows(result, timing)) recording.push(row);
  }
  return recording;
}
const blinking = (frame: number) => (frame >= 6 && frame < 10 ? nothing : found);
const table = (csv: string) => {
  const lines = csv
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const names = lines[0]!.split(',');
  return lines.slice(1).map((line) => {
    const fields = line.replace('"a, b.webm"', 'a b').split(',');
    expect(fields.length).to.equal(names.length);
    return Object.fromEntries(names.map((name, i) => [name, fields[i]!]));
  });
};
const pupilExt =
  'filename,timestamp_ms,algorithm,diameter_px,undistortedDiameter_px,physicalDiameter_mm,width_px,height_px,axisRatio,' +
  'center_x,center_y,angle_deg,circumference_px,confidence,outlineConfidence';

describe('export for users of PupilEXT', () => {
  it('has their columns first, one row a frame', () => {
    const csv = toPupilCsv(record(blinking), header);
    const heading = csv.split('\n').find((line) => line.startsWith('filename'))!;
    expect(heading.startsWith(`${pupilExt},`)).to.equal(true);
    const rows = table(csv);
    expect(rows).to.have.length(13);
    expect(rows[0]).to.include({
      timestamp_ms: '0',
      algorithm: 'starburst',
      diameter_px: '80',
      physicalDiameter_mm: '4',
      width_px: '60',
      height_px: '80',
      axisRatio: '0.75',
      center_x: '320.5',
      center_y: '240',
      angle_deg: '120',
      confidence: '0.9123',
      outlineConfidence: '0.8',
      frame: '0',
      clock: 'media',
      found: '1',
      blink: '0',
      event: '',
    });
    // The perimeter of an ellipse with semi-axes 40 and 30, by quadrature.
    const steps = 100_000;
    let perimeter = 0;
    for (let i = 0; i < steps; i++) {
      const t = (2 * Math.PI * (i + 0.5)) / steps;
      perimeter += (Math.hypot(40 * Math.sin(t), 30 * Math.cos(t)) * 2 * Math.PI) / steps;
    }
    expect(Number(rows[0]!.circumference_px)).to.be.closeTo(perimeter, 0.001);
    expect(rows[7]).to.include({
      diameter_px: '',
      center_x: '',
      found: '0',
      blink: '1',
      event: 'blink',
      confidence: '0.1',
    });
    const comments = toPupilCsv(record(blinking), header, { format: 'comments' });
    expect(comments)
      .to.include('# blink: 120 200 eye unknown pupil 0\n')
      .and.include('# changed at 20: {"fit":"circle"}');
    expect(comments.endsWith(csv)).to.equal(true);
    expect(csv).to.not.match(/NaN|undefined|null(?!,"softwareGpu)/);
  });

  it('has lids and iris where a second opinion was asked for', () => {
    const seen = (frame: number) => ({
      ...blinking(frame),
      ...(frame !== 3 && { coveredByLids: 0.25, irisDiameter: 120.5 }),
    });
    const asked = { ...header, parameters: { ...header.parameters, secondOpinion: 'unsure' } };
    const rows = table(toPupilCsv(record(seen), asked));
    expect(rows[2]).to.include({ covered_by_lids: '0.25', iris_px: '120.5' });
    expect(rows[3]).to.include({ covered_by_lids: '', iris_px: '' });
    expect(Object.keys(table(toPupilCsv(record(seen), header))[0]!)).to.not.include('iris_px');
  });

  it('has the brightest glint of each eye where glints were looked for', () => {
    const glinting = (frame: number) => ({
      ...blinking(frame),
      glints: frame === 3 ? [] : [{ x: 312.25 + frame, y: 231.5, area: 30 }],
    });
    const asked = { ...header, parameters: { ...header.parameters, glints: 2 } };
    const rows = table(toPupilCsv(record(glinting, blinking), asked));
    expect(rows[2]).to.include({ glint_x_pupil0: '314.25', glint_y_pupil0: '231.5', glint_x_pupil1: '' });
    expect(rows[3]).to.include({ glint_x_pupil0: '', glint_y_pupil0: '' });
    expect(Object.keys(table(toPupilCsv(record(glinting), header))[0]!)).to.not.include('glint_x');
    // Asked for while it ran.
    const later = { ...header, changes: [{ timestamp: 40, parameters: { glints: 1 } }] };
    expect(table(toPupilCsv(record(glinting), later))[2]).to.include({ glint_x: '314.25' });
  });

  it('is the table alone on request', () => {
    const csv = toPupilCsv(record(blinking), header, { format: 'pupilext' });
    expect(csv.split('\n')[0]).to.equal(pupilExt);
    expect(csv.split('\n')[1]!.split(',')).to.have.length(16); // a comma within the file's name
    expect(toPupilCsv(record(blinking), header).split('\n')[0]!.startsWith(`${pupilExt},frame,`)).to.equal(true);
  });

  it('has in their format their ellipse too: the width is the minor axis, the angle that of the width', () => {
    const rows = table(toPupilCsv(record(blinking), header, { format: 'pupilext' }));
    expect(rows[0]).to.include({
      diameter_px: '80',
      undistortedDiameter_px: '',
      physicalDiameter_mm: '4',
      width_px: '60',
      height_px: '80',
      axisRatio: '0.75',
      angle_deg: '120',
    });
    expect(rows[7]).to.include({ timestamp_ms: '140', diameter_px: '', confidence: '0.1' });
  });

  it('has in their format the columns of two pupils in one image', () => {
    const right = (frame: number) => ({ ...blinking(frame), x: 100, confidence: 0.5 });
    const csv = toPupilCsv(
      record(() => found, right),
      header,
      { format: 'pupilext' },
    );
    expect(csv.split('\n')[0]).to.equal(
      'filename,timestamp_ms,algorithm,diameterA_px,diameterB_px,undistortedDiameterA_px,undistortedDiameterB_px,' +
        'physicalDiameterA_mm,physicalDiameterB_mm,widthA_px,heightA_px,axisRatioA,widthB_px,heightB_px,axisRatioB,' +
        'centerA_x,centerA_y,centerB_x,centerB_y,angleA_deg,angleB_deg,circumferenceA_px,circumferenceB_px,confidenceA,' +
        'outlineConfidenceA,confidenceB,outlineConfidenceB',
    );
    const rows = table(csv);
    expect(rows[0]).to.include({ centerA_x: '320.5', centerB_x: '100', confidenceA: '0.9123', confidenceB: '0.5' });
    expect(rows[0]).to.include({ widthA_px: '60', heightB_px: '80', physicalDiameterB_mm: '4', angleB_deg: '120' });
    expect(rows[7]).to.include({ diameterA_px: '80', diameterB_px: '' });
  });

  it('refuses a format that there is not', () => {
    const wrong = { format: 'foveola' } as unknown as { format: 'plain' };
    expect(() => toPupilCsv(record(blinking), header, wrong)).to.throw(FoveolaError, "'excel' or 'pupilext'");
  });

  it('doubles for two eyes, named by the eyes of the person, else by their place', () => {
    const as = (eye: Laterality, pupil: (frame: number) => Pupil) => (frame: number) => ({ ...pupil(frame), eye });
    const second = () => ({ ...found, x: 100 });
    const two = (first: Laterality, other: Laterality) =>
      table(toPupilCsv(record(as(first, blinking), as(other, second)), header));
    const facing = two('right', 'left');
    expect(facing).to.have.length(13);
    expect(facing[7]).to.include({
      diameter_px_right: '',
      diameter_px_left: '80',
      center_x_left: '100',
      blink_right: '1',
      blink_left: '0',
    });
    expect(facing[7]).to.include({ eye_right: 'right', eye_left: 'left' });
    expect(two('left', 'right')[7]).to.include({ diameter_px_left: '', center_x_right: '100' });
    const unknown = two('unknown', 'unknown');
    expect(unknown[7]).to.include({
      diameter_px_pupil0: '',
      center_x_pupil1: '100',
      eye_pupil0: 'unknown',
      eye_pupil1: 'unknown',
    });
    expect(Object.keys(unknown[0]!).filter((name) => /left|right/.test(name))).to.deep.equal([]);
    // Two that would have one name, and a view that was set while it ran.
    expect(two('left', 'left')[0]).to.have.property('diameter_px_pupil0');
    const late = (frame: number): Pupil => ({ ...found, eye: frame < 5 ? 'unknown' : 'right' });
    expect(table(toPupilCsv(record(late, second), header))[7]).to.include({
      eye_pupil0: 'right',
      eye_pupil1: 'unknown',
    });
    expect(table(toPupilCsv(record(as('left', blinking)), header))[0]).to.include({ diameter_px: '80', eye: 'left' });
  });

  it("has one meaning of width and angle in all of them: PupilEXT's", () => {
    const [ours] = table(toPupilCsv(record(blinking), header));
    const [theirs] = table(toPupilCsv(record(blinking), header, { format: 'pupilext' }));
    for (const name of Object.keys(theirs!)) expect(ours![name], name).to.equal(theirs![name]);
    const { rows, units } = JSON.parse(toPupilJson(record(blinking), header));
    expect(rows[0]).to.include({ major: 80, minor: 60, angle_deg: 120 }).and.to.not.have.property('angle');
    expect(units.angle_deg).to.contain('degrees of the minor axis');
    const round = record(() => ({ ...found, ellipse: { ...found.ellipse!, minor: 80 } }));
    expect(JSON.parse(toPupilJson(round, header)).rows[0].angle_deg).to.equal(
      Number(table(toPupilCsv(round, header))[0]!.angle_deg),
    );
  });

  it('takes a circle for an ellipse of equal axes', () => {
    const [row] = table(
      toPupilCsv(
        record(() => ({ ...found, ellipse: null, diameterMm: null })),
        header,
      ),
    );
    expect(row).to.include({
      width_px: '80',
      height_px: '80',
      axisRatio: '1',
      angle_deg: '0',
      physicalDiameter_mm: '',
    });
    expect(Number(row!.circumference_px)).to.be.closeTo(80 * Math.PI, 0.001);
  });

  it('fills in and smooths in columns of their own, on request', () => {
    const options = { series: { interpolate: 'linear', smooth: { beta: 0 } } } as const;
    const rows = table(toPupilCsv(record(blinking), header, options));
    expect(rows[7]).to.include({
      diameter_px: '',
      series_px: '80',
      series_source: 'interpolated',
      series_smoothed: '1',
    });
    expect(rows[0]).to.include({ diameter_px: '80', series_source: 'measured' });
  });

  it('fills in and smooths in millimetres as well, where there is a calibration', () => {
    const options = { series: { interpolate: 'linear', smooth: { beta: 0 } } } as const;
    const rows = table(toPupilCsv(record(blinking), header, options));
    expect(rows[7]).to.include({ series_px: '80', series_mm: '4', physicalDiameter_mm: '' });
    // Calibrated when it ran already.
    const late = record((frame) => ({ ...found, diameterMm: frame < 4 ? null : 4 }));
    const some = table(toPupilCsv(late, header, options));
    expect(some[2]).to.include({ series_px: '80', series_mm: '' });
    expect(some[5]).to.include({ series_px: '80', series_mm: '4' });
    const none = record(() => ({ ...found, diameterMm: null }));
    expect(table(toPupilCsv(none, header, options))[0]).to.not.have.property('series_mm');
    expect(() => toPupilCsv(none, header, { series: { unit: 'mm' } })).to.throw(FoveolaError, 'millimetresPerPixel');
    const json = JSON.parse(toPupilJson(record(blinking), header, options));
    expect(json.series.millimetres[0][7]).to.include({ source: 'interpolated', diameter: 4, smoothed: true });
    expect(json.series.eyes[0][7]).to.include({ diameter: 80 });
  });

  it('has events, capabilities, parameters and their changes in JSON', () => {
    const json = JSON.parse(toPupilJson(record(blinking), header, { series: {} }));
    expect(json.events).to.deep.equal([
      { kind: 'blink', onset: 120, offset: 200, final: true, pupil: 0, eye: 'unknown' },
    ]);
    expect(json.capabilities.reasons).to.deep.equal(['no graphics hardware']);
    expect(json.changes).to.deep.equal(header.changes);
    expect(json.parameters).to.deep.equal(header.parameters);
    expect(json.source.sha256).to.equal('ab'.repeat(32));
    expect(json.rows).to.have.length(13);
    expect(json.series.eyes[0][7]).to.include({ source: 'missing', diameter: null, blink: true });
    expect(JSON.parse(toPupilJson(record(blinking), header))).to.not.have.property('series');
  });

  it('gives markers and an empty recording', () => {
    const recording = record(blinking, blinking);
    recording.mark('flash', 50);
    expect(table(toPupilCsv(recording, header))[3]!.marker).to.equal('flash');
    expect(table(toPupilCsv(new Recording(pupilColumns), header))).to.deep.equal([]);
    expect([...recordedPupils(recording)][0]!.pupils).to.have.length(2);
  });

  it('says the side of each frame', () => {
    expect(table(toPupilCsv(record(blinking), header)).every(({ backend }) => backend === 'wasm')).to.equal(true);
  });

  it('refuses a recording of something else', () => {
    expect(() => toPupilCsv(new Recording([{ name: 'a', type: 'number' }]), header)).to.throw(
      FoveolaError,
      'pupilColumns',
    );
  });
});
