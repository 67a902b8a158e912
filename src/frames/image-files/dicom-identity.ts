/** Identity of a DICOM image: the instance, patient, study and device in its header. */
import { identityElements, type DicomSource } from '../../results/dicom-identity.ts';
import type { DataSet } from './dicom-elements.ts';
import type { Pace } from './pace.ts';

/** Names of character sets (PS3.3, C.12.1.1.2) for TextDecoder. Terms without entry are not decoded. */
const characterSets: Readonly<Record<string, string>> = {
  '': 'latin1',
  'ISO_IR 6': 'latin1',
  'ISO_IR 13': 'shift_jis',
  'ISO_IR 100': 'latin1',
  'ISO_IR 101': 'iso-8859-2',
  'ISO_IR 109': 'iso-8859-3',
  'ISO_IR 110': 'iso-8859-4',
  'ISO_IR 126': 'iso-8859-7',
  'ISO_IR 127': 'iso-8859-6',
  'ISO_IR 138': 'iso-8859-8',
  'ISO_IR 144': 'iso-8859-5',
  'ISO_IR 148': 'windows-1254',
  'ISO_IR 166': 'windows-874',
  'ISO_IR 192': 'utf-8',
  'ISO_IR 203': 'iso-8859-15',
  GB18030: 'gb18030',
  GBK: 'gbk',
};

/** Lossy transfer syntaxes, with their method (PS3.3, C.7.6.1.1.5.1). JPEG-LS .81 and JPEG 2000 .91 allow loss. */
const lossySyntaxes: Readonly<Record<string, string>> = {
  '1.2.840.10008.1.2.4.50': 'ISO_10918_1',
  '1.2.840.10008.1.2.4.51': 'ISO_10918_1',
  '1.2.840.10008.1.2.4.81': 'ISO_14495_1',
  '1.2.840.10008.1.2.4.91': 'ISO_15444_1',
};

const validUid = /^(?=.{1,64}$)[0-2](\.(0|[1-9]\d*))+$/;
const instance = {
  sopClassUid: 0x00080016,
  sopInstanceUid: 0x00080018,
  studyInstanceUid: 0x0020000d,
  seriesInstanceUid: 0x0020000e,
} as const;

const filled = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<T>;

/** The eye: Image Laterality, Laterality, or Frame Laterality in the functional groups. */
async function lateralityOf(dataSet: DataSet, pace: Pace): Promise<'left' | 'right' | undefined> {
  const groups = (await dataSet.first(0x52009229, pace)) ?? (await dataSet.first(0x52009230, pace));
  const anatomy = await groups?.first(0x00209071, pace);
  const text = dataSet.text(0x00200062) || dataSet.text(0x00200060) || anatomy?.text(0x00209072);
  return text === 'L' ? 'left' : text === 'R' ? 'right' : undefined;
}

/** Loss of the file itself or of an earlier step. `ratio` of the file applies if its header has none. */
function lossOf(dataSet: DataSet, syntax: string, ratio: number): Pick<DicomSource, 'lossy'> {
  const method = lossySyntaxes[syntax];
  if (dataSet.text(0x00282110) !== '01' && !method) return {};
  const listed = dataSet.text(0x00282114).split('\\').filter(Boolean);
  const ratios = dataSet.numbers(0x00282112).filter((one) => Number.isFinite(one) && one > 0);
  if (!ratios.length) ratios.push(Math.max(1, ratio));
  return { lossy: { ratios, methods: listed.length || !method ? listed : [method] } };
}

/** How names were removed, if the header only has codes for it. */
async function removalOf(dataSet: DataSet, pace: Pace): Promise<{ removalMethod?: string }> {
  if (dataSet.has(0x00120063) || dataSet.text(0x00120062) !== 'YES') return {};
  const code = await dataSet.first(0x00120064, pace);
  return { removalMethod: code?.text(0x00080104, 64) || 'not named by the source' };
}

/**
 * Null, with a note, if an identifier is missing or a text cannot be decoded. A part of an identity would file the
 * results of an image under another patient.
 */
export async function identityOf(
  dataSet: DataSet,
  syntax: string,
  { ratio, notes, pace }: { ratio: number; notes: string[]; pace: Pace },
): Promise<DicomSource | null> {
  const uids = Object.fromEntries(Object.entries(instance).map(([name, tag]) => [name, dataSet.text(tag)]));
  if (!Object.values(uids).every((uid) => validUid.test(uid))) return null;
  const names = dataSet
    .text(0x00080005)
    .split('\\')
    .map((one) => one.trim().replace('ISO 2022 IR', 'ISO_IR'));
  const known = names.length === 1 ? characterSets[names[0]!] : undefined;
  let decoded = true;
  const texts = (elements: Readonly<Record<string, readonly [number, ...unknown[]]>>) =>
    Object.fromEntries(
      Object.entries(elements)
        .filter(([, [tag]]) => dataSet.has(tag))
        .map(([name, [tag]]) => {
          const text = dataSet.decoded(tag, known);
          decoded &&= text !== null;
          return [name, text ?? ''];
        }),
    );
  const patient = { ...texts(identityElements.patient), ...(await removalOf(dataSet, pace)) };
  const about = { patient, study: texts(identityElements.study) };
  const device = filled(
    texts({ manufacturer: [0x00080070], model: [0x00081090], serial: [0x00181000], software: [0x00181020] }),
  );
  if (!decoded) {
    notes.push(
      `The texts of the DICOM header use a character set that is not supported (${names.join(', ') || 'none named'}), so results do not name their patient. Convert the file to ISO_IR 192 (UTF-8).`,
    );
    return null;
  }
  const laterality = await lateralityOf(dataSet, pace);
  const [number = NaN] = dataSet.numbers(0x00200011);
  const [modality, date, timezone] = [0x00080060, 0x00080022, 0x00080201].map((tag) => dataSet.text(tag));
  return {
    ...(uids as Record<keyof typeof instance, string>),
    ...about,
    ...(Number.isInteger(number) && { seriesNumber: number }),
    ...(modality && { modality }),
    ...(laterality && { laterality }),
    ...(Object.keys(device).length > 0 && { device }),
    ...(date && { acquired: { date, time: dataSet.text(0x00080032) } }),
    ...(timezone && { timezone }),
    ...lossOf(dataSet, syntax, ratio),
  };
}
