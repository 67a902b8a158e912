/**
 * The vessel mask as a DICOM Segmentation (PS3.3, A.51 and C.8.20): binary, one bit per pixel, one frame per segment.
 * With the result of `retinalMeasures` it also has segments for arteries, veins, disc and fovea. It refers to the
 * photograph if the caller passes its identifiers. Without them it is independent, in a separate study.
 */
import type { CorrectionNote } from '../results/export-vessels.ts';
import { notice } from '../results/recording.ts';
import { version } from '../results/version.ts';
import type { VesselResult } from '../results/types.ts';
import { RecordCheck, uuidFrom } from './check.ts';
import { dicomSource } from './report-base.ts';
import {
  checkIdentity,
  codeItem,
  commonElements,
  dcm,
  lossElements,
  sourceItem,
  uidsOf,
  type CommonOptions,
} from './dicom-modules.ts';
import { dicomFile, type DataSet, type DicomElement } from './dicom-writer.ts';
import { concepts, snomedSystem } from './measures.ts';
import type { DicomPatient, DicomSource, Side } from './report.ts';
import { retinaSegments, type RetinaSegment, type SegmentedRetina } from './retina-segments.ts';

export interface DicomSegOptions {
  /**
   * The photograph, as identified by its file: `dicom` of readImage. Its patient and study are copied. Default: the
   * source of the result. null: a separate study.
   */
  source?: DicomSource | null;
  /** The UUID that the UIDs are derived from: the id of the report. Default: a new one. */
  id?: string;
  created?: Date | string;
  /** Default: the eye in the header of the source. */
  laterality?: Side | null;
  patient?: DicomPatient | null;
  /**
   * The result of `retinalMeasures` for this result. It adds segments for the arteries and veins around the disc, the
   * disc and the fovea, as far as they were found. Default: only the vessels.
   */
  retina?: SegmentedRetina | null;
  /** Manual corrections. They decide which segments are marked as semiautomatic or manual. */
  corrections?: readonly CorrectionNote[] | null;
}

export const SEGMENTATION = '1.2.840.10008.5.1.4.1.1.66.4';
const check: RecordCheck = new RecordCheck('toDicomSeg');

/** Packs pixels into bits, the first one in the lowest bit. Rows follow each other without a gap (PS3.5, 8.1.1). */
export function packedBits(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(Math.ceil(data.length / 8));
  for (let i = 0; i < data.length; i++) if (data[i]) out[i >> 3]! |= 1 << (i & 7);
  return out;
}

/**
 * Returns a file in Explicit VR Little Endian. It contains the pixel spacing if the scale of the result is known.
 * Throws 'invalid-argument' if the size of the mask does not match its data, if `retina` does not fit the result, if a
 * UID is not valid, or if the source lacks the patient and study of its header.
 */
export function toDicomSeg(
  result: Pick<VesselResult, 'mask'> & Partial<Pick<VesselResult, 'scale' | 'dicom' | 'segments'>>,
  options: DicomSegOptions = {},
): Uint8Array<ArrayBuffer> {
  check.object('result', result);
  check.object('options', options);
  check.object('result.mask', result.mask);
  const { width, height, data } = result.mask;
  for (const [name, value] of Object.entries({ width, height }))
    if (!Number.isInteger(check.known(`result.mask.${name}`, value, 1, 65535)))
      check.fail(`result.mask.${name}`, `must be a whole number, not ${value}.`);
  if (data.length !== width * height)
    check.fail('result.mask.data', `must have ${width} x ${height} samples, not ${data.length}.`);
  const of = options.source === undefined ? result.dicom : options.source;
  const source = of ? dicomSource('source', of, check) : null;
  checkIdentity(source, options.patient ?? null, check);
  const side = options.laterality
    ? check.oneOf('laterality', options.laterality, ['left', 'right'])
    : (source?.laterality ?? null);
  const corrections = check.objects('corrections', options.corrections ?? [], 'corrections');
  const segments = retinaSegments(result, options.retina ?? null, corrections, check);
  const common: CommonOptions = {
    ...{ source, sopClass: SEGMENTATION, object: 1, modality: 'SEG', started: null },
    id: uuidFrom(options.id, 'toDicomSeg: id'),
    description: 'Retinal vessels, segmentation',
    created: check.instant('created', options.created ?? new Date()),
    patient: options.patient ?? null,
  };
  const spacing = result.scale && result.scale.micrometresPerPixel / 1000;
  return dicomFile(SEGMENTATION, uidsOf(common).instance, [
    ...commonElements(common),
    ...(source ? referencedSeries(source) : []),
    ...dimensions(uidsOf(common).further(1)),
    ...pixels(width, height, segments),
    ...lossElements(source),
    [0x00620001, 'CS', 'BINARY'],
    [0x00620002, 'SQ', segments.map((one, i) => segmentItem(one, i + 1, side))],
    [0x00620013, 'CS', segments.length > 1 ? 'YES' : 'NO'],
    [0x00700080, 'CS', 'VESSELS'],
    [0x00700081, 'LO', 'Retinal vessels'],
    [0x00700084, 'PN', ''],
    [0x52009229, 'SQ', [shared(source, spacing ?? null)]],
    [0x52009230, 'SQ', segments.map((_, i) => frameItem(i + 1))],
  ]);
}

const referencedSeries = (source: DicomSource): DicomElement[] => [
  [
    0x00081115,
    'SQ',
    [
      [
        [0x0008114a, 'SQ', [sourceItem(source).slice(0, 2)]],
        [0x0020000e, 'UI', source.seriesInstanceUid],
      ],
    ],
  ],
];

/** The only dimension is the segment. */
const dimensions = (organization: string): DicomElement[] => [
  [0x00209221, 'SQ', [[[0x00209164, 'UI', organization]]]],
  [
    0x00209222,
    'SQ',
    [
      [
        [0x00209164, 'UI', organization],
        [0x00209165, 'AT', 0x0062000b],
        [0x00209167, 'AT', 0x0062000a],
        [0x00209421, 'LO', 'Segment Number'],
      ],
    ],
  ],
];

/** The masks of all segments, one frame each. */
function framesOf(segments: readonly RetinaSegment[]): Uint8Array {
  const [{ data: first }] = segments as [RetinaSegment];
  const all = new Uint8Array(segments.length * first.length);
  segments.forEach(({ data }, i) => all.set(data, i * first.length));
  return packedBits(all);
}

const pixels = (width: number, height: number, segments: readonly RetinaSegment[]): DicomElement[] => [
  [0x00080008, 'CS', ['DERIVED', 'PRIMARY']],
  [0x00200020, 'CS', ''],
  [0x00204000, 'LT', notice],
  [0x00280002, 'US', 1],
  [0x00280004, 'CS', 'MONOCHROME2'],
  [0x00280008, 'IS', segments.length],
  [0x00280010, 'US', height],
  [0x00280011, 'US', width],
  [0x00280100, 'US', 1],
  [0x00280101, 'US', 1],
  [0x00280102, 'US', 0],
  [0x00280103, 'US', 0],
  [0x7fe00010, 'OB', framesOf(segments)],
];

const anatomical = { system: snomedSystem, code: '91723000', display: 'Anatomical Structure' };

function segmentItem(segment: RetinaSegment, number: number, side: Side | null): DataSet {
  const { label, description, algorithm, property } = segment;
  const modifier: DicomElement[] = side ? [[0x00082220, 'SQ', [codeItem(concepts[side])]]] : [];
  return [
    [0x00082218, 'SQ', [[...codeItem(concepts.retina), ...modifier]]],
    [0x00620003, 'SQ', [codeItem(anatomical)]],
    [0x00620004, 'US', number],
    [0x00620005, 'LO', label],
    [0x00620006, 'ST', description],
    [0x00620008, 'CS', algorithm],
    ...(algorithm === 'MANUAL' ? [] : ([[0x00620009, 'LO', `foveola ${version} vessels`]] satisfies DicomElement[])),
    [0x0062000f, 'SQ', [codeItem(property)]],
  ];
}

/** How the frames were derived. Present even without a source: an empty list means that this is not known. */
function shared(source: DicomSource | null, millimetres: number | null): DataSet {
  const derivation: DataSet[] = source
    ? [
        [
          [
            0x00082112,
            'SQ',
            [
              [
                ...sourceItem(source),
                [0x0028135a, 'CS', 'YES'],
                [0x0040a170, 'SQ', [codeItem(dcm('121322', 'Source image for image processing operation'))]],
              ],
            ],
          ],
          [0x00089215, 'SQ', [codeItem(dcm('113076', 'Segmentation'))]],
        ],
      ]
    : [];
  const measures: DicomElement[] = millimetres
    ? [[0x00289110, 'SQ', [[[0x00280030, 'DS', [millimetres, millimetres]]]]]]
    : [];
  return [[0x00089124, 'SQ', derivation], ...measures];
}

const frameItem = (segment: number): DataSet => [
  [0x00209111, 'SQ', [[[0x00209157, 'UL', segment]]]],
  [0x0062000a, 'SQ', [[[0x0062000b, 'US', segment]]]],
];
