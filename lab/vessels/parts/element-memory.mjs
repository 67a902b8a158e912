// What `<foveola-vessels>` takes for a photograph of 24 megapixels in a page of the built script: the arena of its worker, and
// the browser's processes above what they had with the element on the page and no picture.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { memoryDuring } from '../../parts/memory.mjs';
import { soakWorker } from '../../../tools/soak/page.mjs';

/* global document, FileReader, ImageData, OffscreenCanvas, self, vesselTimes */

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>memory</title>
  <script src="/dist/foveola.cdn.js" data-worker="/memory-worker.js" data-assets="/dist/"></script></head>
  <body><foveola-vessels></foveola-vessels></body></html>`;
/** Between two looks at the processes, and until the page is quiet, ms. */
const LOOK = 40;
const QUIET = 3_000;

/** A drawn fundus as JPEG; made in a browser of its own, which is closed before anything is measured. */
async function photograph({ openBrowser, serve, bundleForPage }, [width, height]) {
  const server = await serve({ routes: { '/bench.html': '<!doctype html><title>bench</title>' } });
  const browser = await openBrowser({ protocolTimeout: 300_000 });
  const page = await browser.newPage();
  await page.goto(`${server.url}/bench.html`);
  await page.addScriptTag({
    content: await bundleForPage('lab/vessels/parts/time-page.ts', { name: 'vesselTimes' }),
  });
  const text = await page.evaluate(
    async (w, h) => {
      const canvas = new OffscreenCanvas(w, h);
      const data = new Uint8ClampedArray(vesselTimes.drawn(w, h).buffer);
      canvas.getContext('2d').putImageData(new ImageData(data, w, h), 0, 0);
      const reader = new FileReader();
      const read = new Promise((resolve) => (reader.onload = () => resolve(reader.result)));
      reader.readAsDataURL(await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 }));
      return (await read).split(',')[1];
    },
    width,
    height,
  );
  await browser.close();
  return Buffer.from(text, 'base64');
}

export async function elementMemory(given, size) {
  const file = await photograph(given, size);
  const script = soakWorker(readFileSync(path.join(given.root, 'dist/worker.js'), 'utf8'), false);
  const send = (type, content) => (_, response) => response.writeHead(200, { 'Content-Type': type }).end(content);
  const server = await given.serve({
    routes: {
      '/memory.html': PAGE,
      '/memory-worker.js': send('text/javascript; charset=utf-8', script),
      '/photograph.jpg': send('image/jpeg', file),
    },
  });
  const browser = await given.openBrowser({ protocolTimeout: 300_000 });
  const page = await browser.newPage();
  await page.goto(`${server.url}/memory.html`);
  await page.evaluate(() => document.querySelector('foveola-vessels').ready);
  await new Promise((resolve) => setTimeout(resolve, QUIET));
  const pid = browser.process().pid;
  const { value: answer, rise } = await memoryDuring(
    pid,
    async () => {
      const ended = await page.evaluate(async () => {
        const element = document.querySelector('foveola-vessels');
        const began = performance.now();
        const answer = new Promise((resolve) => {
          element.addEventListener('foveola-result', ({ detail }) => detail.preview || resolve('result'));
          element.addEventListener('foveola-error', () => resolve(element.error.code));
        });
        element.src = '/photograph.jpg';
        return { ended: await answer, seconds: (performance.now() - began) / 1000 };
      });
      await new Promise((resolve) => setTimeout(resolve, QUIET / 3)); // what is drawn over it
      return ended;
    },
    LOOK,
  );
  if (answer.ended !== 'result') throw new Error(`<foveola-vessels> ended in '${answer.ended}'.`);
  const peaks = await Promise.all(
    page
      .workers()
      .map((worker) => worker.evaluate(() => (self.soak?.arenas ?? []).map(({ peak }) => peak)).catch(() => [])),
  );
  const arena = Math.max(0, ...peaks.flat());
  return {
    seconds: answer.seconds,
    arena: arena / 2 ** 20,
    bytesAPixel: arena / (size[0] * size[1]),
    ...rise,
  };
}
