/** Middlebury pairs of ../shared with their true flow, and the endpoint error. */
import type { OpticalFlowResult } from '../../src/api.ts';
import { sharedFile } from '../support/shared.ts';
import type { Texture } from './texture.ts';

/** u and v interleaved; components above 1e9: not known. */
export type Truth = Float32Array;

export async function readPair(name: string): Promise<{ previous: Texture; next: Texture; truth: Truth }> {
  const frame = async (number: number) => {
    const blob = await (await sharedFile(`data/flow/${name}/frame${number}.png`)).blob();
    return grayOf(await createImageBitmap(blob, { colorSpaceConversion: 'none' }));
  };
  const file = await (await sharedFile(`data/flow/${name}/flow10.flo`)).arrayBuffer();
  return { previous: await frame(10), next: await frame(11), truth: new Float32Array(file, 12) };
}

export function grayOf(bitmap: ImageBitmap): Texture {
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  canvas.drawImage(bitmap, 0, 0);
  const { data } = canvas.getImageData(0, 0, width, height);
  const gray = new Uint8Array(width * height);
  for (let i = 0; i < gray.length; i++)
    gray[i] = (9798 * data[4 * i]! + 19235 * data[4 * i + 1]! + 3735 * data[4 * i + 2]! + 16384) >> 15;
  return { width, height, data: gray };
}

/** Mean distance to the truth in pixels: over all pixels with known truth, and over those that are valid. */
export function endpointErrors({ u, v, valid }: OpticalFlowResult, truth: Truth) {
  let all = 0;
  let known = 0;
  let good = 0;
  let share = 0;
  for (let i = 0; i < u.length; i++) {
    const [a, b] = [truth[2 * i]!, truth[2 * i + 1]!];
    if (Math.abs(a) > 1e9 || Math.abs(b) > 1e9) continue;
    const error = Math.hypot(u[i]! - a, v[i]! - b);
    all += error;
    known++;
    if (!valid[i]) continue;
    good += error;
    share++;
  }
  return { all: all / known, valid: good / share, share: share / known };
}
