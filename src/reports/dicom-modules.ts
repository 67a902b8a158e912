/** Parts of every DICOM object: patient, study, series, equipment (PS3.3, C.7), and codes (PS3.3, 8). */
import { version } from '../results/version.ts';
import { codeSystem } from './groups.ts';
import type { DataSet, DicomElement, Vr } from './dicom-writer.ts';
import { dicomSystem, loincSystem, snomedSystem, type CodedConcept } from './measures.ts';
import type { DicomPatient, DicomSource } from './report.ts';
import { ucumSystem } from './units.ts';
import { identityElements } from '../results/dicom-identity.ts';
import { derivedUuid, uidOf, type RecordCheck } from './check.ts';

/** Scheme of our own codes in DICOM. Names that begin with 99 are private (PS3.16, 8). */
export const ownScheme = '99FOVEOLA';
const schemes: Readonly<Record<string, string>> = {
  [snomedSystem]: 'SCT',
  [dicomSystem]: 'DCM',
  [loincSystem]: 'LN',
  [ucumSystem]: 'UCUM',
  [codeSystem]: ownScheme,
};

export const dcm = (code: string, display: string): CodedConcept => ({ system: dicomSystem, code, display });
export const own = ({ code, display }: { code: string; display: string }): CodedConcept => ({
  ...{ system: codeSystem, code, display },
});

/** The item of a code sequence. Codes of more than 16 characters have a separate attribute. */
export const codeItem = ({ system, code, display }: CodedConcept): DataSet => [
  code.length > 16 ? [0x00080119, 'UC', code] : [0x00080100, 'SH', code],
  [0x00080102, 'SH', schemes[system] ?? system],
  [0x00080104, 'LO', display],
];

const dateOf = (instant: string) => instant.slice(0, 10).replaceAll('-', '');
const timeOf = (instant: string) => instant.slice(11, 23).replaceAll(':', '');

/**
 * A UTC instant in the zone of the source. The times of a file share one zone, so if the source names none, neither does
 * the new file, and its times are local.
 */
function inZone(instant: string, source: DicomSource | null): string {
  if (!source) return instant;
  const date = new Date(instant);
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(source.timezone ?? '') ?? [];
  const offset = sign ? Number(`${sign}1`) * (60 * Number(hours) + Number(minutes)) : -date.getTimezoneOffset();
  return new Date(date.getTime() + 60_000 * offset).toISOString();
}

export interface DicomNames {
  sopClass: string;
  /** The UUID that all UIDs are derived from, except the UIDs of the source. */
  id: string;
  /** Number of the object among those created from one report, starting at 1. */
  object: number;
  source: DicomSource | null;
}

export function uidsOf({ id, object, source }: DicomNames) {
  return {
    instance: uidOf(derivedUuid(id, 0x100 * object + 1)),
    series: uidOf(derivedUuid(id, 0x100 * object + 2)),
    study: source?.studyInstanceUid ?? uidOf(derivedUuid(id, 0xff)),
    /** A further UID, for a part of the object. */
    further: (index: number) => uidOf(derivedUuid(id, 0x100 * object + 2 + index)),
  };
}

export interface CommonOptions extends DicomNames {
  modality: 'SEG' | 'SR';
  description: string;
  created: string;
  /** Start of the measurement. Used for a study that is created here. */
  started: string | null;
  patient: DicomPatient | null;
}

/**
 * Throws 'invalid-argument' if the source lacks its patient and study, because a PACS would file the new object under
 * another patient, or if the caller names a different patient. The message does not repeat personal data.
 */
export function checkIdentity(source: DicomSource | null, patient: DicomPatient | null, check: RecordCheck): void {
  if (!source) return;
  for (const name of ['patient', 'study'] as const)
    if (!source[name])
      check.fail(
        `source.${name}`,
        'is missing, so a PACS would file the result under another patient. Pass `dicom` of readImage or of the result, or no source.',
      );
  for (const [name, value] of Object.entries(patient ?? {}))
    if (value !== (source.patient?.[name as keyof DicomPatient] ?? '').trim())
      check.fail(`dicomPatient.${name}`, 'differs from the header of the source. Leave it out, or check the patient.');
}

/** Patient and study: those of the source, otherwise of the portal and the measurement. */
function identity({ source, patient, started, created }: CommonOptions): DicomElement[] {
  const studied = started ?? created;
  const values = source ?? { patient: patient ?? {}, study: { date: dateOf(studied), time: timeOf(studied) } };
  return (['patient', 'study'] as const).flatMap((module) =>
    Object.entries(identityElements[module]).flatMap(([name, [tag, vr, required]]: [string, IdentityEntry]) => {
      const text = (values[module] as Readonly<Record<string, string>> | undefined)?.[name] ?? '';
      if (!text && !required) return [];
      return [[tag, vr, vr === 'LT' ? text : text.split('\\')] satisfies DicomElement];
    }),
  );
}
type IdentityEntry = readonly [tag: number, vr: Vr, required?: 'required'];

/** Numbers of the series start here in an existing study. Devices count from 1. */
const FIRST_SERIES = 8000;

function seriesNumber({ source, object }: DicomNames): number {
  if (!source) return object;
  const number = FIRST_SERIES + object;
  return number === source.seriesNumber ? number + 10 : number;
}

/** Lossy compression that was ever applied to the pixels (PS3.3, C.7.6.1.1.5). */
export const lossElements = (source: DicomSource | null): DicomElement[] => [
  [0x00282110, 'CS', source?.lossy ? '01' : '00'],
  ...(source?.lossy?.ratios.length ? ([[0x00282112, 'DS', source.lossy.ratios]] satisfies DicomElement[]) : []),
  ...(source?.lossy?.methods.length ? ([[0x00282114, 'CS', source.lossy.methods]] satisfies DicomElement[]) : []),
];

/** All modules up to equipment. */
export function commonElements(options: CommonOptions): DicomElement[] {
  const { sopClass, modality, description, source } = options;
  const { instance, series, study } = uidsOf(options);
  const created = inZone(options.created, source);
  const zone = source ? source.timezone : '+0000';
  return [
    [0x00080005, 'CS', 'ISO_IR 192'],
    [0x00080012, 'DA', dateOf(created)],
    [0x00080013, 'TM', timeOf(created)],
    [0x00080016, 'UI', sopClass],
    [0x00080018, 'UI', instance],
    [0x00080021, 'DA', dateOf(created)],
    [0x00080023, 'DA', dateOf(created)],
    [0x00080031, 'TM', timeOf(created)],
    [0x00080033, 'TM', timeOf(created)],
    [0x00080060, 'CS', modality],
    [0x00080070, 'LO', 'foveola'],
    [
      0x00080110,
      'SQ',
      [
        [
          [0x00080102, 'SH', ownScheme],
          [0x0008010e, 'UR', codeSystem],
          [0x00080115, 'ST', 'Measures of foveola'],
          [0x00080116, 'ST', 'foveola'],
        ],
      ],
    ],
    ...(zone ? ([[0x00080201, 'SH', zone]] satisfies DicomElement[]) : []),
    [0x0008103e, 'LO', description],
    [0x00081090, 'LO', 'foveola'],
    ...identity(options),
    [0x00181000, 'LO', 'not applicable'],
    [0x00181020, 'LO', version],
    [0x0020000d, 'UI', study],
    [0x0020000e, 'UI', series],
    [0x00200011, 'IS', seriesNumber(options)],
    [0x00200013, 'IS', 1],
  ];
}

/** The item of a sequence that refers to the source. */
export const sourceItem = ({ sopClassUid, sopInstanceUid, frame }: DicomSource): DicomElement[] => [
  [0x00081150, 'UI', sopClassUid],
  [0x00081155, 'UI', sopInstanceUid],
  ...(frame === undefined ? [] : ([[0x00081160, 'IS', frame]] satisfies DicomElement[])),
];
