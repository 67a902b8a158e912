// The tracker through the public API in its worker, with one thread and with two.
import { fixed } from '../../parts/report.mjs';
import { quantile } from '../../parts/numbers.mjs';

export async function throughEngine({ serve, openBrowser, bundleForPage }, report, count) {
  const server = await serve({
    routes: {
      '/favicon.ico': (request, response) => response.writeHead(204).end(),
      '/engine.html': '<!doctype html><title>bench</title>',
    },
  });
  const browser = await openBrowser({ protocolTimeout: 1_800_000 });
  const page = await browser.newPage();
  await page.goto(`${server.url}/isolated/engine.html`);
  await page.addScriptTag({
    content: await bundleForPage('bench/pupil/parts/engine-page.ts', { name: 'engineBench' }),
  });
  await page.evaluate((count) => globalThis.engineBench.render(count), count);
  report.heading(`Through the engine in its worker, ${count} frames`);
  const rows = [['', 'one thread, ms a frame', 'two threads', 'ratio']];
  const reasons = new Set();
  for (const [name, params] of [
    ['tiles on demand', { method: 'starburst', fit: 'circle' }],
    ['whole frames', { method: 'starburst', fit: 'circle', tilesOnDemand: false }],
  ]) {
    // Turn about, so that a change of the machine's load meets both.
    const means = [[], []];
    for (let round = 0; round < 3; round++)
      for (const threads of [1, 2]) {
        const done = await page.evaluate(
          (threads, params) => globalThis.engineBench.run(threads, params, 1),
          threads,
          params,
        );
        means[threads - 1].push(...done.means);
        if (done.capabilities.threads !== threads)
          reasons.add(
            `${threads} threads were asked for, ${done.capabilities.threads} run: ${done.capabilities.reasons}`,
          );
      }
    const [one, two] = means.map((list) => quantile(list, 0.5));
    rows.push([name, fixed(one, 3), fixed(two, 3), `${fixed(one / two, 2)} x`]);
  }
  report.line(
    'Copy of the frame to the worker and the answer included, each awaited before the next; median of three rounds, turn ' +
      'about. Threads share the work on whole frames; tiles on demand leave them nothing to share.',
  );
  report.table(rows);
  report.list([...reasons]);
  await browser.close();
}
