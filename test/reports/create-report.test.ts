import { expect } from 'chai';
import { qualityFaults, QualityMeter } from '../../src/protocols/recording-quality.ts';
import { toDicomSr } from '../../src/reports/dicom-sr.ts';
import { toFhir } from '../../src/reports/fhir.ts';
import { toHtml } from '../../src/reports/html.ts';
import { createReport } from '../../src/reports/create-report.ts';
import type { PupilReportInput } from '../../src/reports/pupil-input.ts';
import type { RetinaReportInput } from '../../src/reports/retina-report.ts';
import { FoveolaError } from '../../src/runtime/error.ts';
import { id, pixelInput, pupilInput, reflex, retinaInput, series, vessels } from '../support/report-samples.ts';

const message = (make: () => unknown): string => {
  try {
    make();
  } catch (error) {
    expect(error).to.be.instanceOf(FoveolaError);
    expect((error as FoveolaError).code).to.equal('invalid-argument');
    return (error as FoveolaError).message;
  }
  throw new Error('nothing was thrown');
};

describe('a report of pupils', () => {
  it('has what was given, checked', () => {
    const report = createReport(pupilInput());
    expect(report).to.include({ kind: 'pupil', software: 'foveola', unit: 'mm', id, patient: 'Patient/42' });
    expect(report.notice).to.match(/research use, not a medical device/);
    expect(report.started).to.equal('2026-05-04T09:30:00.000Z');
    expect(report.source.sha256).to.equal('a'.repeat(64));
    expect(report.eyes[0]!.reflexes[0]).to.deep.include({ latency: 200, minimum: 4, t75: null, onset: 1000 });
    expect(report.warnings).to.deep.equal([]);
  });

  it('sums up a series by what was measured', () => {
    const timestamp = [0, 100, 200, 300, 400];
    const eye = { series: { timestamp, diameter: [2, 4, 9, NaN, 6], valid: [1, 1, 0, 0, 1] } };
    const { summary } = createReport({ ...pupilInput(), eyes: [eye] }).eyes[0]!;
    expect(summary).to.deep.equal({
      ...{ mean: 4, deviation: 2, minimum: 2, maximum: 6 },
      ...{ duration: 400, rate: 10, samples: 5, validPercent: 60 },
    });
  });

  it('counts blinks in a minute of the series, and knows no rate without one', () => {
    const blinks = [
      { onset: 100, offset: 300 },
      { onset: 2000, offset: 2400 },
    ];
    const withSeries = { series: { ...series(), blinks } };
    const { blinkSummary } = createReport({ ...pupilInput(), eyes: [withSeries] }).eyes[0]!;
    expect(blinkSummary).to.deep.equal({ count: 2, rate: 120_000 / 6475, meanDuration: 300 });
    expect(createReport({ ...pupilInput(), eyes: [{ blinks }] }).eyes[0]!.blinkSummary!.rate).to.equal(null);
    expect(createReport({ ...pupilInput(), eyes: [{ reflexes: [reflex] }] }).eyes[0]!.blinkSummary).to.equal(null);
  });

  it('takes what lightReflex may give besides, and a pupil that widened', () => {
    const further = { maximum: 6.4, pipr: -3, latencyLow: 210, latencyHigh: NaN };
    const wider = { baseline: 4, minimum: 4.1, amplitude: -0.1, amplitudePercent: -2.5, ...further };
    const [got] = createReport({ ...pupilInput(), eyes: [{ reflexes: [wider] }] }).eyes[0]!.reflexes;
    expect(got).to.include({ minimum: 4.1, amplitude: -0.1, maximum: 6.4, pipr: -3 });
    expect(got).to.include({ latencyLow: 210, latencyHigh: null });
    expect(got).not.to.have.property('peakDilationVelocity');
  });

  it('is in pixels without a calibration, and says so', () => {
    const report = createReport(pixelInput());
    expect(report.unit).to.equal('px');
    expect(report.calibration).to.equal(null);
    expect(report.warnings.join()).to.match(/No calibration: lengths are in pixels/);
  });

  it('names the origin and the uncertainty of the scale, as exports have them', () => {
    const iris = { millimetresPerPixel: 0.05, method: 'iris', pixels: 234, millimetres: 11.7, uncertaintyPercent: 3.6 };
    const report = createReport({ ...pupilInput(), calibration: iris });
    expect(toHtml(report)).to.include('0.05 mm per pixel (iris, ± 3.6 %)');
    expect(JSON.stringify(toFhir(report))).to.include('calibration.uncertaintyPercent');
  });

  it('says in every form what the screen of a test says of its picture', () => {
    const meter = new QualityMeter(1, 60);
    const pupil = { found: true, confidence: 0.3, blink: false };
    for (let timestamp = 0; timestamp < 9000; timestamp += 30)
      meter.add({ timestamp, pupils: [pupil], dropped: timestamp % 90 ? 1 : 0 } as never);
    const quality = meter.judge();
    expect(quality.faults).to.deep.equal(['uncertain', 'drops']);
    const said = ['Low median confidence: 0.30.', "40 % of the source's frames were dropped."];
    const report = createReport({ ...pupilInput(), quality, warnings: ['Of the page.'] });
    expect(report.warnings).to.deep.equal([...said, 'Of the page.']);
    const forms = [toHtml(report), JSON.stringify(toFhir(report)), new TextDecoder().decode(toDicomSr(report))];
    for (const form of forms) for (const words of said) expect(form.replaceAll('&#39;', "'")).to.contain(words);
  });

  it('has words for each fault of a recording, and names dropped frames also where they are few', () => {
    const { quality } = pupilInput();
    const warnings = (change: object) =>
      createReport({ ...pupilInput(), quality: { ...quality!, ...change } }).warnings;
    expect(warnings({ faults: qualityFaults })).to.have.lengthOf(qualityFaults.length);
    expect(warnings({ dropped: 0.004 })).to.deep.equal(["0.4 % of the source's frames were dropped."]);
    expect(
      warnings({ found: 0.5, rate: 12, blinking: 0.4, faults: ['eye-not-in-view', 'slow', 'blinks'] }),
    ).to.deep.equal([
      'A pupil was found in only 50 % of the frames.',
      'Only 12.0 frames per second were measured.',
      'The eye was closed in 40 % of the frames.',
    ]);
    expect(createReport({ ...pupilInput(), quality: null }).warnings).to.deep.equal([]);
  });

  it('holds no values that JSON has not', () => {
    const { eyes, ...rest } = createReport(pupilInput());
    const [{ series: _, ...eye }] = eyes as [(typeof eyes)[0]];
    expect(JSON.parse(JSON.stringify({ rest, eye }))).to.deep.equal({ rest, eye });
  });

  it('has a name of its own where none is given', () => {
    const { id: _, ...input } = pupilInput();
    const [a, b] = [createReport(input as PupilReportInput), createReport(input as PupilReportInput)];
    expect(a.id)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(b.id);
  });

  const cases: [string, Partial<Record<keyof PupilReportInput, unknown>>, RegExp][] = [
    ['another kind', { kind: 'ear' }, /kind must be 'pupil' or 'retina', not 'ear'/],
    ['millimetres without a calibration', { calibration: null }, /calibration is missing\. Set calibration/],
    ['no unit', { unit: undefined }, /unit must be 'px' or 'mm', not undefined/],
    ['micrometres', { unit: 'um' }, /unit must be 'px' or 'mm', not 'um'/],
    ['no calibration at all', { calibration: { millimetresPerPixel: 0 } }, /calibration\.millimetresPerPixel must be/],
    ['no eye', { eyes: [] }, /eyes must be a list of one or two/],
    ['an eye without anything', { eyes: [{ laterality: 'left' }] }, /eyes\[0\] must have at least one of/],
    [
      'twice the same eye',
      {
        eyes: [
          { blinks: [], laterality: 'left' },
          { blinks: [], laterality: 'left' },
        ],
      },
      /eyes\[1\]\.laterality/,
    ],
    [
      'a side that is none',
      { eyes: [{ blinks: [], laterality: 'OD' }] },
      /eyes\[0\]\.laterality must be 'left' or 'right'/,
    ],
    [
      'pixels as millimetres',
      { eyes: [{ reflexes: [{ baseline: 120 }] }] },
      /eyes\[0\]\.reflexes\[0\]\.baseline must be 0 to 15, not 120/,
    ],
    [
      'an amplitude that is not that of the diameters',
      { eyes: [{ reflexes: [{ baseline: 6, minimum: 4, amplitude: 20 / 9 }] }] },
      /reflexes\[0\]\.amplitude must be baseline - minimum, 2, not 2\.2/,
    ],
    [
      'an interval the wrong way',
      { eyes: [{ reflexes: [{ latencyLow: 250, latencyHigh: 200 }] }] },
      /reflexes\[0\]\.latencyHigh must be latencyLow \(250\) or more, not 200/,
    ],
    ['a negative latency', { eyes: [{ reflexes: [{ latency: -1 }] }] }, /latency must be at least 0/],
    [
      'an infinite velocity',
      { eyes: [{ reflexes: [{ dilationVelocity: Infinity }] }] },
      /dilationVelocity must be a finite number/,
    ],
    ['a quality above 1', { eyes: [{ reflexes: [{ quality: 80 }] }] }, /quality must be 0 to 1, not 80/],
    [
      'lists of two lengths',
      { eyes: [{ series: { timestamp: [0, 1], diameter: [2] } }] },
      /series\.diameter must have 2 samples, like timestamp, not 1/,
    ],
    [
      'times that go back',
      { eyes: [{ series: { timestamp: [5, 1], diameter: [2, 2] } }] },
      /series\.timestamp\[1\] must be at least 5, not 1/,
    ],
    [
      'a blink that ends before it begins',
      { eyes: [{ blinks: [{ onset: 9, offset: 3 }] }] },
      /blinks\[0\]\.offset must be at least 9/,
    ],
    ['a date without its offset', { started: '2026-05-04T09:30:00' }, /started must be a Date or a text such as/],
    ['an end before the start', { ended: '2026-05-04T09:29:00Z' }, /ended must not be before started/],
    [
      'a patient that is none',
      { patient: 'Jane Doe' },
      /patient must be a FHIR reference such as 'Patient\/42', not 'Jane Doe'/,
    ],
    [
      'an encounter of another type',
      { encounter: 'Patient/42' },
      /encounter must be a FHIR reference such as 'Encounter\/42'/,
    ],
    ['an id that is no UUID', { id: '42' }, /id must be a UUID, not '42'/],
    [
      'a function among the parameters',
      { parameters: { a: { b: [1, () => 2] } } },
      /parameters\.a\.b\[1\] must be plain data, not function/,
    ],
    ['NaN among the parameters', { parameters: { sigma: NaN } }, /parameters\.sigma must be a finite number or null/],
    ['warnings that are no list', { warnings: 'dark' }, /warnings must be a list of texts/],
    ['a quality that is a number', { quality: 0.8 }, /quality must be an object, not 0\.8/],
    [
      'dropped frames in per cent',
      { quality: { ...pupilInput().quality, dropped: 40 } },
      /quality\.dropped must be 0 to 1, not 40/,
    ],
    [
      'a fault that is none',
      { quality: { ...pupilInput().quality, faults: ['dark'] } },
      /quality\.faults\[0\] must be 'no-frames' or/,
    ],
    ['a hash that is none', { source: { sha256: 'abc' } }, /source\.sha256 must be 64 hexadecimal digits/],
    [
      'a UID that is none',
      { source: { dicom: { sopClassUid: '1.02' } } },
      /source\.dicom\.sopClassUid must be a DICOM UID/,
    ],
    [
      'a birth date that is none',
      { dicomPatient: { birthDate: '1980-01-01' } },
      /dicomPatient\.birthDate must have the form YYYYMMDD/,
    ],
  ];
  for (const [what, change, expected] of cases)
    it(`is refused with ${what}`, () => {
      expect(message(() => createReport({ ...pupilInput(), ...change } as PupilReportInput))).to.match(expected);
    });
});

describe('a report of a retina', () => {
  it('sums up the vessels in micrometres where the scale is known', () => {
    const report = createReport(retinaInput());
    expect(report).to.deep.include({ unit: 'um', laterality: 'right', quality: 0.9 });
    // (30 * 4 + 10 * 8) / 40 pixels of 8 micrometres
    expect(report.vessels).to.deep.equal({
      ...{ vesselPercent: 12.5, segments: 3, branchPoints: 1, totalLength: 360, meanWidth: 40 },
      ...{ crae: 150.26, crve: 222, avr: 0.676, tortuosity: 1.1, fractalDimension: 1.45 },
    });
    expect(report.source).to.include({ width: 37, height: 23 });
    expect(report.warnings).to.deep.equal(['The photograph is small.']);
  });

  it('says what a person has corrected: in words, and as it was done', () => {
    expect(createReport(retinaInput()).corrections).to.equal(null);
    const corrections = [
      { action: 'cut', points: [1, 2, 3, 4], width: 4 },
      { action: 'disc', x: 5, y: 6, radius: 3 },
    ];
    const report = createReport({ ...retinaInput(), corrections });
    expect(report.corrections).to.deep.equal(corrections);
    const words = '2 corrections by hand: vessels cut 1, optic disc placed 1';
    expect(report.warnings).to.include(`${words}.`);
    expect(toHtml(report)).to.contain(`<dt>Corrected</dt><dd>${words}</dd>`);
    expect(toHtml(createReport({ ...retinaInput(), corrections: [] }))).to.contain('<dd>0 corrections by hand</dd>');
    expect(createReport({ ...retinaInput(), corrections: [] }).warnings).to.deep.equal(['The photograph is small.']);
    const fhir = JSON.stringify(toFhir(report));
    expect(fhir)
      .to.contain('correction.2')
      .and.to.contain(JSON.stringify(JSON.stringify(corrections[1])).slice(1, -1));
    expect(fhir).to.contain(words);
    const dicom = new TextDecoder().decode(toDicomSr({ ...report, source: { ...report.source } }));
    expect(dicom)
      .to.contain(`Correction 2: ${JSON.stringify(corrections[1])}`)
      .and.to.contain(words);
  });

  it('is in pixels without a scale, and says so', () => {
    const report = createReport({ ...retinaInput(), result: { ...vessels(), scale: null }, vessels: {} });
    expect(report.unit).to.equal('px');
    expect(report.vessels).to.include({ totalLength: 45, meanWidth: 5, crae: null });
    expect(report.warnings.join()).to.match(/No scale: lengths are in pixels/);
  });

  const cases: [string, Partial<Record<keyof RetinaReportInput, unknown>>, RegExp][] = [
    [
      'micrometres without a scale',
      { unit: 'um', result: { ...vessels(), scale: null } },
      /scale is missing\. Set scale/,
    ],
    ['millimetres', { unit: 'mm' }, /unit must be 'px' or 'um', not 'mm'/],
    ['nothing measured', { result: undefined, vessels: undefined }, /result or vessels must be given/],
    ['a negative width', { vessels: { crae: -3 } }, /vessels\.crae must be at least 0/],
    ['corrections that are none', { corrections: [3] }, /corrections\[0\] must be an object, not 3/],
    [
      'a correction without an action',
      { corrections: [{ x: 1 }] },
      /corrections\[0\]\.action must describe the correction/,
    ],
    ['percent as a fraction', { result: { ...vessels(), fraction: 12 } }, /result\.fraction must be 0 to 1/],
  ];
  for (const [what, change, expected] of cases)
    it(`is refused with ${what}`, () => {
      expect(message(() => createReport({ ...retinaInput(), ...change } as RetinaReportInput))).to.match(expected);
    });
});
