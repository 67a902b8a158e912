// Pupil: what a sample costs the chart, 120 a second, and uPlot beside it. --uplot FILE: its uPlot.iife.min.js, which is no part of this project
import { readFileSync } from 'node:fs';
import { fixed, Report } from '../../bench/parts/report.mjs';

const rate = 120;
const seconds = 40;
/** Drawings a second, as the chart has them. */
const draws = 15;

const page = (uplot) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>chart</title>
  <style>.chart { width: 900px; --_line: green; --_muted: gray; --_grid: silver; --_blink: lavender; --_mark: purple }
    .chart canvas { width: 100%; height: 132px }</style>
  ${uplot ? '<script src="/uplot.js"></script>' : ''}<div class="chart" id="ours"></div><div id="other"></div>`;

/** In the page: milliseconds a sample, with what the canvas then has to paint. */
async function measure({ kind, rate, seconds, draws }) {
  const other = () => {
    const [times, values] = [[], []];
    const options = { width: 900, height: 156, legend: { show: false }, scales: { x: { time: false } } };
    options.series = [{}, { stroke: 'green', width: 1.75 }];
    const plot = new globalThis.uPlot(options, [times, values], globalThis.document.getElementById('other'));
    return {
      push(time, value) {
        times.push(time);
        values.push(Number.isNaN(value) ? null : value);
        if (times.length > 10 * rate) (times.shift(), values.shift());
      },
      draw: () => plot.setData([times, values]),
      canvas: plot.ctx.canvas,
    };
  };
  const chart = kind === 'ours' ? globalThis.chartBench.ours(globalThis.document.getElementById('ours')) : other();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const context = chart.canvas.getContext('2d');
  let spent = 0;
  let counted = 0;
  for (let i = 0; i < rate * seconds; i++) {
    const blink = i % (4 * rate) < rate / 5;
    const value = blink ? NaN : 60 + 8 * Math.sin(i / rate) + Math.sin(i * 12.9898) / 4;
    const start = performance.now();
    chart.push(i / rate, value, blink);
    if (i % (rate / draws) === 0) {
      chart.draw();
      await Promise.resolve(); // uPlot draws in a microtask
      context.getImageData(0, 0, 1, 1);
    }
    if (i < 10 * rate) continue; // until the window is full
    spent += performance.now() - start;
    counted++;
    if (i % rate === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  return spent / counted;
}

export default async function chart(given) {
  const { args } = given;
  const file = args.includes('--uplot') ? args[args.indexOf('--uplot') + 1] : null;
  const routes = { '/chart.html': page(file) };
  if (file) routes['/uplot.js'] = readFileSync(file, 'utf8');
  const server = await given.serve({ routes });
  const browser = await given.openBrowser();
  const tab = await browser.newPage();
  await tab.setViewport({ width: 1000, height: 600 });
  await tab.goto(new URL('/chart.html', server.url).href);
  await tab.addScriptTag({
    content: await given.bundleForPage('lab/pupil/parts/chart-page.ts', { name: 'chartBench' }),
  });
  const rows = [['', 'ms a sample', 'ms a drawing']];
  for (let round = 0; round < 3; round++)
    for (const kind of file ? ['ours', 'uPlot'] : ['ours']) {
      const cost = await tab.evaluate(measure, { kind, rate, seconds, draws });
      rows.push([kind, fixed(cost, 3), fixed((cost * rate) / draws, 2)]);
    }
  const report = new Report(given);
  report.heading(
    `The chart at ${rate} samples a second, ten seconds shown, ${draws} drawings a second (wanted: 0.5 ms a sample)`,
  );
  report.table(rows);
  report.finish('lab/results/player.md', 'chart pupil', 'chart pupil');
}
