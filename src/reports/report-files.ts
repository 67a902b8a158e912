/**
 * A report as files for statistics: a table with one row per value (CSV), and the whole report as JSON. Unknown values
 * are empty fields in CSV and null in JSON.
 */
import {
  checkFormat,
  csvLines,
  type CsvOptions,
  csvStart,
  type Field,
  inert,
  inertJson,
  tableFormats,
} from '../results/csv.ts';
import { groupsOf, sideText } from './groups.ts';
import type { DicomSource, Report } from './report.ts';
import { rounded } from './units.ts';

const columns = ['eye', 'group', 'onset_ms', 'stimulus', 'code', 'measure', 'value', 'unit'];

const normColumns = ['norm_low', 'norm_high', 'norm_z'];

/** The metadata lines of format 'comments'. */
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
    ...(report.kind === 'pupil' && report.norms
      ? [`norms: for ${report.norms.age} years, ${inert(report.norms.source)}`]
      : []),
    ...warnings.map((warning) => `warning: ${inert(warning)}`),
    ...corrections.map((one) => `correction: ${inertJson(one)}`),
  ];
}

/**
 * One row per value, for pandas and R. `eye` is left, right, both, or empty if it is not known. Units are UCUM codes.
 * `reportJson` contains source, parameters, warnings and corrections, and so do the first lines of format 'comments'.
 */
export function reportCsv(report: Report, { format = 'plain' }: CsvOptions = {}): string {
  checkFormat(format, tableFormats);
  const groups = groupsOf(report);
  const notes = groups.flatMap(({ title, laterality, warnings, finding }) =>
    [...(finding ? [finding] : []), ...warnings].map((text) => inert(`${title}${sideText(laterality)}: ${text}`)),
  );
  const norms = report.kind === 'pupil' && report.norms !== undefined;
  const rows = groups.flatMap(({ title, laterality, onset, stimulus, values }) =>
    values.map(({ measure, unit, value, norm }): Field[] => {
      const part = (one: number | null | undefined) => (typeof one === 'number' ? rounded(one, unit) : null);
      return [
        ...[laterality ?? null, title, onset ?? null, stimulus ?? null],
        ...[measure.code, measure.display, part(value), unit.ucum],
        ...(norms ? [part(norm?.low), part(norm?.high), norm?.z ?? null] : []),
      ];
    }),
  );
  return (
    csvStart(norms ? [...columns, ...normColumns] : columns, format, () => [...head(report), ...notes]) +
    csvLines(rows, format)
  );
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
