// Gray pixels of image files in Node, which has no decoders: the browser decodes them, as pages do.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Weights of red, green and blue, 14 bits. Gray: as src/image/gray.ts, BT.601. */
export const CHANNELS = { gray: [4899, 9617, 1868], green: [0, 16384, 0] };

/** [{ width, height, data }] in the order of the files. `openBrowser` as in tools/browser.mjs. */
export async function decodeImages(files, openBrowser, weights = CHANNELS.gray) {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const images = [];
    for (const file of files) {
      const bytes = readFileSync(file).toString('base64');
      const type = `image/${path.extname(file).slice(1).replace('jpg', 'jpeg')}`;
      const { width, height, gray } = await page.evaluate(
        async (bytes, type, [red, green, blue]) => {
          const binary = Uint8Array.from(window.atob(bytes), (c) => c.charCodeAt(0));
          const options = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' };
          const bitmap = await window.createImageBitmap(new Blob([binary], { type }), options);
          const { width, height } = bitmap;
          const context = new window.OffscreenCanvas(width, height).getContext('2d');
          context.drawImage(bitmap, 0, 0);
          const { data } = context.getImageData(0, 0, width, height);
          const out = new Uint8Array(width * height);
          for (let i = 0; i < out.length; i++)
            out[i] = (red * data[4 * i] + green * data[4 * i + 1] + blue * data[4 * i + 2] + 8192) >> 14;
          let text = '';
          for (let i = 0; i < out.length; i += 32768) text += String.fromCharCode(...out.subarray(i, i + 32768));
          return { width, height, gray: window.btoa(text) };
        },
        bytes,
        type,
        weights,
      );
      images.push({ width, height, data: new Uint8Array(Buffer.from(gray, 'base64')) });
    }
    return images;
  } finally {
    await browser.close();
  }
}
