/** Conversion of stored values to 8 bits: modality rescale, window, inversion, palettes (PS3.3, C.7.6.3 and C.11). */
import type { DataSet } from './dicom-elements.ts';
import { damaged } from './faults.ts';
import type { Pace } from './pace.ts';
import { bitsOf, whiteOfBits, type Raster } from './raster.ts';

export interface Stored {
  /** 8 or 16. */
  allocated: number;
  stored: number;
  highBit: number;
  signed: boolean;
}

/** The stored value in a sample: only its bits, with their sign. */
function valueOf(sample: number, { stored, highBit, signed }: Stored): number {
  const value = (sample >> (highBit + 1 - stored)) & (2 ** stored - 1);
  return signed && value >= 2 ** (stored - 1) ? value - 2 ** stored : value;
}

/** Window functions to 0..1 (C.11.2.1.2 and .3). */
function windowed(value: number, center: number, width: number, form: string): number {
  if (form === 'SIGMOID') return 1 / (1 + Math.exp((-4 * (value - center)) / width));
  if (form === 'LINEAR_EXACT') return (value - center) / width + 0.5;
  return width > 1 ? (value - (center - 0.5)) / (width - 1) + 0.5 : Number(value > center - 0.5);
}

/** Value statistics of one or more frames. */
export interface Levels {
  /** Bits that are set in any sample. */
  bits: number;
  least: number;
  largest: number;
}

export const noLevels = (): Levels => ({ bits: 0, least: Infinity, largest: -Infinity });

function windowOf(dataSet: DataSet) {
  const [slope, intercept] = [dataSet.numbers(0x00281053)[0] ?? 1, dataSet.numbers(0x00281052)[0] ?? 0];
  const [center = NaN, width = NaN] = [dataSet.numbers(0x00281050)[0], dataSet.numbers(0x00281051)[0]];
  return width > 0 && Number.isFinite(center + width + slope + intercept)
    ? { center, width, slope, intercept, form: dataSet.text(0x00281056) }
    : null;
}

/**
 * Whether the gray levels depend on the values in the image: without a window, for signed values and for more than 8
 * bits.
 */
export const needsLevels = (dataSet: DataSet, format: Stored): boolean =>
  !windowOf(dataSet) && (format.signed || format.stored > 8);

/** Adds the values of a frame. */
export async function addLevels(levels: Levels, format: Stored, raster: Raster, pace: Pace): Promise<void> {
  if (!format.signed) {
    levels.bits |= await bitsOf(raster, 1, pace);
    return;
  }
  const { width: columns, samples } = raster;
  const look = (y0: number, y1: number) => {
    for (let i = y0 * columns; i < y1 * columns; i++) {
      const value = valueOf(samples[i]!, format);
      if (value < levels.least) levels.least = value;
      if (value > levels.largest) levels.largest = value;
    }
  };
  await pace.rows(raster, look, [0.7, 0.8]);
}

/**
 * Gray value, 0..255, of every sample for MONOCHROME1 and 2. Uses the file's window if it has one, otherwise the whole
 * range of the stored bits. Unused bits of 16-bit data are left out. Signed values use the range from minimum to
 * maximum.
 */
export function grayTable(
  dataSet: DataSet,
  format: Stored,
  { bits, least, largest }: Levels,
): { table: Uint8Array<ArrayBuffer>; notes: string[] } {
  const notes: string[] = [];
  const window = windowOf(dataSet);
  let gray: (sample: number) => number;
  if (window) {
    const { center, width, slope, intercept, form } = window;
    gray = (sample) => windowed(valueOf(sample, format) * slope + intercept, center, width, form);
    if (format.stored > 8) notes.push(`Gray values use the file's window: center ${center}, width ${width}.`);
  } else if (format.signed) {
    gray = (sample) => (valueOf(sample, format) - least) / Math.max(1, largest - least);
    notes.push(`The file names no window. Its values ${least}..${largest} became 0..255.`);
  } else {
    let white = 2 ** format.stored - 1;
    if (format.stored > 8) {
      const used = whiteOfBits((bits >> (format.highBit + 1 - format.stored)) & white);
      if (used.white < white) {
        white = used.white;
        notes.push(used.note!);
      } else if (format.stored < format.allocated)
        notes.push(`The file stores ${format.stored} bits in ${format.allocated}. 0..${white} became 0..255.`);
    }
    gray = (sample) => valueOf(sample, format) / white;
  }
  const negative = dataSet.text(0x00280004) === 'MONOCHROME1';
  const table = Uint8Array.from({ length: 2 ** format.allocated }, (_, sample) => {
    const value = Math.round(255 * Math.min(1, Math.max(0, gray(sample))));
    return negative ? 255 - value : value;
  });
  return { table, notes };
}

/** Red, green and blue of the palette for every sample. */
export function paletteTables(dataSet: DataSet, format: Stored): Uint8Array[] {
  return [1, 2, 3].map((channel) => {
    const descriptor = 0x00281100 + channel;
    const colors = dataSet.get(0x00281200 + channel);
    const count = dataSet.short(descriptor, 0) || 65536;
    const first = dataSet.short(descriptor, 0, 1);
    const deep = dataSet.short(descriptor, 16, 2) > 8;
    // The upper of two bytes in a word, or the only byte.
    const upper = deep === dataSet.coding.little ? 1 : 0;
    if (!colors || colors.to - colors.from < count)
      throw damaged('The DICOM file is damaged: its palette is missing or too short.');
    const { bytes } = dataSet;
    // 8-bit palettes are stored as bytes, or one per 16-bit word.
    const words = colors.to - colors.from >= 2 * count;
    const at = (i: number) => (words ? bytes[colors.from + 2 * i + upper]! : bytes[colors.from + i]!);
    return Uint8Array.from({ length: 2 ** format.allocated }, (_, sample) =>
      at(Math.min(count - 1, Math.max(0, valueOf(sample, format) - first))),
    );
  });
}
