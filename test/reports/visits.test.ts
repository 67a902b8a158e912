/** Reports of several visits, and norms of the caller. */
import { expect } from 'chai';
import { createReport } from '../../src/reports/create-report.ts';
import { toDicomSr } from '../../src/reports/dicom-sr.ts';
import { toFhir } from '../../src/reports/fhir.ts';
import type { FhirObservation } from '../../src/reports/fhir-types.ts';
import { toHtml } from '../../src/reports/html.ts';
import type { PupilReportInput } from '../../src/reports/pupil-input.ts';
import { reportCsv, reportJson } from '../../src/reports/report-files.ts';
import type { NormRow, Report } from '../../src/reports/report.ts';
import { toVisitsHtml, visitTrends } from '../../src/reports/visits.ts';
import { pixelInput, pupilInput, reflex, retinaInput } from '../support/report-samples.ts';

/** A visit whose flashes have these baselines and latencies. */
function visit(started: string, baselines: readonly number[], more: Partial<PupilReportInput> = {}) {
  const reflexes = baselines.map((baseline, i) => ({
    ...{ ...reflex, onset: 1000 + 10_000 * i, baseline, minimum: baseline - 2, latency: 200 + i },
  }));
  return createReport({
    ...pupilInput(),
    id: undefined!,
    started,
    ended: null,
    eyes: [{ eye: 'left', reflexes }],
    ...more,
  });
}
const of = (trends: ReturnType<typeof visitTrends>, code: string) => trends.filter((one) => one.code === code);
const refused = (work: () => unknown, message: RegExp) => expect(work).to.throw(message);

describe('visits', () => {
  const before = visit('2026-05-04T09:30:00Z', [6, 6.2, 6.1]);
  const after = visit('2026-05-04T10:15:00Z', [7.1, 7.2, 7.3]);

  it('before and after: means over equal lights, in the order of time, with the error of their difference', () => {
    const [baseline, ...others] = of(visitTrends([after, before]), 'baseline-diameter');
    expect(others).to.deep.equal([]);
    expect(baseline).to.deep.include({
      eye: 'left',
      group: 'Pupil light reflex',
      stimulus: 'white, 1 s',
      perYear: null,
    });
    expect(baseline!.visits.map(({ value }) => Number(value!.toFixed(9)))).to.deep.equal([6.1, 7.2]);
    expect(baseline!.visits[0]).to.include({ started: '2026-05-04T09:30:00.000Z', count: 3 });
    expect(baseline!.change).to.be.closeTo(1.1, 1e-9);
    expect(baseline!.changePercent).to.be.closeTo(110 / 6.1, 1e-9);
    expect(baseline!.changeError).to.be.closeTo(Math.hypot(0.1, 0.1) / Math.sqrt(3), 1e-9);
  });

  it('over years: the slope of a line, with its error, also from saved reports', () => {
    const years = [2024, 2025, 2026, 2027].map((year, i) => visit(`${year}-01-01T00:00:00Z`, [6 - 0.2 * i]));
    const saved = years.map((report) => JSON.parse(reportJson(report)) as Report);
    for (const reports of [years, saved]) {
      const [baseline] = of(visitTrends(reports), 'baseline-diameter');
      expect(baseline!.perYear).to.be.closeTo(-0.2, 0.001);
      expect(baseline!.perYearError).to.be.below(0.001);
      expect(baseline!.changeError).to.equal(null);
    }
  });

  it('compare equal stimuli alone, and show what one of them lacks', () => {
    const reflexes = [{ ...reflex, stimulus: 'blue, 1 s' }];
    const other = visit('2026-06-04T09:30:00Z', [6], { eyes: [{ eye: 'left', reflexes }] });
    const found = of(visitTrends([before, other]), 'baseline-diameter');
    expect(found.map(({ stimulus, change }) => [stimulus, change])).to.deep.equal([
      ['white, 1 s', null],
      ['blue, 1 s', null],
    ]);
    expect(of(visitTrends([before, other]), 'recovery-time-75')[0]!.visits[0]).to.include({ value: null, count: 0 });
  });

  it('are refused for two persons, units or kinds, and alone', () => {
    refused(() => visitTrends([before]), /reports must be two or more, not 1/);
    refused(() => visitTrends([before, createReport(pixelInput())]), /reports\[1\]\.unit must be 'mm'/);
    refused(() => visitTrends([before, createReport(retinaInput())]), /reports\[1\] must be of the kind 'pupil'/);
    const stranger = visit('2026-06-04T09:30:00Z', [6], { patient: 'Patient/43' });
    refused(() => visitTrends([before, stranger]), /reports must be of one patient, not Patient\/42 and Patient\/43/);
  });

  it('are a page to print, with all text escaped', () => {
    const page = toVisitsHtml([before, after], { heading: 'Tropicamide <0.5 %>', patientName: 'A & B' });
    expect(page).to.contain('Tropicamide &lt;0.5 %&gt;').and.to.contain('A &amp; B');
    expect(page).to.contain('<td>6.100</td><td>7.200</td><td>1.100 ± 0.082</td><td>18.0</td>');
    expect(page).to.contain('For research use, not a medical device.').and.not.to.contain('<script');
  });
});

describe('norms', () => {
  const rows: NormRow[] = [
    { code: 'baseline-diameter', unit: 'mm', fromAge: 0, toAge: 39, mean: 6.5, deviation: 0.5 },
    { code: 'baseline-diameter', unit: 'mm', fromAge: 40, mean: 5, deviation: 0.4 },
    { code: 'constriction-latency', unit: 's', mean: 0.2, deviation: 0.02 },
    { code: 'peak-constriction-velocity', unit: 'mm/s', stimulus: 'red, 1 s', mean: 4, deviation: 1 },
  ];
  const norms = { age: 62, source: 'Our own 80 healthy volunteers, 2025', rows };
  const report = createReport({ ...pupilInput(), norms });

  it('of the age, the unit and the stimulus are in every form', () => {
    const observation = toFhir(report).entry.map(({ resource }) => resource)[2] as FhirObservation;
    const ranges = observation.component.flatMap(({ code, referenceRange }) =>
      referenceRange ? [[code.text, referenceRange[0]!]] : [],
    );
    expect(ranges).to.deep.equal([
      [
        'Baseline diameter',
        {
          low: { value: 4.216, unit: 'mm', system: 'http://unitsofmeasure.org', code: 'mm' },
          high: { value: 5.784, unit: 'mm', system: 'http://unitsofmeasure.org', code: 'mm' },
          age: { low: { value: 40, unit: 'a', system: 'http://unitsofmeasure.org', code: 'a' } },
          text: 'Our own 80 healthy volunteers, 2025: mean 5, standard deviation 0.4, z 2.50',
        },
      ],
    ]);
    const [head, ...lines] = reportCsv(report).split('\n');
    expect(head).to.match(/,unit,norm_low,norm_high,norm_z$/);
    expect(lines.find((line) => line.includes('baseline-diameter'))).to.match(/,6,mm,4\.216,5\.784,2\.5$/);
    expect(lines.find((line) => line.includes('constriction-latency'))).to.match(/,200,ms,,,$/);
    expect(toHtml(report)).to.contain('<td>6.000 <small>(z 2.5)</small></td>').and.to.contain('80 healthy volunteers');
    const sr = new TextDecoder().decode(toDicomSr(report));
    expect(sr).to.contain('2.5 deviations above the mean of the norm, 5 mm (4.216 mm to 5.784 mm)');
    expect((JSON.parse(reportJson(report)) as typeof report).norms).to.deep.equal(norms);
  });

  it('are in no report without a table', () => {
    const without = createReport(pupilInput());
    expect(without).not.to.have.property('norms');
    expect(reportCsv(without).split('\n')[0]).to.match(/,unit$/);
  });

  it('are refused with the path and the rule', () => {
    const given =
      (row: object, age: unknown = 30) =>
      () =>
        createReport({ ...pupilInput(), norms: { age, source: 'x', rows: [{ ...rows[0], ...row }] } as typeof norms });
    refused(given({ code: 'amplitude' }), /norms\.rows\[0\]\.code must be the code of a measure.*not 'amplitude'/);
    refused(given({ deviation: 0 }), /norms\.rows\[0\]\.deviation must be above 0/);
    refused(given({ fromAge: 50 }), /norms\.rows\[0\]\.toAge must be fromAge \(50\) or more, not 39/);
    refused(given({ median: 4 }), /norms\.rows\[0\]\.median cannot be part/);
    refused(given({}, 'old'), /norms\.age must be a finite number/);
  });
});
