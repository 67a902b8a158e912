// Pupil: what <foveola-pupil> costs the page's thread a frame, 60 Hz video of 640x480 in worker mode. --quick: 5 s
import { fixed, Report } from '../parts/report.mjs';
import { binned, mainThreadTasks } from './parts/trace.mjs';
import { mean, quantile } from '../parts/numbers.mjs';

const FRAME = 1000 / 60;
const LIMIT = 2;

const document = (body) => `<!doctype html>
<meta charset="utf-8"><title>bench</title>
<style>body { margin: 16px } foveola-pupil, video { display: block; width: 800px }</style>
${body}`;
const PAGES = {
  '/element.html': document(
    '<script src="/dist/foveola.cdn.js" defer></script>' +
      '<foveola-pupil id="it" src="/demo/media/sample.webm" controls loop></foveola-pupil>',
  ),
  '/video.html': document('<video id="it" src="/demo/media/sample.webm" muted loop autoplay></video>'),
};

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** Lets a page run, traces its main thread for `seconds`, and asks the element for its own account. */
async function observe(browser, address, seconds) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1100, height: 900 });
  await page.goto(address);
  await page.evaluate(() => {
    const it = globalThis.document.getElementById('it');
    const seen = (globalThis.seen = { results: 0, found: 0, dropped: 0 });
    it.addEventListener('foveola-result', ({ detail }) => {
      seen.results++;
      seen.dropped += detail.dropped ?? 0;
      if (detail.pupils?.[0]?.found) seen.found++;
    });
  });
  const capabilities = await page.evaluate(async () => {
    const it = globalThis.document.getElementById('it');
    return it.ready ? { ...(await it.ready) } : null;
  });
  await sleep(Math.min(4, seconds)); // scripts compiled, engine warm
  await page.evaluate(() => {
    globalThis.document.getElementById('it').pageTime?.reset();
    Object.assign(globalThis.seen, { results: 0, found: 0, dropped: 0 });
  });
  await page.tracing.start({
    categories: ['-*', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'],
  });
  await sleep(seconds);
  const { seen, own } = await page.evaluate(() => ({
    seen: globalThis.seen,
    own: globalThis.document.getElementById('it').pageTimes ?? null,
  }));
  const trace = JSON.parse(Buffer.from(await page.tracing.stop()).toString('utf8'));
  await page.close();
  return { tasks: mainThreadTasks(trace, address), seen, own, capabilities };
}

// The test browser is forced to draw WebGL in software. A browser left to itself does not, and reads frames otherwise.
const FORCED = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

export default async function pageCost(given) {
  const { args, serve, openBrowser } = given;
  const seconds = args.includes('--quick') ? 5 : 20;
  const report = new Report(given);
  const server = await serve({
    routes: { '/favicon.ico': (request, response) => response.writeHead(204).end(), ...PAGES },
  });
  report.line(
    `The sample recording (640x480, 60 frames a second) plays for ${seconds} s in <foveola-pupil> with overlay, chart and controls, ` +
      'engine in its worker, page not isolated. Traced: all tasks of the page’s main thread (transfer of the frame, result, ' +
      'overlay, chart, and what the browser itself does there: style, layout, paint, compositing), summed over each sixtieth of ' +
      'a second. CPU: the time that the thread computed; wall: with what other programs took from it. The same page with a bare ' +
      '<video> tells how much of it is the browser’s. Own account: element.pageTimes, the element’s work alone, per frame. ' +
      'The browser is left to choose how it draws; "software WebGL": forced to it by the flags that the tests use.',
  );
  const browser = await openBrowser({ ignoreDefaultArgs: FORCED });
  const element = await observe(browser, `${server.url}/element.html`, seconds);
  const video = await observe(browser, `${server.url}/video.html`, seconds);
  await browser.close();
  const forced = await observe(await openBrowser(), `${server.url}/element.html`, seconds);
  const rows = [['main thread, ms in 1/60 s', 'mean', 'median', 'p95', 'p99', 'max']];
  const add = (name, list) =>
    rows.push([
      name,
      ...[mean(list), quantile(list, 0.5), quantile(list, 0.95), quantile(list, 0.99), Math.max(...list)].map((v) =>
        fixed(v, 2),
      ),
    ]);
  const observed = { element, 'element, software WebGL': forced, 'bare video': video };
  const bins = {};
  for (const [name, { tasks }] of Object.entries(observed))
    for (const clock of ['cpu', 'wall']) {
      bins[`${name} ${clock}`] = binned(tasks, clock, FRAME, seconds * 1000);
      add(`${name}, ${clock === 'cpu' ? 'CPU' : 'wall'}`, bins[`${name} ${clock}`]);
    }
  report.table(rows);
  const { own, capabilities } = element;
  const parts = Object.keys(own.parts).sort();
  report.table([
    ['own account, ms a frame', 'frames', 'median', 'p95', 'max', ...parts.map((part) => `mean of ${part}`)],
    ...[
      ['element', own],
      ['element, software WebGL', forced.own],
    ].map(([name, { frames, median, p95, max, parts: means }]) => [
      name,
      frames,
      ...[median, p95, max, ...parts.map((part) => means[part] ?? 0)].map((value) => fixed(value, 3)),
    ]),
  ]);
  for (const [name, { seen }] of Object.entries({ element, 'element, software WebGL': forced })) {
    const rate = seen.results / seconds;
    report.line(
      `${name}: ${seen.results} results in ${seconds} s, ${fixed(rate, 1)} a second of 60; ${seen.found} with a pupil, ${seen.dropped} frames dropped and counted.` +
        (rate < 55 ? ' That is NOT 60 Hz: a frame without a result costs the page less than one with.' : ''),
    );
  }
  report.line(`Engine: ${capabilities.backend}, worker ${capabilities.worker}, ${capabilities.threads} thread(s).`);
  const traced = quantile(bins['element cpu'], 0.95);
  const verdict = (value) => `${fixed(value, 2)} ms, ${value < LIMIT ? 'reached' : 'NOT reached'}`;
  report.line(
    `Wanted: 95th percentile under ${LIMIT} ms a frame. Own account: ${verdict(own.p95)}. Traced, the browser’s own work included, CPU: ${verdict(traced)}; ` +
      `wall: ${verdict(quantile(bins['element wall'], 0.95))}.`,
  );
  report.finish('lab/results/performance.md', 'page pupil', 'page pupil');
}
