// Recordings: the video with overlay of two seconds of 1280x720 at 30 frames a second, new and analysed before; wanted: real time.
import { fixed, Report } from '../../bench/parts/report.mjs';

const seconds = 2;
const rate = 30;
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>export</title>
  <script src="/dist/foveola-pupil.cdn.js"></script><foveola-pupil id="it" controls paused></foveola-pupil>`;

/** In the page: makes a recording, exports it, analyses it, exports it again. */
async function measure({ seconds, rate }) {
  const element = globalThis.document.getElementById('it');
  const times = Array.from({ length: seconds * rate }, (_, i) => i / rate);
  element.source = await globalThis.clips.makeClip({ times, width: 1280, height: 720 });
  await element.ready;
  while (element.state !== 'paused') await new Promise((resolve) => setTimeout(resolve, 50));
  const timed = async (work) => {
    const start = performance.now();
    const made = await work();
    return [(performance.now() - start) / 1000, made?.type, made?.size];
  };
  const fresh = await timed(() => element.exportVideo());
  const [analysis] = await timed(() => element.analyse());
  return { fresh, analysis, known: await timed(() => element.exportVideo()) };
}

export default async function exporting(given) {
  const server = await given.serve({ routes: { '/export.html': page } });
  const browser = await given.openBrowser();
  const tab = await browser.newPage();
  await tab.goto(new URL('/export.html', server.url).href);
  await tab.addScriptTag({ content: await given.bundleForPage('test/support/clips.ts', { name: 'clips' }) });
  const { fresh, analysis, known } = await tab.evaluate(measure, { seconds, rate });
  const row = (name, taken, type = '', size = NaN) => [
    name,
    fixed(taken),
    fixed(seconds / taken, 2),
    type,
    fixed(size / 1e6, 2),
  ];
  const report = new Report(given);
  report.heading(`${seconds} s of 1280x720 at ${rate} frames a second as a video with overlay`);
  report.table([
    ['', 's', 'times real time', 'written', 'MB'],
    row('measured while it is exported', ...fresh),
    row('analysis alone', analysis),
    row('exported after it', ...known),
  ]);
  report.finish('lab/results/player.md', 'export recording', 'export recording');
}
