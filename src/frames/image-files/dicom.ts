/**
 * DICOM: photographs of 8 and 16 bits in one or three samples, as ophthalmic photography (PS3.3, A.41 and A.42) has them.
 * Written after the standard: dicom-parser 1.8 is no ES module and has not been kept up since 2023.
 */
import type { GrayImage, ImageFile, PixelSpacing } from '../../results/types.ts';
import { checkDecoded, checkSize } from '../size.ts';
import { dataSetOf, name, PIXEL_DATA, type DataSet } from './dicom-elements.ts';
import { checkSyntax, firstFrame, frameEnd, type Frame, type FrameFormat } from './dicom-frame.ts';
import { grayTable, paletteTables } from './dicom-tables.ts';
import { checkHeld, damaged, unsupported } from './faults.ts';
import type { Pace } from './pace.ts';
import { rgbaImage } from '../rgba-image.ts';
import { linearTable, toImage } from './raster.ts';

/** Attributes that name the distance of pixels, the nearest to the retina first. */
const spacings = [
  [0x00280030, 'Pixel Spacing'],
  [0x00182010, 'Nominal Scanned Pixel Spacing'],
  [0x00181164, 'Imager Pixel Spacing'],
] as const;

/** Row spacing and column spacing in millimetres, also where they stand in functional groups. */
async function spacingOf(dataSet: DataSet, pace: Pace): Promise<PixelSpacing | null> {
  const groups = (await dataSet.first(0x52009229, pace)) ?? (await dataSet.first(0x52009230, pace));
  const places = [dataSet, await groups?.first(0x00289110, pace)];
  for (const [tag, attribute] of spacings)
    for (const place of places) {
      const [vertical = 0, horizontal = 0] = place?.numbers(tag) ?? [];
      if (vertical > 0 && horizontal > 0 && Number.isFinite(vertical + horizontal))
        return { x: 1000 * horizontal, y: 1000 * vertical, attribute };
    }
  return null;
}

function formatOf(dataSet: DataSet): FrameFormat {
  const [height, width] = [dataSet.short(0x00280010, 0), dataSet.short(0x00280011, 0)];
  if (!height || !width) throw damaged('The DICOM file is damaged: its picture has no size (Rows, Columns).');
  checkSize(width, height);
  const pixels = width * height;
  const samples = dataSet.short(0x00280002, 1);
  const allocated = dataSet.short(0x00280100, 8);
  const stored = dataSet.short(0x00280101, allocated);
  const highBit = dataSet.short(0x00280102, stored - 1);
  const photometric = dataSet.text(0x00280004) || 'MONOCHROME2';
  const kinds = samples === 1 ? ['MONOCHROME1', 'MONOCHROME2', 'PALETTE COLOR'] : ['RGB', 'YBR_FULL', 'YBR_FULL_422'];
  if ((samples !== 1 && samples !== 3) || !kinds.includes(photometric))
    throw unsupported(
      `The DICOM file's colors are ${photometric} in ${samples} samples; gray, RGB, YBR_FULL and palettes are read.`,
    );
  if ((allocated !== 8 && allocated !== 16) || (photometric.startsWith('YBR') && allocated === 16))
    throw unsupported(`The DICOM file has ${photometric} samples of ${allocated} bits; 8 and 16 bits are read.`);
  if (stored < 1 || highBit >= allocated || highBit + 1 < stored)
    throw damaged(`The DICOM file is damaged: ${stored} bits up to bit ${highBit} in ${allocated}.`);
  const gray = photometric.startsWith('MONOCHROME');
  if (!gray) checkDecoded(width, height);
  const decoded = (pixels * samples * allocated) / 8 + pixels * (gray ? 1 : 4);
  checkHeld(decoded);
  return {
    ...{ width, height, samples: samples as 1 | 3, photometric, allocated, stored, highBit },
    signed: dataSet.short(0x00280103, 0) === 1,
    planar: samples === 3 && dataSet.short(0x00280006, 0) === 1,
    frames: Math.max(1, dataSet.numbers(0x00280008)[0] || 1),
    decoded,
  };
}

/** Y, Cb, Cr of ITU-R BT.601 in full range to RGB, in place (PS3.3, C.7.6.3.1.2). */
async function yccToRgb(size: FrameFormat, data: Uint8Array, pace: Pace): Promise<void> {
  const clamped = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  const convert = (y0: number, y1: number) => {
    for (let i = 3 * y0 * size.width, end = 3 * y1 * size.width; i < end; i += 3) {
      const y = data[i]!;
      const cb = data[i + 1]! - 128;
      const cr = data[i + 2]! - 128;
      clamped[i] = Math.round(y + 1.402 * cr); // an array's own rounding takes halves to even numbers
      clamped[i + 1] = Math.round(y - 0.344136 * cb - 0.714136 * cr);
      clamped[i + 2] = Math.round(y + 1.772 * cb);
    }
  };
  await pace.rows(size, convert, [0.7, 0.8]);
}

async function imageOf(
  dataSet: DataSet,
  format: FrameFormat,
  { data, rgb }: Frame,
  pace: Pace,
): Promise<{ image: GrayImage | ImageData; notes: string[] }> {
  const { width, height, samples, photometric } = format;
  const raster = { width, height, channels: samples, samples: data };
  if (photometric === 'PALETTE COLOR') {
    const [red, green, blue] = paletteTables(dataSet, format) as [Uint8Array, Uint8Array, Uint8Array];
    const out = new Uint8ClampedArray(4 * width * height).fill(255);
    const look = (y0: number, y1: number) => {
      for (let i = y0 * width; i < y1 * width; i++) {
        out[4 * i] = red[data[i]!]!;
        out[4 * i + 1] = green[data[i]!]!;
        out[4 * i + 2] = blue[data[i]!]!;
      }
    };
    await pace.rows(format, look, [0.8, 0.95]);
    return { image: rgbaImage(width, height, out), notes: [] };
  }
  if (samples === 1) {
    const { table, notes } = await grayTable(dataSet, format, raster, pace);
    return { image: await toImage(raster, pace, table), notes };
  }
  if (photometric.startsWith('YBR') && !rgb) await yccToRgb(format, data as Uint8Array, pace);
  const table = data instanceof Uint16Array ? linearTable(2 ** format.stored - 1) : undefined;
  return { image: await toImage(raster, pace, table), notes: [] };
}

export async function readDicom(file: Blob, pace: Pace): Promise<ImageFile> {
  const { dataSet, syntax } = await dataSetOf(file, pace, (found, syntax) => {
    const format = formatOf(found);
    checkSyntax(syntax);
    return frameEnd(found, syntax, format);
  });
  await pace.step(0.1);
  if (!dataSet.has(PIXEL_DATA)) {
    const kind = [dataSet.text(0x00080060), dataSet.text(0x00080016)].filter(Boolean).join(', SOP class ');
    throw unsupported(
      `The DICOM file holds no picture that is read (${kind || 'of no kind'}; there is no pixel data ${name(PIXEL_DATA)}). Take the photograph itself.`,
    );
  }
  const format = formatOf(dataSet);
  checkSyntax(syntax);
  const notes: string[] = [];
  if (format.frames > 1) notes.push(`The first of the file's ${format.frames} frames was read.`);
  const spacing = await spacingOf(dataSet, pace);
  if (spacing?.attribute === 'Imager Pixel Spacing')
    notes.push("The file's pixel spacing is that of the camera's sensor, not of the retina.");
  const frame = await firstFrame(dataSet, syntax, format, pace);
  const { image, notes: more } = await imageOf(dataSet, format, frame, pace);
  notes.push(...more);
  return { format: 'DICOM', bits: format.stored, image, spacing, notes };
}
