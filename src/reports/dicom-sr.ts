/**
 * A report as a DICOM Structured Report by template TID 1500, Measurement Report (PS3.16), in a Comprehensive SR
 * (PS3.3, A.35.3). It has a measurement group (TID 1501) for each eye and group of values.
 */
import { RecordCheck } from './check.ts';
import {
  checkIdentity,
  codeItem,
  commonElements,
  dcm,
  own,
  sourceItem,
  uidsOf,
  type CommonOptions,
} from './dicom-modules.ts';
import { dicomFile, implementation, type DataSet, type DicomElement } from './dicom-writer.ts';
import { SEGMENTATION } from './dicom-seg.ts';
import { groupsOf, type Group, type GroupValue, panelCodes, panels } from './groups.ts';
import { concepts, snomedSystem, type CodedConcept } from './measures.ts';
import { normText } from './norms.ts';
import type { DicomSource, Report } from './report.ts';
import { rounded, ucumSystem } from './units.ts';

const COMPREHENSIVE_SR = '1.2.840.10008.5.1.4.1.1.88.33';

type Relationship = 'CONTAINS' | 'HAS CONCEPT MOD' | 'HAS OBS CONTEXT';

const named = (type: string, concept: CodedConcept, relationship: Relationship): DicomElement[] => [
  [0x0040a010, 'CS', relationship],
  [0x0040a040, 'CS', type],
  [0x0040a043, 'SQ', [codeItem(concept)]],
];
const text = (concept: CodedConcept, value: string, relationship: Relationship = 'CONTAINS'): DataSet => [
  ...named('TEXT', concept, relationship),
  [0x0040a160, 'UT', value],
];
const uid = (concept: CodedConcept, value: string, relationship: Relationship = 'HAS OBS CONTEXT'): DataSet => [
  ...named('UIDREF', concept, relationship),
  [0x0040a124, 'UI', value],
];
const code = (
  concept: CodedConcept,
  value: CodedConcept,
  relationship: Relationship,
  children: readonly DataSet[] = [],
): DataSet => [
  ...named('CODE', concept, relationship),
  [0x0040a168, 'SQ', [codeItem(value)]],
  ...(children.length ? ([[0x0040a730, 'SQ', children]] satisfies DicomElement[]) : []),
];
const container = (concept: CodedConcept, children: readonly DataSet[]): DataSet => [
  ...named('CONTAINER', concept, 'CONTAINS'),
  [0x0040a050, 'CS', 'SEPARATE'],
  [0x0040a730, 'SQ', children],
];

/** An unknown value has a reason instead of a measured value (TID 300). */
function measurement({ measure, unit, value }: GroupValue): DataSet {
  const head = named('NUM', measure.also?.[0] ?? own(measure), 'CONTAINS');
  if (value === null)
    return [...head, [0x0040a300, 'SQ', []], [0x0040a301, 'SQ', [codeItem(dcm('114010', 'Value unknown'))]]];
  const unitItem = codeItem({ system: ucumSystem, code: unit.ucum, display: unit.name });
  return [
    ...head,
    [
      0x0040a300,
      'SQ',
      [
        [
          [0x004008ea, 'SQ', [unitItem]],
          [0x0040a30a, 'DS', rounded(value, unit)],
        ],
      ],
    ],
  ];
}

const findingSite = { system: snomedSystem, code: '363698007', display: 'Finding Site' };

/** The segmentation that toDicomSeg creates with the same id. */
function segmentationOf(report: CommonOptions): Evidence {
  const { instance, series } = uidsOf({ ...report, object: 1 });
  return { sopClassUid: SEGMENTATION, sopInstanceUid: instance, seriesInstanceUid: series };
}

/** The first segment: the vessels. */
const referencedSegment = ({ sopClassUid, sopInstanceUid }: Evidence): DataSet => [
  ...named('IMAGE', dcm('121191', 'Referenced Segment'), 'CONTAINS'),
  [
    0x00081199,
    'SQ',
    [
      [
        [0x00081150, 'UI', sopClassUid],
        [0x00081155, 'UI', sopInstanceUid],
        [0x0062000b, 'US', 1],
      ],
    ],
  ],
];

/** `index` counts from 0. */
function measurementGroup(
  report: Report,
  group: Group,
  index: number,
  { trackingUid, segmentation }: { trackingUid: string; segmentation: Evidence | null },
): DataSet {
  const { software, version, parameters } = report;
  const side = group.laterality;
  const site = group.panel === 'retina' ? concepts.retina : concepts.eye;
  return container(dcm('125007', 'Measurement Group'), [
    text(dcm('112039', 'Tracking Identifier'), `${group.title} ${index + 1}`, 'HAS OBS CONTEXT'),
    uid(dcm('112040', 'Tracking Unique Identifier'), trackingUid),
    code(dcm('121071', 'Finding'), panelCodes(group)[0] ?? own(panels[group.panel]), 'CONTAINS'),
    text(dcm('111001', 'Algorithm Name'), software, 'HAS CONCEPT MOD'),
    text(dcm('111003', 'Algorithm Version'), version, 'HAS CONCEPT MOD'),
    ...Object.entries(parameters).map(([name, value]) =>
      text(dcm('111002', 'Algorithm Parameters'), `${name}=${JSON.stringify(value)}`, 'HAS CONCEPT MOD'),
    ),
    code(
      findingSite,
      site,
      'HAS CONCEPT MOD',
      side ? [code(concepts.laterality, concepts[side], 'HAS CONCEPT MOD')] : [],
    ),
    ...(segmentation ? [referencedSegment(segmentation)] : []),
    ...group.values.map(measurement),
    ...(group.finding ? [text(dcm('121106', 'Comment'), group.finding)] : []),
    ...(group.stimulus ? [text(dcm('121106', 'Comment'), `Stimulus: ${group.stimulus}`)] : []),
    ...group.values.flatMap((value) => {
      const norm = normText(value);
      return norm ? [text(dcm('121106', 'Comment'), `${value.measure.display}: ${norm}`)] : [];
    }),
    ...group.warnings.map((warning) => text(dcm('121106', 'Comment'), warning)),
  ]);
}

/** The observer: a device, as in TID 1004. */
function observer({ software, camera }: Report): DataSet[] {
  return [
    code(dcm('121005', 'Observer Type'), dcm('121007', 'Device'), 'HAS OBS CONTEXT'),
    uid(dcm('121012', 'Device Observer UID'), implementation),
    text(dcm('121013', 'Device Observer Name'), software, 'HAS OBS CONTEXT'),
    text(dcm('121014', 'Device Observer Manufacturer'), software, 'HAS OBS CONTEXT'),
    text(
      dcm('121015', 'Device Observer Model Name'),
      camera ? `${software} with ${camera.name}` : software,
      'HAS OBS CONTEXT',
    ),
  ];
}

/** TID 1600: the measured images. */
const imageLibrary = (source: DicomSource): DataSet =>
  container(dcm('111028', 'Image Library'), [
    container(dcm('126200', 'Image Library Group'), [
      [
        [0x00081199, 'SQ', [sourceItem(source)]],
        [0x0040a010, 'CS', 'CONTAINS'],
        [0x0040a040, 'CS', 'IMAGE'],
      ],
    ]),
  ]);

type Evidence = Pick<DicomSource, 'sopClassUid' | 'sopInstanceUid' | 'seriesInstanceUid'>;

/** `used`: the photograph, the segmentation, each in its series. */
const evidence = (studyInstanceUid: string, used: readonly Evidence[]): DicomElement => [
  0x0040a375,
  'SQ',
  [
    [
      [
        0x00081115,
        'SQ',
        [
          ...used.map(({ seriesInstanceUid, ...one }): DataSet => [
            [0x00081199, 'SQ', [sourceItem({ studyInstanceUid, seriesInstanceUid, ...one }).slice(0, 2)]],
            [0x0020000e, 'UI', seriesInstanceUid],
          ]),
        ],
      ],
      [0x0020000d, 'UI', studyInstanceUid],
    ],
  ],
];

const check: RecordCheck = new RecordCheck('toDicomSr');

export interface DicomSrOptions {
  /** Refers to the segmentation that `toDicomSeg` creates with the `id` of this report. Default: false. */
  segmentation?: boolean;
}

/**
 * Returns a file in Explicit VR Little Endian. It is marked as unverified. Verification is up to the reader. Throws
 * 'invalid-argument' if the source is a DICOM image and the report lacks the patient and study of its header.
 */
export function toDicomSr(report: Report, options: DicomSrOptions = {}): Uint8Array<ArrayBuffer> {
  const { kind, notice, warnings, created, started, dicomPatient, source } = report;
  check.object('options', options);
  checkIdentity(source.dicom, dicomPatient, check);
  const list = (report.kind === 'retina' && report.corrections) || [];
  const corrections = list.map((one, i) => `Correction ${i + 1}: ${JSON.stringify(one)}`);
  const norms =
    report.kind === 'pupil' && report.norms ? [`Norms for ${report.norms.age} years: ${report.norms.source}`] : [];
  const common: CommonOptions = {
    ...{ sopClass: COMPREHENSIVE_SR, id: report.id, object: 2, source: source.dicom, modality: 'SR' },
    ...{ created, started, patient: dicomPatient },
    description: kind === 'pupil' ? 'Pupillometry, measurements' : 'Retinal vessels, measurements',
  };
  const uids = uidsOf(common);
  const segmentation = options.segmentation ? segmentationOf(common) : null;
  if (segmentation && kind === 'pupil') check.fail('segmentation', 'must be false for a report of pupils.');
  const used = [...(source.dicom ? [source.dicom] : []), ...(segmentation ? [segmentation] : [])];
  const groups = groupsOf(report).map((group, i) =>
    measurementGroup(report, group, i, { trackingUid: uids.further(i + 1), segmentation }),
  );
  const content: DataSet[] = [
    code(
      dcm('121049', 'Language of Content Item and Descendants'),
      { system: 'RFC5646', code: 'en', display: 'English' },
      'HAS CONCEPT MOD',
    ),
    ...observer(report),
    code(
      dcm('121058', 'Procedure reported'),
      own(kind === 'pupil' ? panels.pupilReport : panels.retinaReport),
      'HAS CONCEPT MOD',
    ),
    ...(source.dicom ? [imageLibrary(source.dicom)] : []),
    container(dcm('126010', 'Imaging Measurements'), groups),
    ...[notice, ...norms, ...warnings, ...corrections].map((comment) => text(dcm('121106', 'Comment'), comment)),
  ];
  return dicomFile(COMPREHENSIVE_SR, uids.instance, [
    ...commonElements(common),
    [0x00081111, 'SQ', []],
    [0x0040a040, 'CS', 'CONTAINER'],
    [0x0040a043, 'SQ', [codeItem(dcm('126000', 'Imaging Measurement Report'))]],
    [0x0040a050, 'CS', 'SEPARATE'],
    [0x0040a372, 'SQ', []],
    ...(used.length ? [evidence(uids.study, used)] : []),
    [0x0040a491, 'CS', 'COMPLETE'],
    [0x0040a493, 'CS', 'UNVERIFIED'],
    [0x0040a496, 'CS', 'PRELIMINARY'],
    [
      0x0040a504,
      'SQ',
      [
        [
          [0x00080105, 'CS', 'DCMR'],
          [0x0040db00, 'CS', '1500'],
        ],
      ],
    ],
    [0x0040a730, 'SQ', content],
  ]);
}
