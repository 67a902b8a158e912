/** A retina report that includes the corrections. */
import {
  createReport,
  type RetinaReport,
  type RetinaReportInput,
  type RetinalMeasures,
  toHtml,
  type VesselCorrection,
  type VesselResult,
} from '../../../src/index.ts';

/** Data that only the page has: the patient, and the time and device of the photograph. */
export type ReportAbout = Partial<
  Pick<
    RetinaReportInput,
    'id' | 'started' | 'laterality' | 'camera' | 'patient' | 'encounter' | 'dicomPatient' | 'source'
  >
>;

export interface Reported {
  readonly frame: VesselResult;
  readonly retina: RetinalMeasures | null;
  readonly corrections: readonly VesselCorrection[];
  readonly source: { name: string; sha256: string | null };
  readonly parameters: Record<string, unknown>;
  readonly backend: string;
  readonly renderer: string | null;
}

export function retinaReport(of: Reported, about: ReportAbout): RetinaReport {
  const { frame, retina, corrections, source, parameters, backend, renderer } = of;
  return createReport({
    kind: 'retina',
    started: new Date(),
    ...about,
    source: { ...source, ...about.source },
    result: frame,
    ...{ retina, corrections, parameters, backend, renderer },
  });
}

/** `picture`: the photograph with its vessels, as PNG. */
export async function printedReport(report: RetinaReport, picture: Blob, title: string): Promise<string> {
  return toHtml(report, { picture: { png: new Uint8Array(await picture.arrayBuffer()), title } });
}
