// Vessels: thick vessels from the eigenvalues themselves (paper 003) beside those of engine.vessels, against manual masks.
import { bootstrap, range } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { SETS } from '../../bench/vessels/parts/sets.mjs';

/** Of the scale of wide vessels. */
const FACTORS = [1, 0.6];
const f4 = (value) => fixed(value, 4);

export default async function thick({ serve, openBrowser, bundleForPage, shared, log, ...given }) {
  if (!shared) return log('needs ../shared/data/fundus');
  const report = new Report(given);
  const server = await serve({ routes: { '/bench.html': '<!doctype html><title>bench</title>' } });
  const browser = await openBrowser({ protocolTimeout: 900_000 });
  const page = await browser.newPage();
  await page.goto(`${server.url}/bench.html`);
  await page.addScriptTag({ content: await bundleForPage('bench/vessels/parts/page.ts', { name: 'vesselBench' }) });
  const score = (...args) => page.evaluate((list) => globalThis.vesselBench.scoreEigenvalues(...list), args);
  report.line(
    "`engine.vessels`, scales 'thick', `variant: 'lines'`, beside its `variant: 'paper'`: dark lines of the widest scale from the eigenvalues, in place of the " +
      'line response, all else alike. Paper 003 says neither scale nor level of its own. Eigenvalues alone: dark lines of the green ' +
      `channel at one scale, ${FACTORS.map((factor) => fixed(3.4 * factor, 1)).join(' or ')} px at DRIVE’s size, above the level that marks ` +
      'as many pixels as the lines do, field of view less its border; nothing is cleaned. Means of the photographs; 95 %: bootstrap ' +
      'over them, three or four, so that it is rough.',
  );
  const rows = [
    [
      'set',
      'method',
      'precision',
      '95 %',
      'of the manual pixels of vessels >= 7 px (DRIVE’s scale)',
      '95 %',
      'accuracy',
      'Dice',
    ],
  ];
  const values = (list, key) => list.map((one) => one[key]).filter((v) => v !== null);
  const mean = (list, key) => values(list, key).reduce((a, b) => a + b, 0) / Math.max(1, values(list, key).length);
  const over = (list, key) => range(bootstrap(values(list, key)), 3);
  for (const { name, half, photographs } of SETS)
    for (const [i, factor] of FACTORS.entries()) {
      const results = [];
      for (const photograph of photographs) results.push(await score(photograph, factor, Boolean(half)));
      const row = (method, list) =>
        rows.push([
          name,
          method,
          ...['precision', 'wide'].flatMap((key) => [f4(mean(list, key)), over(list, key)]),
          ...['accuracy', 'dice'].map((key) => f4(mean(list, key))),
        ]);
      if (!i) {
        row("variant: 'lines'", results.map((one) => one.own)); // prettier-ignore
        row("variant: 'paper'", results.map((one) => one.paper)); // prettier-ignore
      }
      row(`eigenvalues alone, ${fixed(3.4 * factor, 1)} px`, results.map((one) => one.eigenvalues)); // prettier-ignore
    }
  report.table(rows);
  report.finish('lab/results/accuracy.md', 'thick vessels', 'thick vessels');
}
