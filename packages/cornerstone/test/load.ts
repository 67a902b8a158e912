/** The package with the library that it imports, in one bundle, and a photograph. */
import { dicomFile, pictureElements, type DicomElement } from '../../../test/support/dicom-writer.ts';

export * from '../src/index.ts';
export { createEngine, toDicomSeg } from '../../../src/index.ts';

const side = 320;
export const patient: readonly DicomElement[] = [
  [0x00080018, 'UI', '1.2.3.4'],
  [0x00080022, 'DA', '20260504'],
  [0x00080032, 'TM', '093000'],
  [0x00080201, 'SH', '+0200'],
  [0x00100010, 'PN', 'Doe^Jane'],
  [0x00100020, 'LO', '7'],
  [0x0020000d, 'UI', '1.2.3.1'],
  [0x0020000e, 'UI', '1.2.3.2'],
  [0x00200062, 'CS', 'R'],
  [0x00280030, 'DS', '0.02\\0.02'],
];

/** Vessels on two arcs and a line through a bright disc, in color. */
export function photograph(further = patient): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = new Uint8Array(3 * side * side);
  for (let i = 0; i < side * side; i++) {
    const [x, y] = [(i % side) - 100, Math.floor(i / side) - 160];
    if (Math.hypot(x - 60, y) > 0.48 * side) continue;
    const vessel = Math.abs(Math.abs(y) - 0.006 * x ** 2) < 3 || Math.abs(x) < 2;
    const color = vessel ? [130, 55, 20] : Math.hypot(x, y) < 24 ? [240, 200, 120] : [190, 110, 40];
    pixels.set(color, 3 * i);
  }
  return dicomFile({ elements: pictureElements(side, side, { samples: 3 }, further), pixels });
}
