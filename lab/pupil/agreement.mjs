// Pupil: rendered recordings with blinks, in which every table, export, chart and count must say the same as the list of events. --count N
import { atLeast, Report } from '../../bench/parts/report.mjs';

export const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>agreement</title>
  <script src="/dist/foveola-pupil.cdn.js"></script><foveola-pupil controls paused></foveola-pupil>`;

export default async function agreement(given) {
  const { args } = given;
  const count = args.includes('--count') ? Number(args[args.indexOf('--count') + 1]) : 200;
  const server = await given.serve({ routes: { '/agreement.html': page } });
  const browser = await given.openBrowser();
  const tab = await browser.newPage();
  await tab.goto(new URL('/agreement.html', server.url).href);
  const content = await given.bundleForPage('lab/pupil/parts/agreement-page.ts', { name: 'lab' });
  await tab.addScriptTag({ content });
  let [agree, rendered, listed] = [0, 0, 0];
  const faults = [];
  for (let i = 0; i < count; i++) {
    const one = await tab.evaluate((index) => globalThis.lab.agreement(index), i);
    if (!one.faults.length) agree++;
    for (const fault of one.faults) faults.push(`recording ${i}: ${fault.slice(0, 400)}`);
    rendered += one.rendered;
    listed += one.listed;
  }
  const report = new Report(given);
  report.heading(`${count} rendered recordings of 1.6 s with one to three blinks each, 30, 50 or 60 frames per second`);
  report.line(
    'The list of events in the JSON is compared with each row of JSON and CSV (plain, with comment lines, Excel), the comment lines, the file next to the CSV, the table of events, the series, the chart, the timeline, the summary and the readout.',
  );
  report.table([
    ['recordings', 'agree in every place', 'blinks and closures rendered', 'listed'],
    [count, agree, rendered, listed],
  ]);
  report.line(atLeast('recordings that agree, percent', (100 * agree) / count, 100, 1));
  report.list(faults);
  report.finish('lab/results/pupil-tests.md', 'agreement pupil', 'agreement pupil');
}
