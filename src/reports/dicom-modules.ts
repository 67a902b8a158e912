/** Parts of every DICOM object: patient, study, series, equipment (PS3.3, C.7), and codes (PS3.3, 8). */
import { version } from '../results/version.ts';
import { codeSystem } from './groups.ts';
import type { DataSet, DicomElement } from './dicom-writer.ts';
import { dicomSystem, snomedSystem, type CodedConcept } from './measures.ts';
import { ucumSystem, type DicomPatient, type DicomSource } from './report.ts';
import { derivedUuid, uidOf } from './check.ts';

/** Scheme of our own codes in DICOM. Names that begin with 99 are private (PS3.16, 8). */
export const ownScheme = '99FOVEOLA';
const schemes: Readonly<Record<string, string>> = {
  [snomedSystem]: 'SCT',
  [dicomSystem]: 'DCM',
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

/** UTC date and time of an ISO 8601 text, in the notation of DICOM. */
const dateOf = (instant: string) => instant.slice(0, 10).replaceAll('-', '');
const timeOf = (instant: string) => instant.slice(11, 23).replaceAll(':', '');

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

/** All modules up to equipment. An existing study keeps its date, so the date is left empty here. */
export function commonElements(options: CommonOptions): DicomElement[] {
  const { sopClass, modality, description, created, started, patient, source } = options;
  const { instance, series, study } = uidsOf(options);
  const studied = source === null ? (started ?? created) : null;
  return [
    [0x00080005, 'CS', 'ISO_IR 192'],
    [0x00080012, 'DA', dateOf(created)],
    [0x00080013, 'TM', timeOf(created)],
    [0x00080016, 'UI', sopClass],
    [0x00080018, 'UI', instance],
    [0x00080020, 'DA', studied ? dateOf(studied) : ''],
    [0x00080021, 'DA', dateOf(created)],
    [0x00080023, 'DA', dateOf(created)],
    [0x00080030, 'TM', studied ? timeOf(studied) : ''],
    [0x00080031, 'TM', timeOf(created)],
    [0x00080033, 'TM', timeOf(created)],
    [0x00080050, 'SH', ''],
    [0x00080060, 'CS', modality],
    [0x00080070, 'LO', 'foveola'],
    [0x00080090, 'PN', ''],
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
    [0x00080201, 'SH', '+0000'],
    [0x0008103e, 'LO', description],
    [0x00081090, 'LO', 'foveola'],
    [0x00100010, 'PN', patient?.name ?? ''],
    [0x00100020, 'LO', patient?.id ?? ''],
    [0x00100030, 'DA', patient?.birthDate ?? ''],
    [0x00100040, 'CS', patient?.sex ?? ''],
    [0x00181000, 'LO', 'not applicable'],
    [0x00181020, 'LO', version],
    [0x0020000d, 'UI', study],
    [0x0020000e, 'UI', series],
    [0x00200010, 'SH', ''],
    [0x00200011, 'IS', 1],
    [0x00200013, 'IS', 1],
  ];
}

/** The item of a sequence that refers to the source. */
export const sourceItem = ({ sopClassUid, sopInstanceUid, frame }: DicomSource): DicomElement[] => [
  [0x00081150, 'UI', sopClassUid],
  [0x00081155, 'UI', sopInstanceUid],
  ...(frame === undefined ? [] : ([[0x00081160, 'IS', frame]] satisfies DicomElement[])),
];
