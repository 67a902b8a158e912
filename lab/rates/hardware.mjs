// What bounds the rates on graphics hardware: counted fragments and fetches of each pass, and the GPU's clock.
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON);
//   --write: into the pages of results
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { files } from '../flow/hardware.mjs';
import { packPage } from '../parts/pack-page.mjs';

const ENTRY = { entry: 'lab/rates/parts/page.ts', name: 'ratesPage', title: 'hardware rates' };

async function pack(given, folder) {
  mkdirSync(folder, { recursive: true });
  const { previous, next } = await files(given);
  for (const [name, data] of Object.entries({ previous, next })) writeFileSync(path.join(folder, name), data);
  await packPage(folder, ENTRY);
}

async function measureHere(given) {
  const { serve, openBrowser, bundleForPage, log } = given;
  const routes = { '/bench.html': '<!doctype html><meta charset="utf-8"><title>bench</title>' };
  const { previous, next } = await files(given);
  const server = await serve({ routes: { ...routes, '/flow/previous': previous, '/flow/next': next } });
  const page = await (await openBrowser({ protocolTimeout: 900_000 })).newPage();
  page.on('console', (message) => log(`  ${message.text().slice(0, 200)}`));
  await page.goto(`${server.url}/isolated/bench.html`);
  await page.addScriptTag({ content: await bundleForPage(ENTRY.entry, { name: ENTRY.name }) });
  return page.evaluate((name) => globalThis[name].measure('/dist/kernels.wasm', '/flow/'), ENTRY.name);
}

const sum = (rows, key) => rows.reduce((all, row) => all + (row[key] ?? 0), 0);
const millions = (value) => fixed(value / 1e6, 2);

/** Of the largest targets that still fill at the full rate. */
const fillRate = (device) =>
  Math.max(...Object.entries(device).flatMap(([name, rate]) => (name.startsWith('fragments, one') ? [rate] : [])));

/** Minimum milliseconds on this device for the counted work, by kind. */
function bounds(rows, device) {
  return {
    fragments: sum(rows, 'fragments') / fillRate(device) / 1e6,
    fetches: sum(rows, 'fetches') / device['fetches of rgba32f'] / 1e6,
    draws: (sum(rows, 'draws') * device['a draw, us, GPU clock']) / 1000,
  };
}

/** What keeps a workload from what is wanted, as far as the counts say. */
function boundOf(least, { ms, draws }, wanted) {
  const over = Object.entries(least).filter(([, value]) => value > wanted);
  if (over.length) return `Over what is wanted by themselves: ${over.map(([name]) => name).join(' and ')}.`;
  if (ms > wanted)
    return `No count is over what is wanted, the passes are: ${fixed((1000 * ms) / draws, 0)} us a draw.`;
  return '';
}

function printWorkload(report, name, work, device) {
  report.heading(`${name}: ${work.unit}`);
  const line = (label, row) => [
    label,
    fixed(row.draws, 1),
    millions(row.fragments),
    millions(row.fetches),
    row.fragments ? fixed(row.fetches / row.fragments, 1) : '-',
    fixed(row.ms, 3),
  ];
  const rows = [...work.rows].sort((a, b) => (b.ms ?? b.fetches) - (a.ms ?? a.fetches));
  const all = Object.fromEntries(['draws', 'fragments', 'fetches', 'ms'].map((key) => [key, sum(rows, key)]));
  const shown = rows.length > 14 ? rows.slice(0, 13) : rows;
  const rest = rows.slice(shown.length);
  const others = Object.fromEntries(Object.keys(all).map((key) => [key, sum(rest, key)]));
  report.table([
    ['pass', 'draws', 'million fragments', 'million fetches', 'fetches a fragment', 'GPU clock, ms'],
    ...shown.map((row) => line(row.pass, row)),
    ...(rest.length ? [line(`${rest.length} others`, others)] : []),
    line('all', all),
  ]);
  const least = bounds(rows, device);
  const [wanted, found] = [1000 / work.wanted, 1000 / work['results a second']];
  report.list([
    `Wanted: ${fixed(wanted, 2)} ms a result (${fixed(work.wanted, 0)} a second); ${fixed(found, 2)} ms in a row, ` +
      `${fixed(work['one at a time, ms'], 2)} one at a time; textures made for it: ${work['textures made']}: ${found <= wanted ? 'reached' : 'NOT reached'}.`,
    `At the rates of this device its fragments take ${fixed(least.fragments, 2)} ms, its fetches ${fixed(least.fetches, 2)}, ` +
      `its draws as such ${fixed(least.draws, 2)}; the passes by the GPU's clock ${fixed(all.ms, 2)}. ${boundOf(least, all, wanted)}`,
  ]);
}

function print(report, { machine, device, error, ...works }) {
  if (error) return report.line(`The page failed: ${error}`);
  report.line(
    `${machine.renderer}.${machine.software ? ' Software: these figures say only that everything runs.' : ''} Fetches are counted: ` +
      'each draw is repeated by a twin of its shader that counts its calls of texelFetch.',
  );
  report.heading('What the device gives at most');
  report.table([
    ['', 'a result of a probe'],
    ...Object.entries(device).map(([name, value]) => [
      name.replace(/^(fragments|fetches)/, 'thousand million $1 a second'),
      value,
    ]),
  ]);
  for (const [name, work] of Object.entries(works))
    if (work.error) report.line(`${name}: ${work.error}`);
    else printWorkload(report, name, work, device);
  return undefined;
}

export default async function hardware(given) {
  const { args, shared, log } = given;
  if (!shared) return log('needs ../shared');
  const folder = argument(args, '--pack');
  if (folder) return pack(given, path.resolve(folder));
  const file = argument(args, '--result');
  const report = new Report(given);
  print(report, file ? readResult(file, report) : await measureHere(given));
  return report.finish(
    'lab/results/performance.md',
    'hardware rates',
    `hardware rates${file ? ` --result ${file}` : ''}`,
  );
}
