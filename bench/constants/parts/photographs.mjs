// Pixels of image files with their colors, decoded by the browser; `half`: averaged to half their size.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** [{ width, height, data }], four samples a pixel, in the order of the list of { file, half }; what is no file stays undefined. */
export async function wholeImages(files, openBrowser) {
  const browser = await openBrowser();
  const page = await browser.newPage();
  const images = [];
  for (const one of files) {
    if (!one) {
      images.push(undefined);
      continue;
    }
    const type = `image/${path.extname(one.file).slice(1).replace('jpg', 'jpeg')}`;
    const { width, height, text } = await page.evaluate(
      async (bytes, type, half) => {
        const binary = Uint8Array.from(window.atob(bytes), (c) => c.charCodeAt(0));
        const options = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' };
        const bitmap = await window.createImageBitmap(new Blob([binary], { type }), options);
        const [width, height] = half ? [bitmap.width >> 1, bitmap.height >> 1] : [bitmap.width, bitmap.height];
        const context = new window.OffscreenCanvas(width, height).getContext('2d');
        context.imageSmoothingQuality = 'high';
        context.drawImage(bitmap, 0, 0, width, height);
        const { data } = context.getImageData(0, 0, width, height);
        let text = '';
        for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768));
        return { width, height, text: window.btoa(text) };
      },
      readFileSync(one.file).toString('base64'),
      type,
      Boolean(one.half),
    );
    images.push({ width, height, data: new Uint8ClampedArray(Buffer.from(text, 'base64')) });
  }
  await browser.close();
  return images;
}
