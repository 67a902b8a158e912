/**
 * Photographs of the retina as DICOM files, of the kinds that cameras and archives write, and the SEG and SR that belong to
 * them.
 */
import { toDicomSeg, toDicomSr, createReport } from '../../../src/reports/index.ts';
import { retinalMeasures } from '../../../src/vessels/measures.ts';
import type { ImageFile, VesselResult } from '../../../src/results/types.ts';
import type { OpticDiscResult } from '../../../src/vessels/retina/operation.ts';
import { dicomFile, syntaxes, type DicomElement } from '../../../test/support/dicom-writer.ts';
import { drawnPhotograph } from '../../../test/vessels/drawn.ts';
import { drawnRetina } from '../../../test/vessels/scenes.ts';

export interface Photograph {
  name: string;
  width: number;
  height: number;
  /** RGB, three bytes per pixel. */
  rgb: Uint8Array;
  /** A JPEG in YBR_FULL_422. */
  jpeg: Uint8Array;
}

/** Drawn retinas, each with different vessels. */
export function drawnRgb(n: number): Omit<Photograph, 'jpeg'> {
  const side = 440 + 20 * (n % 3);
  const [arteries, veins] = [
    [7, 6, 6, 5, 5, 4],
    [10, 9, 8, 8, 7, 6],
  ].map((list) => list.map((width) => width + 0.2 * (n % 4)));
  const lines = drawnRetina(side, 0.1 + 0.15 * n, { arteries: arteries!, veins: veins! });
  const { width, height, data } = drawnPhotograph({
    width: side,
    height: side,
    fundus: true,
    noise: 1,
    seed: n,
    ...lines,
  });
  const rgb = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) rgb.set(data.subarray(4 * i, 4 * i + 3), 3 * i);
  return { name: `drawn ${n + 1}`, width, height, rgb };
}

/** Identities as they occur: letters beyond ASCII, groups of a name, empty and absent elements, zones. */
const people: readonly (readonly DicomElement[])[] = [
  [
    [0x00080050, 'SH', 'ACC-1'],
    [0x00080090, 'PN', 'Arzt^Anna'],
    [0x00081030, 'LO', 'Fundus, both eyes'],
    [0x00100010, 'PN', 'Beispiel^Bert'],
    [0x00100020, 'LO', 'P-0001'],
    [0x00100030, 'DA', '19710203'],
    [0x00100040, 'CS', 'M'],
    [0x00200010, 'SH', 'ST1'],
  ],
  [
    [0x00080005, 'CS', 'ISO_IR 192'],
    [0x00080090, 'PN', ''],
    [0x00100010, 'PN', 'Yamada^Tarou=山田^太郎'],
    [0x00100020, 'LO', '42-ß'],
    [0x00100021, 'LO', 'Clinic'],
    [0x00100030, 'DA', ''],
    [0x00100040, 'CS', 'F'],
    [0x00101010, 'AS', '046Y'],
    [0x00080201, 'SH', '+0900'],
  ],
  [
    [0x00080005, 'CS', 'ISO_IR 100'],
    [0x00100010, 'PN', Uint8Array.from('M\xfcller^\xc4nne ', (letter) => letter.charCodeAt(0))],
    [0x00100020, 'LO', ' 0007'],
    [0x00100040, 'CS', 'O'],
    [0x00104000, 'LT', 'A comment\\with a backslash'],
  ],
  [
    [0x00100010, 'PN', 'ANON'],
    [0x00100020, 'LO', ''],
    [0x00120062, 'CS', 'YES'],
    [0x00120063, 'LO', 'Names replaced'],
    [0x00080201, 'SH', '-0330'],
  ],
];

const kinds = ['explicit', 'implicit', 'baseline', 'stack'] as const;

const utf8 = ([tag, vr, value]: DicomElement): DicomElement => [
  tag,
  vr,
  typeof value === 'string' && ['PN', 'LO', 'SH', 'LT'].includes(vr) ? padded(new TextEncoder().encode(value)) : value,
];
const padded = (bytes: Uint8Array) => (bytes.length % 2 ? Uint8Array.of(...bytes, 32) : bytes);

/** Code of one item (PS3.3, 8). */
const coded = (code: string, scheme: string, meaning: string): DicomElement[] => [
  [0x00080100, 'SH', code],
  [0x00080102, 'SH', scheme],
  [0x00080104, 'LO', meaning],
];

/** An Ophthalmic Photography 8 Bit Image (PS3.3, A.41). Each number has another kind of file and another person. */
export async function photographFile(n: number, { width, height, rgb, jpeg }: Photograph): Promise<Uint8Array> {
  const kind = kinds[n % kinds.length]!;
  const side = n % 2 ? 'R' : 'L';
  const root = `1.2.826.0.1.3680043.10.1000.${n + 1}`;
  const frames = kind === 'stack' ? 3 : 1;
  const encapsulated = kind === 'baseline';
  const sop = '1.2.840.10008.5.1.4.1.1.77.1.5.1';
  const elements = new Map<number, DicomElement>();
  const usual: DicomElement[] = [
    [0x00080008, 'CS', 'ORIGINAL\\PRIMARY\\\\COLOR'],
    [0x00080016, 'UI', sop],
    [0x00080018, 'UI', `${root}.1`],
    [0x00080020, 'DA', '20260504'],
    [0x00080022, 'DA', '20260504'],
    [0x00080023, 'DA', '20260504'],
    [0x0008002a, 'DT', '20260504101730.5'],
    [0x00080030, 'TM', '101500'],
    [0x00080033, 'TM', '101730.5'],
    [0x00080050, 'SH', ''],
    [0x00080060, 'CS', 'OP'],
    [0x00080070, 'LO', 'Maker'],
    [0x00080090, 'PN', ''],
    [0x00081090, 'LO', 'Camera 3'],
    [0x00082218, 'SQ', [coded('5665001', 'SCT', 'Retina')]],
    [0x00100010, 'PN', ''],
    [0x00100020, 'LO', ''],
    [0x00100030, 'DA', ''],
    [0x00100040, 'CS', ''],
    [0x00181000, 'LO', 'SN9'],
    [0x00181020, 'LO', '2.1'],
    [0x00181063, 'DS', '40'],
    [0x0018106a, 'CS', 'NO TRIGGER'],
    [0x00181800, 'CS', 'N'],
    [0x00187004, 'CS', 'CCD'],
    [0x0020000d, 'UI', `${root}.2`],
    [0x0020000e, 'UI', `${root}.3`],
    [0x00200010, 'SH', ''],
    [0x00200011, 'IS', n % 3 ? 1 : 8001],
    [0x00200013, 'IS', 1],
    [0x00200020, 'CS', ''],
    [0x00200062, 'CS', side],
    [0x00200200, 'UI', `${root}.4`],
    [0x00220005, 'CS', ''],
    [0x0022000a, 'FL', new Uint8Array(0)],
    [0x0022000b, 'FL', new Uint8Array(0)],
    [0x0022000c, 'FL', new Uint8Array(0)],
    [0x0022000d, 'CS', 'NO'],
    [0x00220015, 'SQ', [coded('409898007', 'SCT', 'Fundus Camera')]],
    [0x00220016, 'SQ', []],
    [0x00220017, 'SQ', []],
    [0x00220018, 'SQ', []],
    [0x00220019, 'SQ', []],
    [0x0022001b, 'SQ', []],
    [0x0022001c, 'SQ', []],
    [0x00280002, 'US', 3],
    [0x00280004, 'CS', encapsulated ? 'YBR_FULL_422' : 'RGB'],
    [0x00280006, 'US', 0],
    [0x00280008, 'IS', frames],
    [0x00280009, 'AT', Uint8Array.of(0x18, 0, 0x63, 0x10)],
    [0x00280010, 'US', height],
    [0x00280011, 'US', width],
    [0x00280030, 'DS', '0.008\\0.008'],
    [0x00280100, 'US', 8],
    [0x00280101, 'US', 8],
    [0x00280102, 'US', 7],
    [0x00280103, 'US', 0],
    [0x00280301, 'CS', 'NO'],
    [0x00282110, 'CS', encapsulated ? '01' : '00'],
    ...(encapsulated
      ? ([
          [0x00282112, 'DS', (rgb.length / jpeg.length).toFixed(2)],
          [0x00282114, 'CS', 'ISO_10918_1'],
        ] satisfies DicomElement[])
      : []),
  ];
  for (const element of [...usual, ...people[n % people.length]!.map(utf8)]) elements.set(element[0], element);
  const native = new Uint8Array(frames * rgb.length + ((frames * rgb.length) % 2));
  for (let frame = 0; frame < frames; frame++) native.set(rgb, frame * rgb.length);
  return dicomFile({
    syntax: syntaxes[kind === 'stack' ? 'explicit' : kind],
    elements: [...elements.values()],
    pixels: encapsulated ? [jpeg] : native,
    vr: 'OB',
    media: { sopClass: sop, instance: `${root}.1` },
  });
}

/** SEG and SR of a result. Every third one was corrected. */
export function recordsOf(n: number, file: ImageFile, result: VesselResult, found: OpticDiscResult) {
  const retina = retinalMeasures(result, found);
  const corrections = n % 3 ? null : [{ action: 'erase' }, { action: 'disc' }];
  const report = createReport({
    ...{ kind: 'retina', started: '2026-05-04T09:30:00Z', created: '2026-05-04T09:32:00Z', result, retina },
    ...{ corrections, source: { dicom: result.dicom ?? null } },
    warnings: file.notes,
  });
  const { id, created } = report;
  return {
    seg: toDicomSeg(result, { id, created, retina, corrections }),
    sr: toDicomSr(report, { segmentation: true }),
  };
}
