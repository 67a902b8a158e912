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
 * RGBA. Browsers take CMYK in JPEG for inverted, as Adobe's programs write it, and multiply each color with black; sharp gives
 * what an ICC profile makes of it, or samples that are the right way round where Adobe's marker is there.
 */
export function cmykPixels(samples: Uint8ClampedArray, bytes: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const turned = jpegHeader(bytes)!.adobe ? 255 : 0;
  const rgba = new Uint8ClampedArray(samples.length);
  for (let i = 0; i < samples.length; i += 4) {
    const black = samples[i + 3]! ^ turned;
    for (let c = 0; c < 3; c++) rgba[i + c] = Math.floor(((samples[i + c]! ^ turned) * black) / 255);
    rgba[i + 3] = 255;
  }
  return rgba;
}
