/** What browsers do with a JPEG, and sharp otherwise. */
import { jpegHeader } from '../frames/image-files/jpeg.ts';

const END = 0xd9;

/** Whether there is an end marker. Browsers take a JPEG without one for a file that is still loading. */
export function endsWell(bytes: Uint8Array): boolean {
  for (let at = bytes.lastIndexOf(END); at > 2; at = bytes.lastIndexOf(END, at - 1))
    if (bytes[at - 1] === 0xff) return true;
  return false;
}

/** Four components: CMYK, or YCCK, which the decoder makes CMYK of. */
export const isCmyk = (bytes: Uint8Array): boolean => jpegHeader(bytes)?.components === 4;

/**
 * RGBA of ink, 0 for none. Browsers and sharp take CMYK in JPEG for inverted, as Adobe's programs write it; browsers then
 * multiply each color with black, and sharp asks an ICC profile.
 */
export function cmykPixels(ink: Uint8ClampedArray): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(ink.length);
  for (let i = 0; i < ink.length; i += 4) {
    const black = 255 - ink[i + 3]!;
    for (let c = 0; c < 3; c++) rgba[i + c] = Math.floor(((255 - ink[i + c]!) * black) / 255);
    rgba[i + 3] = 255;
  }
  return rgba;
}
