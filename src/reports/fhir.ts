/**
 * FHIR R4 output. It has an Observation for each eye and group of values, whose numbers are components because a
 * latency is hard to interpret without its amplitude. A DiagnosticReport refers to the observations, and the software
 * and the camera are Devices. Identifiers are derived from the id of the report, so a bundle that is sent twice creates
 * each resource only once (conditional create, R4 3.1.0.8.1).
 */
import { RecordCheck, derivedUuid, escaped } from './check.ts';
import {
  canonical,
  codeSystem,
  foveolaCodeSystem,
  groupsOf,
  type Group,
  type GroupSide,
  type GroupValue,
  measureCodes,
  panelCodes,
  panels,
  sideText,
} from './groups.ts';
import type {
  Bundle,
  CodeableConcept,
  Coding,
  Extension,
  FhirComponent,
  FhirDevice,
  FhirDiagnosticReport,
  FhirImagingStudy,
  FhirQuantity,
  FhirReference,
  FhirObservation,
  FhirResource,
} from './fhir-types.ts';
import { concepts, dicomSystem, type CodedConcept } from './measures.ts';
import type { Norm } from './norms.ts';
import type { DicomSource, Report } from './report.ts';
import { rounded, ucumSystem, type Unit } from './units.ts';

export interface FhirOptions {
  /** 'collection' for storage, 'transaction' for sending to a server, which does not create duplicates. */
  type?: 'collection' | 'transaction';
  /** 'preliminary' until someone has reviewed it. */
  status?: 'preliminary' | 'final';
  /** Additional codings of the portal for our codes: { 'baseline-diameter': [{ system, code, display }] }. */
  codings?: Readonly<Record<string, readonly CodedConcept[]>>;
  /** The report as a page (`toHtml`). It is stored in presentedForm. */
  html?: string;
  /** Adds the CodeSystem of our codes. */
  codeSystem?: boolean;
}

const check: RecordCheck = new RecordCheck('toFhir');
const hl7 = 'http://terminology.hl7.org/CodeSystem';
const absent: CodeableConcept = {
  coding: [{ system: `${hl7}/data-absent-reason`, code: 'unknown', display: 'Unknown' }],
};

const own = ({ code, display }: { code: string; display: string }): Coding => ({ system: codeSystem, code, display });

/** Converts a report to FHIR. Throws 'invalid-argument' if an option has an invalid value. */
export function toFhir(report: Report, options: FhirOptions = {}): Bundle {
  check.object('options', options);
  const { type = 'collection', status = 'preliminary', codings = {}, html } = options;
  check.oneOf('type', type, ['collection', 'transaction']);
  check.oneOf('status', status, ['preliminary', 'final']);
  check.object('codings', codings);
  for (const [code, list] of Object.entries(codings)) check.objects(`codings.${code}`, list, 'codings');
  check.text('html', html, Infinity);
  const writer = new FhirWriter(report, { ...options, status });
  return writer.bundle(type, options.codeSystem ?? false);
}

class FhirWriter {
  readonly #report: Report;
  readonly #options: FhirOptions & { status: 'preliminary' | 'final' };
  #named = 0;
  #study: FhirReference | null = null;

  constructor(report: Report, options: FhirOptions & { status: 'preliminary' | 'final' }) {
    this.#report = report;
    this.#options = options;
  }

  bundle(type: Bundle['type'], withCodes: boolean): Bundle {
    const software = this.#entry(this.#software(), softwareIdentifier(this.#report));
    const camera =
      this.#report.camera && this.#entry(this.#camera(this.#report.camera), cameraIdentifier(this.#report.camera));
    const { dicom } = this.#report.source;
    const subject = this.#report.patient;
    const study = dicom && subject ? this.#entry(this.#imagingStudy(dicom, subject), studyIdentifier(dicom)) : null;
    this.#study = study
      ? { reference: study.fullUrl }
      : dicom && { type: 'ImagingStudy', identifier: studyIdentifier(dicom) };
    const observations = groupsOf(this.#report).map((group) => this.#entry(this.#observation(group, software.fullUrl)));
    const diagnostic = this.#entry(this.#diagnosticReport(observations.map(({ fullUrl }) => fullUrl)));
    const codes = withCodes ? [this.#entry(foveolaCodeSystem())] : [];
    const entry = [
      software,
      ...(camera ? [camera] : []),
      ...(study ? [study] : []),
      ...observations,
      diagnostic,
      ...codes,
    ].map((one) =>
      type === 'collection'
        ? one
        : {
            ...one,
            request: {
              method: 'POST' as const,
              url: one.resource.resourceType,
              ifNoneExist: condition(one.resource.identifier![0]!),
            },
          },
    );
    return { resourceType: 'Bundle', type, timestamp: this.#report.created, entry };
  }

  /**
   * Uses the next identifier of the report. It is also the identifier of the resource, unless the thing has its own,
   * which two reports share.
   */
  #entry<T extends FhirResource>(resource: T, known?: Identifier | null): { fullUrl: string; resource: T } {
    const fullUrl = `urn:uuid:${derivedUuid(this.#report.id, ++this.#named)}`;
    const identifier = [known ?? { system: 'urn:ietf:rfc:3986', value: fullUrl }];
    const { resourceType, ...content } = resource;
    return {
      fullUrl,
      resource: { resourceType, meta: { tag: [own(panels.researchUse)] }, identifier, ...content } as T,
    };
  }

  #software(): FhirDevice {
    const { software, version, notice } = this.#report;
    return {
      resourceType: 'Device',
      status: 'active',
      manufacturer: software,
      deviceName: [{ name: software, type: 'model-name' }],
      type: { text: 'Software' },
      version: [{ value: version }],
      note: [{ text: notice }],
    };
  }

  #camera({ name, model, serial }: NonNullable<Report['camera']>): FhirDevice {
    return {
      resourceType: 'Device',
      status: 'active',
      ...(model && { modelNumber: model }),
      ...(serial && { serialNumber: serial }),
      deviceName: [{ name, type: 'user-friendly-name' }],
      type: { coding: [own(panels.camera)] },
    };
  }

  /** The study of the photograph, with its series and instance. The id of the patient is not repeated. */
  #imagingStudy(source: DicomSource, subject: string): FhirImagingStudy {
    const { seriesInstanceUid, sopInstanceUid, sopClassUid, modality, laterality } = source;
    const { encounter } = this.#report;
    return {
      resourceType: 'ImagingStudy',
      status: 'available',
      subject: { reference: subject },
      ...(encounter && { encounter: { reference: encounter } }),
      ...(modality && {
        series: [
          {
            uid: seriesInstanceUid,
            modality: { system: dicomSystem, code: modality },
            ...(laterality && { laterality: concepts[laterality] }),
            instance: [
              { uid: sopInstanceUid, sopClass: { system: 'urn:ietf:rfc:3986', code: `urn:oid:${sopClassUid}` } },
            ],
          },
        ],
      }),
    };
  }

  /** Subject and time, identical in observations and report. */
  #context() {
    const { patient, encounter, started, ended, created } = this.#report;
    return {
      ...(patient && { subject: { reference: patient } }),
      ...(encounter && { encounter: { reference: encounter } }),
      ...(ended ? { effectivePeriod: { start: started, end: ended } } : { effectiveDateTime: started }),
      issued: created,
    };
  }

  #category(): CodeableConcept[] {
    const [code, display] = this.#report.kind === 'pupil' ? ['exam', 'Exam'] : ['imaging', 'Imaging'];
    return [{ coding: [{ system: `${hl7}/observation-category`, code: code!, display: display! }] }];
  }

  #code(what: { code: string; display: string }, also: readonly Coding[] = []): CodeableConcept {
    return { coding: [...also, ...(this.#options.codings?.[what.code] ?? []), own(what)], text: what.display };
  }

  #observation(group: Group, software: string): FhirObservation {
    const { camera, notice } = this.#report;
    const notes = [
      notice,
      ...(group.finding ? [group.finding] : []),
      ...group.warnings,
      ...this.#report.warnings,
      ...(group.stimulus ? [`Stimulus: ${group.stimulus}`] : []),
    ];
    return {
      resourceType: 'Observation',
      status: this.#options.status,
      category: this.#category(),
      code: this.#code(panels[group.panel], panelCodes(group)),
      ...this.#context(),
      note: notes.map((text) => ({ text })),
      ...(this.#study && { derivedFrom: [this.#study] }),
      bodySite: bodySite(group.panel, group.laterality),
      method: { text: methodText(this.#report) },
      device: { reference: software },
      component: [
        ...group.values.map((value) => this.#component(value, group)),
        ...(group.laterality ? [lateralityComponent(group.laterality)] : []),
        ...(camera ? [{ code: { coding: [own(panels.camera)] }, valueString: camera.name }] : []),
      ],
    };
  }

  #component(one: GroupValue, group: Group): FhirComponent {
    const { measure, unit, value, norm } = one;
    const code = this.#code(measure, measureCodes(one, group));
    if (value === null) return { code, dataAbsentReason: absent };
    const report = this.#report;
    const norms = report.kind === 'pupil' ? report.norms : undefined;
    return {
      code,
      valueQuantity: quantity(value, unit),
      ...(norm && norms && { referenceRange: [referenceRange(norm, unit, norms.source)] }),
    };
  }

  #diagnosticReport(results: readonly string[]): FhirDiagnosticReport {
    const { kind, notice, warnings, software, version } = this.#report;
    const section = kind === 'pupil' ? ['OTH', 'Other'] : ['IMG', 'Diagnostic Imaging'];
    const panel = kind === 'pupil' ? panels.pupilReport : panels.retinaReport;
    const conclusion = [notice, `Measured by ${software} ${version}.`, ...warnings].join(' ');
    const { html } = this.#options;
    return {
      resourceType: 'DiagnosticReport',
      text: { status: 'generated', div: this.#narrative(conclusion) },
      extension: this.#extensions(),
      status: this.#options.status,
      category: [
        {
          coding: [{ system: `${hl7}/v2-0074`, code: section[0]!, display: section[1]! }],
        },
      ],
      code: this.#code(panel),
      ...this.#context(),
      result: results.map((reference) => ({ reference })),
      ...(this.#study && { imagingStudy: [this.#study] }),
      conclusion,
      ...(html !== undefined && {
        presentedForm: [
          { contentType: 'text/html; charset=utf-8', language: 'en', data: base64(html), title: panel.display },
        ],
      }),
    };
  }

  /** Settings, methods and source of the measurement, each as a name and a value. */
  #extensions(): Extension[] {
    const report = this.#report;
    const scale = report.kind === 'pupil' ? report.calibration : report.scale;
    const facts: Record<string, unknown> = {
      backend: report.backend,
      renderer: report.renderer,
      'source.name': report.source.name,
      'source.sha256': report.source.sha256,
      ...Object.fromEntries(Object.entries(scale ?? {}).map(([name, value]) => [`calibration.${name}`, value])),
    };
    const known = Object.entries(facts).filter(([, value]) => value !== null);
    return [
      ...known.map(([name, value]) => extension('analysis-fact', name, value)),
      ...Object.entries(report.parameters).map(([name, value]) => extension('analysis-parameter', name, value)),
      ...correctionsOf(report).map((one, i) => extension('analysis-fact', `correction.${i + 1}`, one)),
    ];
  }

  #narrative(conclusion: string): string {
    const rows = groupsOf(this.#report).map(({ title, laterality, values, finding }) => {
      const items = values.map(({ measure, unit, value }) => {
        const text = value === null ? 'not known' : `${rounded(value, unit)} ${unit.text}`.trim();
        return `<li>${escaped(`${measure.display}: ${text}`)}</li>`;
      });
      if (finding) items.push(`<li>${escaped(finding)}</li>`);
      return `<p>${escaped(title + sideText(laterality))}</p><ul>${items.join('')}</ul>`;
    });
    return `<div xmlns="http://www.w3.org/1999/xhtml"><p>${escaped(conclusion)}</p>${rows.join('')}</div>`;
  }
}

const quantity = (value: number, unit: Unit): FhirQuantity => ({
  value: rounded(value, unit),
  unit: unit.text || '1',
  system: ucumSystem,
  code: unit.ucum,
});

const years = (value: number): FhirQuantity => ({ value, unit: 'a', system: ucumSystem, code: 'a' });

function referenceRange({ mean, deviation, low, high, z, fromAge, toAge }: Norm, unit: Unit, source: string) {
  const parts = [`${source}: mean ${rounded(mean, unit)}, standard deviation ${rounded(deviation, unit)}`];
  if (z !== null) parts.push(`z ${z.toFixed(2)}`);
  return {
    low: quantity(low, unit),
    high: quantity(high, unit),
    ...((fromAge !== null || toAge !== null) && {
      age: { ...(fromAge !== null && { low: years(fromAge) }), ...(toAge !== null && { high: years(toAge) }) },
    }),
    text: parts.join(', '),
  };
}

const correctionsOf = (report: Report) => (report.kind === 'retina' && report.corrections) || [];

function extension(kind: string, name: string, value: unknown): Extension {
  const typed: Partial<Extension> =
    typeof value === 'boolean'
      ? { valueBoolean: value }
      : typeof value === 'number'
        ? { valueDecimal: value }
        : // FHIR does not allow empty strings.
          { valueString: (typeof value === 'string' ? value : JSON.stringify(value)) || '""' };
  return {
    url: `${canonical}/StructureDefinition/${kind}`,
    extension: [
      { url: 'name', valueString: name },
      { url: 'value', ...typed },
    ],
  };
}

function bodySite(panel: Group['panel'], side: GroupSide | null): CodeableConcept {
  const text = side === 'both' ? ', both eyes' : side ? `, ${side}` : ', side not known';
  // There was no code for the retina of one eye that could be looked up. The laterality is a component of the
  // observation.
  if (panel === 'retina') return { coding: [concepts.retina], text: `Retina${text}` };
  const site = side === 'left' ? concepts.pupilOfLeftEye : side === 'right' ? concepts.pupilOfRightEye : concepts.eye;
  return { coding: [site], text: `Pupil${text}` };
}

const lateralityComponent = (side: GroupSide): FhirComponent => ({
  code: { coding: [concepts.laterality], text: 'Laterality' },
  valueCodeableConcept: { coding: [concepts[side]] },
});

function methodText(report: Report): string {
  const { software, version, parameters } = report;
  const method = typeof parameters.method === 'string' ? `, method ${parameters.method}` : '';
  return report.kind === 'pupil'
    ? `Video pupillometry with ${software} ${version}${method}`
    : `Segmentation of vessels in a photograph of the retina with ${software} ${version}${method}`;
}

const condition = ({ system, value }: Identifier) => `identifier=${encodeURIComponent(`${system}|${value}`)}`;

// Identifiers of things that outlive a report. A server then has one resource for all reports.

interface Identifier {
  system: string;
  value: string;
}

const softwareIdentifier = ({ software, version }: Report): Identifier => ({
  system: `${canonical}/software`,
  value: `${software} ${version}`,
});

/** Null without a serial number, because two cameras may have the same name. */
const cameraIdentifier = ({ name, model, serial }: NonNullable<Report['camera']>): Identifier | null =>
  serial ? { system: `${canonical}/camera`, value: [model ?? name, serial].join(' ') } : null;

const studyIdentifier = ({ studyInstanceUid }: DicomSource): Identifier => ({
  system: 'urn:dicom:uid',
  value: `urn:oid:${studyInstanceUid}`,
});

function base64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
