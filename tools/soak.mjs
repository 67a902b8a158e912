// Five elements for so many minutes, while people and the machine do what they do: seeks, other sources and settings,
// elements taken away, the tab hidden, graphics contexts lost, the engine's worker dead. At the end: heap, arena, textures
// and memory of the processes as slopes with their standard error, and whether the recording has a gap in its frame numbers.
//   npm run soak -- [minutes] [--seed N] [--losses a minute, default 6] [--deaths a minute, default 2, at most 1.9 are done]
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import { table } from '../bench/parts/table.mjs';
import { launchOptions } from './browser.mjs';
import { root, serve } from './serve.mjs';
import { main } from './setup.mjs';
import { begin, catchWorkers, disturb, soakPage, workerPrologue } from './soak/page.mjs';
import { generator } from './random.mjs';

/* global document, self */

/** Three deaths within a minute stop an engine for good: so they come apart, ms. */
const APART = 30_500;
/** ms */
const SAMPLE = 5_000;
/** A worker is looked at when it has run for so long: it fills its memory first, ms. */
const SETTLED = 10_000;

/** MB of the browser's processes. */
function residentOf(pid) {
  const children = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(entry)]);
    } catch {
      // it has ended
    }
  let sum = 0;
  const all = [pid];
  for (const one of all) {
    all.push(...(children.get(one) ?? []));
    try {
      sum += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      // it has ended
    }
  }
  return sum;
}

/** Slope a minute by least squares, and its standard error. */
export function slopeOf(samples) {
  const n = samples.length;
  if (n < 3) return null;
  const [mx, my] = [0, 1].map((k) => samples.reduce((sum, pair) => sum + pair[k], 0) / n);
  const [xx, xy] = [0, 1].map((k) =>
    samples.reduce((sum, pair) => sum + (pair[0] - mx) * (pair[k] - (k ? my : mx)), 0),
  );
  const slope = xy / xx;
  const rest = samples.reduce((sum, [x, y]) => sum + (y - my - slope * (x - mx)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (n - 2) / xx), last: samples.at(-1)[1] };
}

/** Frames that are neither in the recording nor counted as dropped, and how many it has. */
export function missing(rows) {
  let lost = 0;
  for (let i = 1; i < rows.length; i++) {
    const [before, row] = [rows[i - 1], rows[i]];
    if (row.frame === before.frame) continue; // the other eye
    lost += Math.abs(row.frame - before.frame - 1 - row.dropped);
  }
  return { lost, frames: rows.length ? rows.at(-1).frame - rows[0].frame + 1 : 0 };
}

/** @param options minutes, seed, losses and deaths (a minute), onTold(line) */
export async function soak({ minutes, seed, losses, deaths, onTold = () => {} }) {
  const worker = workerPrologue + readFileSync(path.join(root, 'dist/worker.js'), 'utf8');
  const script = { 'Content-Type': 'text/javascript; charset=utf-8' };
  const server = await serve({
    routes: { '/soak.html': soakPage, '/soak-worker.js': (_, response) => response.writeHead(200, script).end(worker) },
  });
  const browser = await puppeteer.launch(await launchOptions());
  const random = generator(seed);
  try {
    const hidden = await browser.newPage();
    const tab = await browser.newPage();
    const unclosed = [];
    tab.on('console', (message) => {
      if (/garbage collected without being closed/.test(message.text())) unclosed.push(message.location()?.url);
    });
    await tab.evaluateOnNewDocument(catchWorkers);
    await tab.goto(new URL('/soak.html', server.url).href, { waitUntil: 'load' });
    await tab.bringToFront();
    await tab.evaluate(begin);
    const session = await tab.createCDPSession();
    /** What it gives in each of the engine's workers; elements with a backend of their own have another engine. */
    const inWorkers = async (fn) => {
      const own = tab.workers().filter((one) => one.url().endsWith('/soak-worker.js'));
      const given = await Promise.allSettled(own.map((one) => one.evaluate(fn)));
      return given.flatMap(({ value }) => (value === undefined ? [] : [value])); // without those that died meanwhile
    };
    const samples = { 'heap of the page, MB': [], 'arena, MB': [], textures: [], 'processes, MB': [] };
    const done = { losses: 0, deaths: 0, seek: 0, source: 0, settings: 0, remove: 0, hide: 0 };
    const began = performance.now();
    const age = () => performance.now() - began;
    const end = 60_000 * minutes;
    let [nextLoss, nextDeath, nextDeed, nextSample, died] = [4_000, 9_000, 2_000, SETTLED, 0];
    while (age() < end) {
      if (losses && age() > nextLoss) {
        nextLoss += 60_000 / losses;
        const lost = await inWorkers(() => {
          const living = self.soak.contexts.filter((context) => !context.isContextLost());
          for (const context of living) {
            const extension = context.getExtension('WEBGL_lose_context');
            extension.loseContext();
            setTimeout(() => extension.restoreContext(), 300);
          }
          return living.length;
        });
        if (lost.some((count) => count)) done.losses++;
      }
      if (deaths && age() > nextDeath) {
        nextDeath += Math.max(APART, 60_000 / deaths);
        died = age();
        await tab.evaluate(disturb, 'worker', 0);
        done.deaths++;
      }
      if (age() > nextDeed) {
        nextDeed += 1_000 + 4_000 * random();
        const kind = ['seek', 'source', 'settings', 'remove', 'hide'][Math.floor(5 * random())];
        done[kind]++;
        if (kind === 'hide') {
          await hidden.bringToFront();
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          await tab.bringToFront();
        } else await tab.evaluate(disturb, kind, random());
      }
      if (age() > nextSample) {
        nextSample += SAMPLE;
        await session.send('HeapProfiler.collectGarbage');
        const { JSHeapUsedSize } = await tab.metrics();
        const at = age() / 60_000;
        samples['heap of the page, MB'].push([at, JSHeapUsedSize / 2 ** 20]);
        samples['processes, MB'].push([at, residentOf(browser.process().pid)]);
        const inside = await inWorkers(() => ({
          arena: self.soak.memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) / 2 ** 20,
          textures: self.soak.textures,
        }));
        if (age() - died > SETTLED) {
          const sum = (name) => inside.reduce((all, one) => all + one[name], 0);
          samples['arena, MB'].push([at, sum('arena')]);
          samples.textures.push([at, sum('textures')]);
        }
        onTold(`${Math.round(age() / 1000)} s: ${JSON.stringify(await tab.evaluate(() => self.told.results))}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { results, errors, rows } = await tab.evaluate(async () => {
      const element = document.getElementById('pupil');
      element.record();
      const { rows } = JSON.parse(await element.exportJson());
      return { ...self.told, rows };
    });
    const slopes = Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, slopeOf(list)]));
    return {
      minutes: age() / 60_000,
      done,
      results,
      errors,
      recording: missing(rows),
      slopes,
      unclosed: unclosed.length,
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(async () => {
    const text = { type: 'string' };
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        seed: { ...text, default: '1' },
        losses: { ...text, default: '6' },
        deaths: { ...text, default: '2' },
      },
    });
    const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
    const found = await soak({ minutes: Number(positionals[0] ?? 3), ...numbers, onTold: (line) => console.log(line) });
    const { done, results, errors, recording, slopes, unclosed } = found;
    console.log(
      table([['', 'how often'], ...Object.entries(done).map(([name, count]) => [name, String(count)])]),
      '\n\n',
      table([['results of', ''], ...Object.entries(results).map(([id, count]) => [id, String(count)])]),
      '\n\n',
      table([
        ['', 'a minute', 'standard error', 'at the end'],
        ...Object.entries(slopes).map(([name, of]) =>
          of ? [name, of.slope.toFixed(3), of.error.toFixed(3), of.last.toFixed(1)] : [name, '-', '-', '-'],
        ),
      ]),
    );
    const codes = new Map();
    for (const error of errors) codes.set(error, (codes.get(error) ?? 0) + 1);
    for (const [error, count] of codes) console.log(`${count} x ${error}`);
    console.log(`\n${recording.frames} frames recorded, ${recording.lost} frame numbers lost.`);
    console.log(`${unclosed} times the browser says that a frame was left unclosed.`);
    if (recording.lost || unclosed) process.exitCode = 1;
  });
