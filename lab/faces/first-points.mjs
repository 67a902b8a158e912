// Faces: milliseconds until <foveola-face> has its first points, in a page whose files and models the browser has already.
//   --visits 9
import { argument } from '../../bench/parts/kept-result.mjs';
import { atMost, fixed, Report } from '../../bench/parts/report.mjs';

/** Milliseconds that are wanted once the model is in the browser's cache. */
const WANTED = 400;
const PHOTO = '/test/media/portrait.png';
const MODEL = '/dist/models/landmarks-68.bin';

/** A page of one tag; the element comes by script, so that the moment is known. */
const page = `<!doctype html><meta charset="utf-8"><title>first points</title>
<script src="/dist/foveola.cdn.js" data-assets="/dist/"></script><body></body>`;

/** In the page: milliseconds from the element to the box, to the model’s last byte, to the points; and from the visit’s begin. */
function visit(photo) {
  return new Promise((resolve, reject) => {
    const element = document.createElement('foveola-face');
    const began = performance.now();
    const times = {};
    const since = (name) => (times[name] ??= performance.now() - began);
    element.addEventListener('foveola-progress', ({ detail: { done, loaded } }) => done === 1 && loaded && since('bytes')); // prettier-ignore
    element.addEventListener('foveola-error', ({ detail }) => reject(new Error(detail.message)));
    element.addEventListener('foveola-result', ({ detail: { faces } }) => {
      if (faces.length) since('box');
      if (!faces[0]?.landmarks) return;
      since('points');
      resolve({ ...times, visit: performance.now() });
    });
    element.setAttribute('src', photo);
    document.body.append(element);
  });
}

/** The least: what the rest of the machine adds is above it; the middle one, and the largest. */
function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { least: sorted[0], median: sorted[sorted.length >> 1], most: sorted.at(-1) };
}

export default async function firstPoints(given) {
  const { args, openBrowser, serve } = given;
  const count = Number(argument(args, '--visits') ?? 9);
  const server = await serve({
    routes: { '/first.html': page },
    headers: (file) => (file.startsWith('/dist/') ? { 'Cache-Control': 'max-age=3600' } : {}),
  });
  const browser = await openBrowser();
  const asked = () => server.requests.filter((file) => file.endsWith('landmarks-68.bin')).length;
  const all = [];
  for (let n = 0; n <= count; n++) {
    const before = asked();
    const tab = await browser.newPage();
    await tab.goto(`${server.url}/first.html`);
    const times = await tab.evaluate(visit, PHOTO);
    await tab.close();
    if (n && asked() !== before) throw new Error(`The browser did not keep ${MODEL}: nothing is measured.`);
    if (n) all.push(times);
  }
  const report = new Report(given);
  report.heading('Milliseconds until the first points, everything in the browser’s cache');
  const of = (name) => spread(all.map((times) => times[name]));
  const row = (words, { least, median, most }) => [words, ...[least, median, most].map((ms) => fixed(ms, 0))];
  report.table([
    ['from the element in the page', 'least', 'median', 'largest'],
    row('to the first box', of('box')),
    row('to the last byte of the model', of('bytes')),
    row('to the first points', of('points')),
    row('from the visit’s begin to the first points', of('visit')),
  ]);
  report.line(
    `${count} visits, each in a tab of its own, after one that filled the cache: the engine, its worker and its kernels begin again, and ` +
      `${MODEL.split('/').at(-1)} (read, checked and laid out) comes from the browser’s disk. The source is a photograph of 512 pixels a side.`,
  );
  report.line(atMost('ms from the element to the first points, median', of('points').median, WANTED, 0));
  report.finish('lab/results/performance.md', 'first points faces', 'first-points faces');
}
