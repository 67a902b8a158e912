/** Mask and overlay of vessels as PNG files that contain their origin. */
import { sourcePixels, type SourcePixels } from '../frames/read-image.ts';
import type { VesselExportHeader } from '../results/export-vessels.ts';
import { encodePng, type PngOptions } from '../results/png.ts';
import { notice } from '../results/recording.ts';
import type { Source, VesselResult } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';

export interface MaskPngOptions {
  /** Written into the file: version, source and its SHA-256, parameters, backend and renderer. */
  header?: VesselExportHeader;
}

export interface OverlayPngOptions extends MaskPngOptions {
  /** Red, green and blue, 0 to 255 each. */
  color?: readonly [number, number, number];
  /** 0 to 1. */
  opacity?: number;
}

const bad = (text: string) => new FoveolaError('invalid-argument', text);

/** pHYs and text chunks of both files. */
function described(
  { mask, fraction, confidence, warnings, scale }: VesselResult,
  { header }: MaskPngOptions,
): PngOptions {
  const { width, height } = mask;
  const text = header && {
    Software: `foveola ${header.version}`,
    Disclaimer: notice,
    Comment: JSON.stringify({
      ...header,
      source: { ...header.source, width, height },
      ...{ fraction, confidence, warnings, scale: scale ?? null },
    }),
  };
  return { micrometresPerPixel: scale?.micrometresPerPixel, text };
}

/**
 * The mask as an 8-bit gray PNG: 255 vessel, 0 none. A known scale is written as pHYs. `header` is written to text
 * chunks (Software, Disclaimer, Comment as JSON). Works in pages, workers and Node.
 * @throws {FoveolaError} (rejects) 'source-unsupported' (no CompressionStream)
 */
export const maskPng = (result: VesselResult, options: MaskPngOptions = {}): Promise<Blob> =>
  encodePng({ ...result.mask, channels: 1 }, described(result, options));

/**
 * The photograph with the mask over it, as an RGB PNG in full size. If the photograph is `null`, only the mask in its
 * color, as an RGBA PNG that is transparent elsewhere. `source`: the input of `engine.vessels`.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (a different size, a color or opacity out of range), and all
 * errors of reading the source
 */
export const overlayPng = async (
  source: Source | null,
  result: VesselResult,
  options: OverlayPngOptions = {},
): Promise<Blob> => overlayPngOf(source && (await sourcePixels(source)), result, options);

/** Like `overlayPng`, for samples that were read already. */
export async function overlayPngOf(
  picture: SourcePixels | null,
  result: VesselResult,
  { color = [0, 160, 255], opacity = 0.6, header }: OverlayPngOptions = {},
): Promise<Blob> {
  if (!(opacity >= 0 && opacity <= 1)) throw bad(`overlayPng: opacity must be from 0 to 1, not ${opacity}.`);
  if (color.length !== 3 || color.some((value) => !(value >= 0 && value <= 255)))
    throw bad(`overlayPng: color must be [red, green, blue] from 0 to 255, not ${String(color)}.`);
  const { width, height, data: mask } = result.mask;
  const about = described(result, { header });
  if (picture === null) {
    const data = new Uint8Array(4 * mask.length);
    const pixel = [...color, Math.round(255 * opacity)];
    for (let i = 0; i < mask.length; i++) if (mask[i]) data.set(pixel, 4 * i);
    return encodePng({ width, height, channels: 4, data }, about);
  }
  if (picture.width !== width || picture.height !== height)
    throw bad(
      `overlayPng: the source has ${picture.width}x${picture.height} pixels, but the result has ${width}x${height}. Pass the source of the result.`,
    );
  return encodePng({ width, height, channels: 3, data: blended(picture, mask, color, opacity) }, about);
}

function blended(
  { kind, data }: SourcePixels,
  mask: Uint8Array,
  color: readonly number[],
  opacity: number,
): Uint8Array {
  const out = new Uint8Array(3 * mask.length);
  const [step, next] = kind === 'gray' ? [1, 0] : [4, 1];
  for (let i = 0; i < mask.length; i++)
    for (let c = 0; c < 3; c++) {
      const value = data[step * i + next * c]!;
      out[3 * i + c] = mask[i] ? Math.round(value + opacity * (color[c]! - value)) : value;
    }
  return out;
}
