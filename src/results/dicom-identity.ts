/**
 * The elements of a DICOM header that place an image in a record (PS3.3, C.7.1 to C.7.5). The reader of image files and
 * the writers of SEG and SR share this table, so that everything that is read is also copied.
 */

/** Tag, representation, and whether records must have the element, which may be empty (type 2). */
type IdentityElement = readonly [tag: number, vr: IdentityVr, required?: 'required'];
type IdentityVr = 'AS' | 'CS' | 'DA' | 'DS' | 'LO' | 'LT' | 'PN' | 'SH' | 'TM' | 'UI';

export const identityElements = {
  patient: {
    name: [0x00100010, 'PN', 'required'],
    id: [0x00100020, 'LO', 'required'],
    issuer: [0x00100021, 'LO'],
    birthDate: [0x00100030, 'DA', 'required'],
    birthTime: [0x00100032, 'TM'],
    sex: [0x00100040, 'CS', 'required'],
    ethnicGroup: [0x00102160, 'SH'],
    comments: [0x00104000, 'LT'],
    identityRemoved: [0x00120062, 'CS'],
    removalMethod: [0x00120063, 'LO'],
  },
  study: {
    date: [0x00080020, 'DA', 'required'],
    time: [0x00080030, 'TM', 'required'],
    accessionNumber: [0x00080050, 'SH', 'required'],
    referringPhysician: [0x00080090, 'PN', 'required'],
    description: [0x00081030, 'LO'],
    patientAge: [0x00101010, 'AS'],
    patientSize: [0x00101020, 'DS'],
    patientWeight: [0x00101030, 'DS'],
    id: [0x00200010, 'SH', 'required'],
  },
} as const satisfies Record<string, Record<string, IdentityElement>>;

type Texts<T> = { readonly [K in keyof T]?: string };

/** The measured DICOM instance, as identified by its file. `readImage` returns it as `dicom`. */
export interface DicomSource {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly studyInstanceUid: string;
  readonly seriesInstanceUid: string;
  /** Starts at 1. Absent if there is only one frame. */
  readonly frame?: number;
  /** The patient in the file's header, in DICOM notation. An element that the header lacks is absent. */
  readonly patient?: Texts<typeof identityElements.patient>;
  readonly study?: Texts<typeof identityElements.study>;
  /** SeriesNumber of the file. */
  readonly seriesNumber?: number;
  readonly modality?: string;
  /** The eye of the photograph, if the header names one. */
  readonly laterality?: 'left' | 'right';
  readonly device?: { readonly [K in 'manufacturer' | 'model' | 'serial' | 'software']?: string };
  /** Date and time of the acquisition as in the header: YYYYMMDD, HHMMSS.FFFFFF. */
  readonly acquired?: { readonly date: string; readonly time: string };
  /** Offset of all times in the header from UTC, such as '+0100'. */
  readonly timezone?: string;
  /** Present if lossy compression was ever applied. `ratios` and `methods`: one entry per compression. */
  readonly lossy?: { readonly ratios: readonly number[]; readonly methods: readonly string[] };
}
