/** A gray image as PNG. */
import { encodePng, type GrayImage } from '../node/index.ts';

export const png = async (image: GrayImage): Promise<Uint8Array> =>
  new Uint8Array(await (await encodePng({ ...image, channels: 1 })).arrayBuffer());
