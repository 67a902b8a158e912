/** Checks the common parts of all reports: subject, time, device, and source file. */
import { type About, notice } from '../results/recording.ts';
import { version } from '../results/version.ts';
import { identityElements } from '../results/dicom-identity.ts';
import { RecordCheck, uuidFrom } from './check.ts';
import { most, type Vr } from './dicom-writer.ts';
import type { VesselResult } from '../results/types.ts';
import type { DicomPatient, DicomSource, PupilReport, Side } from './report.ts';
import { recordingMeasures } from './test-measures.ts';

export const check: RecordCheck = new RecordCheck('createReport');

export interface InputBase {
  /** A UUID. Default: a new one. A report with an id that was used before is the same entry in a record. */
  id?: string;
  /** Date of the report. Default: now. */
  created?: Date | string;
  started: Date | string;
  ended?: Date | string | null;
  camera?: { name: string; model?: string | null; serial?: string | null } | null;
  /** The backend that computed the results: their `backend`. */
  backend?: string | null;
  renderer?: string | null;
  parameters?: Record<string, unknown>;
  source?: Partial<Omit<PupilReport['source'], 'dicom'>> & { dicom?: DicomSource | null };
  patient?: string | null;
  about?: About | null;
  encounter?: string | null;
  dicomPatient?: DicomPatient | null;
  warnings?: readonly string[];
}

export type Numbers<T> = { [K in keyof T]?: number | null };

/** Names that every report accepts. */
export const baseNames = [
  ...['kind', 'id', 'created', 'started', 'ended', 'camera', 'backend', 'renderer', 'parameters', 'source'],
  ...['patient', 'about', 'encounter', 'dicomPatient', 'warnings', 'unit', 'result', 'quality'],
];

export const sides = ['left', 'right'] as const;

export const sideOf = (path: string, side: Side | null | undefined): Side | null =>
  side === null || side === undefined ? null : check.oneOf(path, side, sides);

export function baseOf(input: InputBase) {
  const started = check.instant('started', input.started);
  const ended = input.ended === undefined || input.ended === null ? null : check.instant('ended', input.ended);
  if (ended !== null && ended < started) check.fail('ended', `must not be before started (${started}), not ${ended}.`);
  return {
    software: 'foveola' as const,
    ...{ version, notice, started, ended },
    id: uuidFrom(input.id, 'createReport: id'),
    created: check.instant('created', input.created ?? new Date()),
    camera: cameraOf(input.camera),
    backend: check.text('backend', input.backend),
    renderer: check.text('renderer', input.renderer),
    parameters: check.plain('parameters', input.parameters ?? {}),
    ...aboutOf(input.about),
    patient: check.reference('patient', input.patient, 'Patient'),
    encounter: check.reference('encounter', input.encounter, 'Encounter'),
    dicomPatient: patientOf(input.dicomPatient),
  };
}

function aboutOf(about: InputBase['about']): { about?: About } {
  if (about === null || about === undefined) return {};
  const names = ['subject', 'session', 'trial', 'note'] as const;
  check.names('about', check.object('about', about), names);
  const texts = names.map((name) => [name, check.text(`about.${name}`, about[name], 1024)] as const);
  return { about: Object.fromEntries(texts.filter(([, text]) => text)) };
}

function cameraOf(camera: InputBase['camera']): PupilReport['camera'] {
  if (camera === null || camera === undefined) return null;
  check.object('camera', camera);
  const name = check.text('camera.name', camera.name, 64);
  if (!name) check.fail('camera.name', 'must be a text that is not empty.');
  return {
    name,
    model: check.text('camera.model', camera.model, 64),
    serial: check.text('camera.serial', camera.serial, 64),
  };
}

function patientOf(patient: DicomPatient | null | undefined): DicomPatient | null {
  if (patient === null || patient === undefined) return null;
  check.object('dicomPatient', patient);
  const { name, id, birthDate, sex } = patient;
  check.text('dicomPatient.name', name, 64);
  check.text('dicomPatient.id', id, 64);
  if (birthDate !== undefined && !/^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(birthDate))
    check.fail('dicomPatient.birthDate', `must have the form YYYYMMDD, not '${birthDate}'.`);
  if (sex !== undefined) check.oneOf('dicomPatient.sex', sex, ['M', 'F', 'O']);
  return {
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
    ...(birthDate !== undefined && { birthDate }),
    ...(sex !== undefined && { sex }),
  };
}

/** A header's texts, checked: with the maximum lengths of DICOM, so that none is cut when it is copied. */
function headerTexts<T extends 'patient' | 'study'>(
  module: T,
  path: string,
  source: DicomSource,
  checked: RecordCheck,
) {
  const texts: Record<string, string | undefined> | undefined = source[module];
  if (texts === undefined) return {};
  checked.object(`${path}.${module}`, texts);
  const entries = Object.entries(identityElements[module]).flatMap(([name, [, vr]]) => {
    const value = checked.text(`${path}.${module}.${name}`, texts[name], 10_240);
    for (const one of vr === 'LT' ? [] : (value?.split('\\') ?? []))
      checked.text(`${path}.${module}.${name}`, one, most[vr as Vr]);
    return value === null ? [] : [[name, value]];
  });
  return { [module]: Object.fromEntries(entries) as DicomSource[T] };
}

/** Identity of a DICOM instance, each part checked. Throws 'invalid-argument'. */
export function dicomSource(path: string, source: DicomSource, checked: RecordCheck = check): DicomSource {
  checked.object(path, source);
  const { frame } = source;
  if (frame !== undefined && !Number.isInteger(checked.known(`${path}.frame`, frame, 1)))
    checked.fail(`${path}.frame`, `must be a whole number above 0, not ${frame}.`);
  return {
    sopClassUid: checked.uid(`${path}.sopClassUid`, source.sopClassUid),
    sopInstanceUid: checked.uid(`${path}.sopInstanceUid`, source.sopInstanceUid),
    studyInstanceUid: checked.uid(`${path}.studyInstanceUid`, source.studyInstanceUid),
    seriesInstanceUid: checked.uid(`${path}.seriesInstanceUid`, source.seriesInstanceUid),
    ...(frame !== undefined && { frame }),
    ...headerTexts('patient', path, source, checked),
    ...headerTexts('study', path, source, checked),
    ...furtherOf(path, source, checked),
  };
}

function furtherOf(path: string, source: DicomSource, checked: RecordCheck) {
  const { seriesNumber, timezone, laterality, lossy } = source;
  if (laterality !== undefined) checked.oneOf(`${path}.laterality`, laterality, ['left', 'right']);
  if (seriesNumber !== undefined) checked.known(`${path}.seriesNumber`, seriesNumber);
  if (timezone !== undefined && !/^[+-]\d{4}$/.test(timezone))
    checked.fail(`${path}.timezone`, `must have the form +HHMM, not '${timezone}'.`);
  lossy?.ratios.forEach((ratio, i) => checked.known(`${path}.lossy.ratios[${i}]`, ratio, 0));
  const plain = checked.plain(path, source) as Partial<DicomSource>;
  const names = ['seriesNumber', 'modality', 'laterality', 'device', 'acquired', 'timezone', 'lossy'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (name in plain ? [[name, plain[name]]] : [])),
  ) as Partial<DicomSource>;
}

export function sourceOf(
  source: InputBase['source'] = {},
  result?: Partial<Pick<VesselResult, 'mask' | 'dicom'>>,
): PupilReport['source'] {
  check.object('source', source);
  const dicom = source.dicom === undefined ? result?.dicom : source.dicom;
  const sha256 = check.text('source.sha256', source.sha256);
  if (sha256 !== null && !/^[0-9a-f]{64}$/i.test(sha256)) check.fail('source.sha256', 'must be 64 hexadecimal digits.');
  return {
    name: check.text('source.name', source.name),
    sha256: sha256?.toLowerCase() ?? null,
    width: check.number('source.width', source.width ?? result?.mask?.width, 1, 65535),
    height: check.number('source.height', source.height ?? result?.mask?.height, 1, 65535),
    dicom: dicom ? dicomSource('source.dicom', dicom) : null,
  };
}

// Quality of a recording as warnings. They contain the messages on the screen of a test, with the numbers.

/** The result of a QualityMeter (RecordingQuality). Shares are 0 to 1. */
export interface QualityInput {
  frames: number;
  found: number;
  confidence: number;
  rate: number;
  dropped: number;
  blinking: number;
  faults: readonly (keyof typeof faultTexts)[];
  /** True without faults. */
  good?: boolean;
}

const percent = (share: number) => `${Number((100 * share).toPrecision(2))} %`;

const faultTexts = {
  'no-frames': () => 'No frame was measured.',
  'eye-not-in-view': ({ found }: QualityInput) => `A pupil was found in only ${percent(found)} of the frames.`,
  uncertain: ({ confidence }: QualityInput) => `Low median confidence: ${confidence.toFixed(2)}.`,
  slow: ({ rate }: QualityInput) => `Only ${rate.toFixed(1)} frames per second were measured.`,
  drops: ({ dropped }: QualityInput) => `${percent(dropped)} of the source's frames were dropped.`,
  blinks: ({ blinking }: QualityInput) => `The eye was closed in ${percent(blinking)} of the frames.`,
};
const names = Object.keys(faultTexts) as (keyof typeof faultTexts)[];

/** Throws 'invalid-argument'. */
export function qualityOf(quality: QualityInput | null | undefined): PupilReport['quality'] {
  if (quality === null || quality === undefined) return null;
  check.object('quality', quality);
  check.names('quality', quality, [...Object.keys(recordingMeasures), 'faults', 'good']);
  const share = (name: 'found' | 'confidence' | 'dropped' | 'blinking') =>
    check.known(`quality.${name}`, quality[name], 0, 1);
  return {
    frames: check.known('quality.frames', quality.frames, 0),
    ...{ found: share('found'), confidence: share('confidence') },
    rate: check.known('quality.rate', quality.rate, 0),
    ...{ dropped: share('dropped'), blinking: share('blinking') },
  };
}

/** Throws 'invalid-argument'. Dropped frames are mentioned even if there are only a few. */
export function qualityWarnings(quality: QualityInput | null | undefined): string[] {
  if (!qualityOf(quality)) return [];
  const faults = check
    .list('quality.faults', quality!.faults, 'faults')
    .map((fault, i) => check.oneOf(`quality.faults[${i}]`, fault, names));
  return names
    .filter((name) => faults.includes(name) || (name === 'drops' && quality!.dropped > 0))
    .map((name) => faultTexts[name](quality!));
}
