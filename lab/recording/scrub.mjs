// Recordings: milliseconds from a seek to its result, of frames that are new and of frames that are known, 640x480.
import { fixed, Report } from '../../bench/parts/report.mjs';
import { quantile } from '../../bench/parts/numbers.mjs';

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>scrub</title>
  <script src="/dist/foveola-pupil.cdn.js"></script>
  <video id="bare" src="/demo/media/sample.webm" muted preload="auto"></video>
  <foveola-pupil id="it" src="/demo/media/sample.webm" controls paused></foveola-pupil>`;

/** Places all over the recording, in an order that jumps; the same each time. */
const places = Array.from({ length: 40 }, (_, i) => 100 + ((i * 2939) % 7800));

/** In the page: each place in turn. */
async function measure(places) {
  const element = globalThis.document.getElementById('it');
  await element.ready;
  while (element.state !== 'paused') await new Promise((resolve) => setTimeout(resolve, 50));
  await element.seek(50);
  const go = async () => {
    const times = [];
    for (const place of places) {
      const start = performance.now();
      await element.seek(place);
      times.push(performance.now() - start);
    }
    return times;
  };
  const bare = globalThis.document.getElementById('bare');
  const alone = [];
  for (const place of places) {
    const start = performance.now();
    const shown = new Promise((resolve) => bare.requestVideoFrameCallback(resolve));
    bare.currentTime = place / 1000;
    await shown;
    alone.push(performance.now() - start);
  }
  const fresh = await go();
  await element.analyse();
  return { alone, fresh, known: await go() };
}

export default async function scrub(given) {
  const server = await given.serve({ routes: { '/scrub.html': page } });
  const browser = await given.openBrowser();
  const tab = await browser.newPage();
  await tab.bringToFront();
  await tab.setViewport({ width: 900, height: 1700 });
  await tab.goto(new URL('/scrub.html', server.url).href);
  const { alone, fresh, known } = await tab.evaluate(measure, places);
  const row = (name, times) => [name, ...[0.5, 0.95, 1].map((share) => fixed(quantile(times, share), 0))];
  const report = new Report(given);
  report.heading('A place of a recording, milliseconds to its result (wanted: 100)');
  report.table([
    ['', 'median', '95 %', 'longest'],
    row('a bare video, until its frame is there', alone),
    row('a frame that is new', fresh),
    row('a frame that an analysis has seen', known),
  ]);
  report.finish('lab/results/player.md', 'scrub recording', 'scrub recording');
}
