// Kept recordings: hours of two eyes at 120 Hz through <foveola-pupil>, as fast as it goes; heap, bytes on the device, export.
//   --hours N      default 2
//   --database     into IndexedDB instead of files
import { fixed, Report } from '../../bench/parts/report.mjs';

/* global document, HTMLElement, StorageManager */

const rate = 120;

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>endurance</title>
  <script src="/dist/foveola-pupil.cdn.js"></script>
  <foveola-pupil eyes="2" save-recordings="agreed"></foveola-pupil>`;

/** In the page: opens a still, begins to record, and tells the element's parts results as a session does. */
async function prepare() {
  const element = document.querySelector('foveola-pupil');
  element.source = { width: 64, height: 48, data: new Uint8Array(64 * 48).fill(90) };
  while (element.state !== 'finished' || !element.shadowRoot.querySelector('.kept'))
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (const one of await element.savedRecordings()) await one.remove();
  element.record();
  const closed = { found: false, confidence: 0.1, outlineConfidence: 0, x: NaN, y: NaN, diameter: NaN };
  const none = { ...closed, diameterMm: null, ellipse: null, circle: null, votes: 0, points: 0 };
  globalThis.tell = (from, to, rate) => {
    for (let frame = from; frame < to; frame++) {
      const timestamp = (frame * 1000) / rate;
      const pupils = [0, 1].map((eye) => {
        // Blinks of 200 ms every four seconds, and noise that does not repeat.
        const blink = (frame + 7 * eye) % (4 * rate) < rate / 5;
        if (blink) return { ...none, blink };
        const noise = Math.sin(frame * 12.9898 + eye) / 20;
        const [x, y, diameter] = [300 + 300 * eye + noise, 240 - noise, 60 + 8 * Math.sin(timestamp / 900) + noise];
        const ellipse = { x, y, major: diameter, minor: diameter * (0.95 + noise / 10), angle: 0.3 + noise };
        return {
          found: true,
          confidence: 0.9 + noise,
          outlineConfidence: 0.8 + noise,
          x,
          y,
          diameter,
          ...{ diameterMm: diameter / 15, ellipse, circle: null, blink, votes: 18, points: 20 },
        };
      });
      const timing = { frame, timestamp, clock: 'capture', mediaTime: NaN, dropped: 0, throttled: 0 };
      element.parts.host.tell('present', { timestamp, dropped: 0, backend: 'wasm', pupils }, timing);
      if (frame % (60 * rate) === 0) element.mark(`minute ${frame / rate / 60}`, timestamp);
    }
  };
}

/** In the page: into a file, as the dialog of the browser would give one; what it has in the end. */
async function exportAll() {
  const element = document.querySelector('foveola-pupil');
  const folder = await HTMLElement.prototype.openFolder();
  const handle = await folder.getFileHandle('endurance.csv', { create: true });
  globalThis.showSaveFilePicker = async () => handle;
  const start = performance.now();
  await element.parts.keep.save('csv');
  const seconds = (performance.now() - start) / 1000;
  const file = await handle.getFile();
  const { size } = file;
  const reader = file.stream().getReader();
  let lines = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
    for (const byte of value) lines += byte === 10;
  await folder.removeEntry('endurance.csv');
  return { seconds, size, lines };
}

export default async function endurance(given) {
  const { args, serve, openBrowser } = given;
  const hours = args.includes('--hours') ? Number(args[args.indexOf('--hours') + 1]) : 2;
  const database = args.includes('--database');
  const server = await serve({ routes: { '/endurance.html': page } });
  const browser = await openBrowser();
  const tab = await browser.newPage();
  await tab.evaluateOnNewDocument((database) => {
    const { getDirectory } = StorageManager.prototype;
    HTMLElement.prototype.openFolder = () => getDirectory.call(navigator.storage);
    if (database) Object.defineProperty(StorageManager.prototype, 'getDirectory', { value: undefined });
  }, database);
  await tab.goto(new URL('/endurance.html', server.url).href);
  await tab.evaluate(prepare);
  const session = await tab.createCDPSession();
  /** Objects, and the buffers of typed arrays, which lie beside the heap; without garbage. */
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize = NaN } = await session.send('Runtime.getHeapUsage');
    return [usedSize / 1e6, backingStorageSize / 1e6];
  };
  const stored = () => tab.evaluate(async () => (await navigator.storage.estimate()).usage / 1e6);
  const rows = [['recorded, min', 'JavaScript heap, MB', 'buffers, MB', 'on the device, MB']];
  const minutes = hours * 60;
  const started = performance.now();
  const before = await stored();
  const row = async (minute) =>
    rows.push([minute, ...(await heap()).map((mb) => fixed(mb)), fixed((await stored()) - before)]);
  await row(0);
  for (let minute = 0; minute < minutes; minute++) {
    for (let part = 0; part < 10; part++) {
      const from = (minute * 60 + part * 6) * rate;
      await tab.evaluate((from, to, rate) => globalThis.tell(from, to, rate), from, from + 6 * rate, rate);
    }
    if ((minute + 1) % (minutes / 12) !== 0) continue;
    await new Promise((resolve) => setTimeout(resolve, 600)); // what is waiting is written
    await row(minute + 1);
  }
  const recorded = (performance.now() - started) / 1000;
  await tab.evaluate(() => document.querySelector('foveola-pupil').record());
  await tab.waitForFunction(async () => (await document.querySelector('foveola-pupil').savedRecordings()).length === 1);
  let peak = 0;
  let busy = true;
  const watch = (async () => {
    while (busy) {
      const [objects, buffers] = await heap();
      peak = Math.max(peak, objects + buffers);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  const { seconds, size, lines } = await tab.evaluate(exportAll);
  busy = false;
  await watch;
  const report = new Report(given);
  report.heading(`${hours} hours of two eyes at ${rate} Hz, kept in ${database ? 'IndexedDB' : 'files'}`);
  report.table(rows);
  const read = await tab.evaluate(async () => {
    const [one] = await document.querySelector('foveola-pupil').savedRecordings();
    const start = performance.now();
    const { rows, markers, header } = await one.read();
    const { bytes } = one;
    await one.remove();
    return {
      rows,
      markers: markers.length,
      recovery: header.recovery,
      bytes,
      seconds: (performance.now() - start) / 1000,
    };
  });
  report.list([
    `recorded in ${fixed(recorded, 0)} s of wall time; the file has ${fixed(read.bytes / 1e6)} MB, ${read.rows} rows, ${read.markers} markers`,
    `read back and checked in ${fixed(read.seconds)} s: ${JSON.stringify(read.recovery)}`,
    `exported as CSV into a file in ${fixed(seconds)} s: ${fixed(size / 1e6)} MB, ${lines} lines; heap and buffers meanwhile at most ${fixed(peak)} MB`,
    `heap after the export ${fixed((await heap())[0])} MB`,
  ]);
  const wanted = hours * 3600 * rate * 2;
  if (read.rows !== wanted) throw new Error(`${read.rows} rows were read back, not ${wanted}.`);
  report.finish(
    'lab/results/kept-recordings.md',
    database ? 'endurance recording database' : 'endurance recording',
    `endurance recording${database ? ' --database' : ''}`,
  );
}
