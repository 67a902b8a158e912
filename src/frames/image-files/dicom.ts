/**
 * DICOM: images of 8 and 16 bits in one or three samples, as in ophthalmic photography (PS3.3, A.41 and A.42). Written
 * from the standard, because dicom-parser 1.8 is not an ES module and has not been maintained since 2023.
 */
import type { GrayImage, PixelSpacing } from '../../results/types.ts';
import { FoveolaError } from '../../runtime/error.ts';
import { rgbaImage, checkDecoded, checkSize } from '../size.ts';
import { dataSetOf, name, PIXEL_DATA, syntaxes, type DataSet } from './dicom-elements.ts';
import { identityOf } from './dicom-identity.ts';
import { firstFrame, frameEnd, frameReader, type FrameReader } from './dicom-fragments.ts';
import {
  checkSyntax,
  decodedFrame,
  nativeBytes,
  type Frame,
  type FrameFormat,
  type StoredFrame,
} from './dicom-frame.ts';
import { addLevels, grayTable, needsLevels, noLevels, paletteTables, type Levels } from './dicom-tables.ts';
import { checkHeld, damaged, unsupported } from './faults.ts';
import type { Pace } from './pace.ts';
import { firstOf, PAGE_TIME, type PagedFile } from './paged.ts';
import { linearTable, toImage, type Raster } from './raster.ts';

/** Attributes for the pixel spacing, the one nearest to the retina first. */
const spacings = [
  [0x00280030, 'Pixel Spacing'],
  [0x00182010, 'Nominal Scanned Pixel Spacing'],
  [0x00181164, 'Imager Pixel Spacing'],
] as const;

/** Row spacing and column spacing in millimeters, also from functional groups. */
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

/** Colors of JPEG 2000 (YBR_RCT, YBR_ICT) are RGB after decoding. */
const colors = ['RGB', 'YBR_FULL', 'YBR_FULL_422', 'YBR_RCT', 'YBR_ICT'];
const grays = ['MONOCHROME1', 'MONOCHROME2', 'PALETTE COLOR'];

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
  const kinds = samples === 1 ? grays : colors;
  if ((samples !== 1 && samples !== 3) || !kinds.includes(photometric))
    throw unsupported(
      `The DICOM file's colors are ${photometric} in ${samples} samples. Convert them to gray, RGB, YBR_FULL or palettes.`,
    );
  if ((allocated !== 8 && allocated !== 16) || (photometric.startsWith('YBR') && allocated === 16))
    throw unsupported(`The DICOM file has ${photometric} samples of ${allocated} bits. Convert them to 8 or 16 bits.`);
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
      clamped[i] = Math.round(y + 1.402 * cr); // the array itself would round halves to even numbers
      clamped[i + 1] = Math.round(y - 0.344136 * cb - 0.714136 * cr);
      clamped[i + 2] = Math.round(y + 1.772 * cb);
    }
  };
  await pace.rows(size, convert, [0.7, 0.8]);
}

const isGray = ({ photometric }: FrameFormat) => photometric.startsWith('MONOCHROME');
const rasterOf = ({ width, height, samples }: FrameFormat, { data }: Frame): Raster => ({
  ...{ width, height, channels: samples, samples: data },
});

/** `table`: gray values of its samples. */
async function imageOf(
  dataSet: DataSet,
  format: FrameFormat,
  frame: Frame,
  table: Uint8Array<ArrayBuffer> | null,
  pace: Pace,
): Promise<GrayImage | ImageData> {
  const { width, height, photometric } = format;
  const { data, rgb } = frame;
  const raster = rasterOf(format, frame);
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
    return rgbaImage(width, height, out);
  }
  if (table) return toImage(raster, pace, table);
  if (photometric.startsWith('YBR') && !rgb) await yccToRgb(format, data as Uint8Array, pace);
  return toImage(raster, pace, data instanceof Uint16Array ? linearTable(2 ** format.stored - 1) : undefined);
}

/** Milliseconds from the first frame to each frame, from the file or at 25 frames per second. */
function timesOf(dataSet: DataSet, frames: number): (frame: number) => number {
  const steps = dataSet.numbers(0x00181065);
  if (steps.length >= frames && steps.every((step) => step >= 0)) {
    let time = 0;
    const times = steps.slice(1).map((step) => (time += step));
    return (frame) => (frame ? times[frame - 1]! : 0);
  }
  const [step = 0] = dataSet.numbers(0x00181063);
  const rates = [0x00180040, 0x00082144].map((tag) => dataSet.numbers(tag)[0] ?? 0);
  const rate = rates.find((one) => one > 0) ?? 0;
  const interval = step > 0 ? step : rate > 0 ? 1000 / rate : PAGE_TIME;
  return (frame) => frame * interval;
}

const noPicture = (dataSet: DataSet) => {
  const kind = [dataSet.text(0x00080060), dataSet.text(0x00080016)].filter(Boolean).join(', SOP class ');
  return unsupported(
    `The DICOM file has no readable image (${kind || 'unknown type'}, no pixel data ${name(PIXEL_DATA)}). Choose the photograph itself.`,
  );
};

/** `frames`: number of frames to keep in memory if they cannot be read one by one. */
async function opened(file: Blob, pace: Pace, frames: number) {
  const { dataSet, syntax } = await dataSetOf(file, pace, (found, syntax) => {
    const format = formatOf(found);
    checkSyntax(syntax);
    const first = frameEnd(found, syntax, format);
    if (frames === 1 || syntax !== syntaxes.deflated) return first;
    return first + (Math.min(frames, format.frames) - 1) * nativeBytes(format);
  });
  if (!dataSet.has(PIXEL_DATA)) throw noPicture(dataSet);
  checkSyntax(syntax);
  return { dataSet, syntax, format: formatOf(dataSet) };
}

export async function openDicom(file: Blob, pace: Pace): Promise<PagedFile> {
  const { dataSet, syntax, format } = await opened(file, pace, 1);
  await pace.step(0.1);
  const { frames } = format;
  const notes: string[] = [];
  const spacing = await spacingOf(dataSet, pace);
  if (spacing?.attribute === 'Imager Pixel Spacing')
    notes.push("The file's pixel spacing refers to the camera sensor, not to the retina.");
  const dicom = await identityOf(dataSet, syntax, { notes, pace, ratio: (frames * nativeBytes(format)) / file.size });
  const decoded = (stored: StoredFrame) => decodedFrame(stored, syntax, format, pace);
  const table = (levels: Levels) => {
    const found = grayTable(dataSet, format, levels);
    notes.push(...found.notes);
    return found.table;
  };
  return {
    ...{ format: 'DICOM', bits: format.stored, spacing, notes, pages: frames, frames },
    ...(dicom && { dicom }),
    async *read(all) {
      if (!all && frames > 1) notes.push(firstOf(1, frames, 'frame'));
      const several = all && frames > 1;
      const readFrame = several ? await allFrames(file, syntax, { dataSet, format }, pace) : null;
      const levels = noLevels();
      const add = (frame: Frame) => addLevels(levels, format, rasterOf(format, frame), pace);
      const asked = isGray(format) && needsLevels(dataSet, format);
      if (asked && readFrame) await addAll(frames, async (i) => add(await decoded(await readFrame(i))));
      let grays: Uint8Array<ArrayBuffer> | null = null;
      const timeOf = timesOf(dataSet, frames);
      for (let i = 0; i < (all ? frames : 1); i++) {
        const frame = await decoded(readFrame ? await readFrame(i) : firstFrame(dataSet, syntax, format));
        if (asked && !readFrame) await add(frame);
        if (isGray(format)) grays ??= table(levels);
        const image = await imageOf(dataSet, format, frame, grays, pace);
        const [time, next] = [timeOf(i), i + 1 < frames ? timeOf(i + 1) : NaN];
        yield { image, time, duration: next > time ? next - time : PAGE_TIME, skipped: 0 };
      }
    },
  };
}

async function allFrames(
  file: Blob,
  syntax: string,
  { dataSet, format }: { dataSet: DataSet; format: FrameFormat },
  pace: Pace,
): Promise<FrameReader> {
  const whole = syntax === syntaxes.deflated ? (await opened(file, pace, Infinity)).dataSet : dataSet;
  return frameReader(file, whole, syntax, format, pace);
}

/** A missing or damaged frame is reported later, when it is read. */
async function addAll(frames: number, add: (frame: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < frames; i++)
    try {
      await add(i);
    } catch (error) {
      if (i && error instanceof FoveolaError && error.code === 'decode-failed') return;
      throw error;
    }
}
