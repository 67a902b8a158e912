/**
 * A report as files for statistics: a table with one row per value (CSV), and the whole report as JSON. Unknown values
 * are empty fields in CSV and null in JSON.
 */
import { inert, inertJson, textField } from '../results/export.ts';
import { groupsOf, sideText } from './groups.ts';
import type { DicomSource, Report } from './report.ts';
import { rounded } from './units.ts';

const columns = ['eye', 'group', 'onset_ms', 'stimulus', 'code', 'measure', 'value', 'unit'];

/** The lines before the table. Each starts with `# `, so that readers skip it as a comment. */
function head(report: Report): string[] {
  const { software, version, notice, id, created, started, ended, source, backend, warnings } = report;
  const corrections = (report.kind === 'retina' && report.corrections) || [];
  const scale = report.kind === 'pupil' ? report.calibration : report.scale;
  return [
    `${software} ${version}`,
    notice,
    `report: ${id}, created ${created}`,
    `started: ${started}${ended ? `, ended ${ended}` : ''}`,
    ...(source.name ? [`source: ${inert(source.name)}`] : []),
    ...(source.sha256 ? [`sha256: ${source.sha256}`] : []),
    ...(backend ? [`backend: ${inert(backend)}`] : []),
    `scale: ${scale ? inertJson(scale) : 'not known'}`,
    `parameters: ${inertJson(report.parameters)}`,
    ...warnings.map((warning) => `warning: ${inert(warning)}`),
    ...corrections.map((one) => `correction: ${inertJson(one)}`),
  ].map((line) => `# ${line}`);
}

/**
 * One row per value, for pandas and R. `eye` is left, right, both, or empty if it is not known. Units are UCUM codes.
 * Lines that start with `#` contain source, parameters, warnings and corrections.
 */
export function reportCsv(report: Report): string {
  const groups = groupsOf(report);
  const notes = groups.flatMap(({ title, laterality, warnings, finding }) =>
    [...(finding ? [finding] : []), ...warnings].map(
      (text) => `# ${inert(`${title}${sideText(laterality)}: ${text}`)}`,
    ),
  );
  const rows = groups.flatMap(({ title, laterality, onset, stimulus, values }) =>
    values.map(({ measure, unit, value }) => [
      ...[laterality ?? '', textField(title), onset ?? '', textField(stimulus ?? '')],
      ...[measure.code, textField(measure.display), value === null ? '' : rounded(value, unit), unit.ucum],
    ]),
  );
  return [...head(report), ...notes, ...[columns, ...rows].map((row) => row.join(','))]
    .map((line) => `${line}\n`)
    .join('');
}

/** Of a DICOM source, only its UIDs. */
const uidsOnly = ({ sopClassUid, sopInstanceUid, studyInstanceUid, seriesInstanceUid, frame }: DicomSource) => ({
  ...{ sopClassUid, sopInstanceUid, studyInstanceUid, seriesInstanceUid },
  ...(frame !== undefined && { frame }),
});

/**
 * The whole report, with the samples of its series as lists of numbers. It leaves out patient, study and device of a
 * DICOM header. Only DICOM files contain them.
 */
export function reportJson(report: Report): string {
  const plain = (_: string, value: unknown): unknown => {
    if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
    return typeof value === 'number' && !Number.isFinite(value) ? null : value;
  };
  const { source } = report;
  const open = { ...report, dicomPatient: null, source: { ...source, dicom: source.dicom && uidsOnly(source.dicom) } };
  return `${JSON.stringify(open, plain, 1)}\n`;
}
