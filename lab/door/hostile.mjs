// Hostile: damaged and hostile files given to elements, engine and readers; seconds, the page's standstill, memory. --only WORDS (a comma between), --given WORD
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { memoryDuring } from '../parts/memory.mjs';
import { argument } from '../../bench/parts/kept-result.mjs';
import { atMost, fixed, Report } from '../../bench/parts/report.mjs';

/* global hostile */

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>hostile</title>
  <script src="/dist/foveola.cdn.js"></script></head><body></body></html>`;
/** Seconds to an answer, ms of the page's thread, MiB of all processes. */
const WANTED = { seconds: 20, still: 1000, all: 512 };
const LOOK = 50;

/** What a file is given to, and what the page calls. */
const GIVEN = [
  ...['pupil', 'face', 'vessels', 'filter', 'track'].map((name) => [
    `\`<foveola-${name}>\``,
    'drop',
    `foveola-${name}`,
  ]),
  ['engine.canny of the file', 'asPicture'],
  ['frames, every frame', 'asRecording'],
];

async function open(given, shared) {
  const server = await given.serve({ routes: { '/hostile.html': PAGE } });
  const browser = await given.openBrowser({
    protocolTimeout: 600_000,
    args: ['--autoplay-policy=no-user-gesture-required'],
  });
  const page = await browser.newPage();
  await page.goto(`${server.url}/hostile.html`);
  const content = await given.bundleForPage('lab/door/parts/hostile-page.ts', { name: 'hostile' });
  await page.addScriptTag({ content });
  const names = await page.evaluate((list) => hostile.make(list), shared);
  return { page, names, pid: browser.process().pid, close: () => browser.close() };
}

export default async function files(given) {
  const folder = given.shared && path.join(given.shared, 'data/hostile');
  const shared = folder ? readdirSync(folder).filter((name) => !/\.(md|bin)$/.test(name)) : [];
  const addresses = shared.map((name) => `/shared/data/hostile/${name}`);
  const only = argument(given.args, '--only') ?? '';
  const to = argument(given.args, '--given') ?? '';
  const report = new Report(given);
  const rows = [['given to', 'files', 'answered', 'longest, s', 'page stood still, ms', 'more memory, MiB']];
  const worst = { seconds: 0, still: 0, all: 0 };
  const [silent, wrong] = [[], []];
  let count = 0;
  for (const [title, call, tag] of GIVEN.filter(([name]) => name.includes(to))) {
    const { page, names, pid, close } = await open(given, addresses); // a browser each: what one leaves is not the next one's
    const most = { seconds: [0, ''], still: [0, ''], all: [0, ''] };
    let answered = 0;
    const chosen = names
      .map((name, index) => [name, index])
      .filter(([name]) => only.split(',').some((word) => name.includes(word)));
    for (const [name, index] of chosen) {
      const { value, rise } = await memoryDuring(
        pid,
        () => page.evaluate((method, ...words) => hostile[method](...words), call, ...(tag ? [tag] : []), index),
        LOOK,
      );
      const found = { ...value, all: rise.all };
      for (const key of Object.keys(most)) if (found[key] > most[key][0]) most[key] = [found[key], name];
      if (value.answer === 'none') silent.push(`${title}: ${name}`);
      else answered++;
      if (value.answer === 'internal' || value.answer.startsWith('!')) wrong.push(`${title}: ${name}`);
      if (value.answer !== 'none' && value.seconds > worst.seconds) worst.seconds = value.seconds;
      given.log(
        `  ${title} ${name}: ${value.answer}, ${fixed(value.seconds)} s, ${fixed(value.still, 0)} ms, ${fixed(rise.all, 0)} MiB`,
      );
    }
    await close();
    count = chosen.length;
    worst.still = Math.max(worst.still, most.still[0]);
    worst.all = Math.max(worst.all, most.all[0]);
    const cell = ([value, name], digits) => `${fixed(value, digits)} (${name})`;
    rows.push([title, count, answered, cell(most.seconds, 1), cell(most.still, 0), cell(most.all, 0)]);
  }
  report.line(`${count} files; of each column the worst, and the file that it was.`);
  report.table(rows);
  report.list([
    atMost('s to an answer', silent.length ? Infinity : worst.seconds, WANTED.seconds, 1),
    atMost('ms that the page stands still', worst.still, WANTED.still, 0),
    atMost('MiB more of all processes', worst.all, WANTED.all, 0),
    `Without an answer: ${silent.join(', ') || 'none'}. Answered with 'internal' or no error of ours: ${wrong.join(', ') || 'none'}.`,
  ]);
  const words = given.args.filter((word) => word !== '--write');
  report.finish(
    'lab/results/reliability.md',
    only ? 'hostile door, some' : 'hostile door',
    ['hostile door', ...words].join(' '),
  );
}
