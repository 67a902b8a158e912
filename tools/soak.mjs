// Runs five elements for the given minutes, with the actions of users and faults of a machine: seeks, other sources and settings,
// elements taken away, the tab hidden, graphics contexts lost, the engine's worker ended. At the end: heap, arena, textures
// and memory of the processes as slopes with their standard error, and whether the recording has a gap in its frame numbers.
//   npm run soak -- [minutes] [--seed N] [--losses per minute, default 6] [--deaths per minute, default 2, a maximum of 1.9 is done]
//     [--recorded 0: nothing is recorded, so that the page's heap keeps nothing]
//     [--rate 120: the pupil element and a tracker of the library at a camera with this frame rate,
//     instead of the five elements]
//     [--owners 1: who holds the blocks of the arena, and which objects the page's heap has more of, at a third of the time and at
//     the end] [--write: keeps the table in lab/results]
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import { Report } from '../bench/parts/report.mjs';
import { table } from '../bench/parts/table.mjs';
import { machine } from '../bench/run.mjs';
import { writeWhole } from './fingerprint.mjs';
import { bundleForPage } from './import-ts.mjs';
import { launchOptions } from './browser.mjs';
import { processesBelow } from './processes.mjs';
import { root, serve } from './serve.mjs';
import { main } from './setup.mjs';
import { constructorsOf, grown } from './soak/heap.mjs';
import {
  begin,
  beginCamera,
  catchFrames,
  catchWorkers,
  disturb,
  onePage,
  soakPage,
  soakWorker,
  source,
} from './soak/page.mjs';
import { generator } from './random.mjs';

/* global document, self */

/** Minimum time between two ended workers, ms: three within a minute stop an engine for good. */
const APART = 30_500;
/** Minimum time for one engine, ms: it can also stop because the machine is busy. */
const ALONE = 20_000;
/** ms */
const SAMPLE = 5_000;
/** The engine of the page, and the engine of the element with another backend or of the script. */
const ENGINES = 2;
/** Actions on the five elements. An element at a camera has no other source. */
const deedsOf = (rate) => (rate ? ['settings', 'hide'] : ['seek', 'source', 'settings', 'remove', 'hide']);
/** Age at which a worker is measured, ms: it fills its memory first. */
const SETTLED = 10_000;

/** Length in minutes at which slopes start after WARM, with a mean for each minute: first, browsers compile hot code. */
const LONG = 6;
/** Minutes. */
const WARM = 2;

const kinds = { '': 'browser', renderer: 'renderer', 'gpu-process': 'GPU process' };

/** MB of the browser's processes: all of them, and by kind; services are named as the browser names them. */
function residentOf(pid) {
  const sums = { all: 0 };
  for (const one of processesBelow(pid))
    try {
      const size = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0) / 1024;
      const command = readFileSync(`/proc/${one}/cmdline`, 'utf8');
      const kind = /--type=([\w-]+)/.exec(command)?.[1] ?? '';
      sums.all += size;
      const name = kinds[kind] ?? /--utility-sub-type=[\w.]*?(\w+)Service\b/.exec(command)?.[1] ?? 'others';
      sums[name] = (sums[name] ?? 0) + size;
    } catch {
      // it has ended
    }
  return sums;
}

const short = 'build/soak/short.webm';

/** Makes the recording that the elements play, unless it exists. */
async function makeShort(browser, server) {
  const file = path.join(root, short);
  if (existsSync(file)) return;
  const page = await browser.newPage();
  await page.goto(new URL('/soak-clip.html', server.url).href, { waitUntil: 'load' });
  const url = await page.evaluate(() => self.soakClip.shortClip('/demo/media/sample.webm'));
  writeWhole(file, Buffer.from(url.split(',')[1], 'base64'));
  await page.close();
}

/** Means of windows of at least one minute: samples that are closer together have the same source, settings and worker. */
export function averaged(samples, window, from = 0) {
  if (!window) return samples;
  const windows = new Map();
  for (const sample of samples) {
    if (sample[0] < from) continue;
    const at = Math.floor(sample[0] / window);
    windows.set(at, [...(windows.get(at) ?? []), sample]);
  }
  return [...windows.values()].map((group) =>
    [0, 1].map((k) => group.reduce((sum, sample) => sum + sample[k], 0) / group.length),
  );
}

/** Slope per minute by least squares, and its standard error. */
export function slopeOf(samples) {
  const n = samples.length;
  if (n < 3) return null;
  const [mx, my] = [0, 1].map((k) => samples.reduce((sum, pair) => sum + pair[k], 0) / n);
  const [xx, xy] = [0, 1].map((k) =>
    samples.reduce((sum, pair) => sum + (pair[0] - mx) * (pair[k] - (k ? my : mx)), 0),
  );
  const slope = xy / xx;
  const rest = samples.reduce((sum, [x, y]) => sum + (y - my - slope * (x - mx)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (n - 2) / xx), last: samples.at(-1)[1], mean: my, n };
}

/** 95 % limit of the absolute value of Student's t for the given degrees of freedom (Cornish and Fisher's expansion). */
export function studentT(freedom) {
  const z = 1.96;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  return z + first / freedom + second / freedom ** 2;
}

/** Of a slope: the cells of its row, and whether it is 0 within its error: few minutes ask for more than two standard errors. */
export const slopeCells = ({ mean, slope, error, last, n }) => [
  mean.toFixed(1),
  slope.toFixed(3),
  error.toFixed(3),
  Math.abs(slope) <= studentT(n - 2) * error ? 'yes' : slope > 0 ? 'no, grows' : 'no, falls',
  last.toFixed(1),
];

/** Frames that are neither in the recording nor counted as dropped, those that are counted so, and how many there were. */
export function missing(rows) {
  let [lost, dropped] = [0, 0];
  for (let i = 1; i < rows.length; i++) {
    const [before, row] = [rows[i - 1], rows[i]];
    if (row.frame === before.frame) continue; // the other eye
    lost += Math.abs(row.frame - before.frame - 1 - row.dropped);
    dropped += row.dropped;
  }
  return { lost, dropped, frames: rows.length ? rows.at(-1).frame - rows[0].frame + 1 : 0 };
}

/** KiB of the arena by who holds them, at a third of the moments and at the last one. */
function ownersOf(moments) {
  const sums = [moments[Math.floor(moments.length / 3)], moments.at(-1)].map(({ workers }) => {
    const all = {};
    for (const { held } of workers)
      for (const [owner, bytes] of Object.entries(held)) all[owner] = (all[owner] ?? 0) + bytes;
    return all;
  });
  const change = (owner) => (sums[1][owner] ?? 0) - (sums[0][owner] ?? 0);
  const owners = [...new Set(sums.flatMap(Object.keys))].sort((a, b) => change(b) - change(a));
  const kib = (bytes = 0) => (bytes / 1024).toFixed(0);
  return table([
    ['KiB of the arena', 'then', 'at the end'],
    ...owners.map((owner) => [owner, kib(sums[0][owner]), kib(sums[1][owner])]),
  ]);
}

/** @param options minutes, seed, losses and deaths (per minute), recorded and owners (0 or 1), rate (0: five elements), onTold(line) */
export async function soak({ minutes, seed, losses, deaths, recorded = 1, owners = 0, rate = 0, onTold = () => {} }) {
  // The built script; with names of functions where owners are asked for.
  const script = owners
    ? await bundleForPage('src/worker.ts', { name: 'engine' })
    : readFileSync(path.join(root, 'dist/worker.js'), 'utf8');
  const worker = soakWorker(script, owners);
  const type = { 'Content-Type': 'text/javascript; charset=utf-8' };
  const server = await serve({
    routes: {
      '/soak.html': rate ? onePage : soakPage(`/${short}`),
      '/soak-clip.html':
        '<!doctype html><script src="/dist/foveola.cdn.js"></script><script src="/soak-clip.js"></script>',
      '/soak-worker.js': (_, response) => response.writeHead(200, type).end(worker),
      '/soak-clip.js': async (_, response) =>
        response.writeHead(200, type).end(await bundleForPage('tools/soak/clip.ts', { name: 'soakClip' })),
    },
  });
  const browser = await puppeteer.launch(await launchOptions());
  const random = generator(seed);
  try {
    await makeShort(browser, server);
    const hidden = await browser.newPage();
    const tab = await browser.newPage();
    await tab.setViewport({ width: 1000, height: 1600 }); // all five are seen: browsers draw no frames of a video that is not
    // The browser also reports this for a frame that was sent to a worker that ended. Nothing can close that frame.
    let warned = 0;
    tab.on('console', (message) => {
      if (/garbage collected without being closed/.test(message.text())) warned++;
    });
    await tab.evaluateOnNewDocument(catchWorkers);
    await tab.evaluateOnNewDocument(catchFrames);
    await tab.goto(new URL('/soak.html', server.url).href, { waitUntil: 'load' });
    await tab.bringToFront();
    await (rate
      ? tab.evaluate(beginCamera, `/${short}`, rate, String(source), recorded)
      : tab.evaluate(begin, recorded));
    const session = await tab.createCDPSession();
    /** Its result in each of the engine's workers. Elements with another backend have another engine. */
    const inWorkers = async (fn) => {
      const own = tab.workers().filter((one) => one.url().endsWith('/soak-worker.js'));
      const given = await Promise.allSettled(own.map((one) => one.evaluate(fn)));
      return given.flatMap(({ value }) => (value === undefined ? [] : [value])); // without workers that ended meanwhile
    };
    const samples = {
      workers: [],
      'heap of the page, MB': [],
      'arena: in use, MB': [],
      'arena: blocks': [],
      'arena: reserved, MB': [],
      textures: [],
      'processes, MB': [],
    };
    /** Moments of the arena, by who holds its blocks. */
    const moments = [];
    /** Constructors of the page's heap, then and at the end. */
    const heaps = [];
    const done = { losses: 0, deaths: 0, seek: 0, source: 0, settings: 0, remove: 0, hide: 0 };
    const began = performance.now();
    const age = () => performance.now() - began;
    const end = 60_000 * minutes;
    let [nextLoss, nextDeath, nextDeed, nextSample] = [4_000, 9_000, 2_000, SETTLED];
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
        if (await tab.evaluate(disturb, 'worker', ALONE)) done.deaths++;
        else nextDeath = age() + SAMPLE;
      }
      if (age() > nextDeed) {
        nextDeed += 1_000 + 4_000 * random();
        const deeds = deedsOf(rate);
        const kind = deeds[Math.floor(deeds.length * random())];
        done[kind]++;
        if (kind === 'hide') {
          await hidden.bringToFront();
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          await tab.bringToFront();
        } else await tab.evaluate(disturb, kind, random());
      }
      if (age() > nextSample) {
        nextSample += SAMPLE;
        // In the workers too: results that were posted are garbage there, a megabyte each, which nothing hurries to collect.
        const collect = (client) => client.send('HeapProfiler.collectGarbage');
        await Promise.allSettled([session, ...tab.workers().map(({ client }) => client)].map(collect));
        const { JSHeapUsedSize } = await tab.metrics();
        const at = age() / 60_000;
        samples['heap of the page, MB'].push([at, JSHeapUsedSize / 2 ** 20]);
        for (const [kind, size] of Object.entries(residentOf(browser.process().pid)))
          (samples[kind === 'all' ? 'processes, MB' : `${kind}, MB`] ??= []).push([at, size]);
        const inside = await inWorkers(() => {
          const of = (measure) => self.soak.arenas.reduce((sum, arena) => sum + measure(arena), 0);
          const held = {};
          for (const blocks of self.soak.owners ?? [])
            for (const [bytes, owner] of blocks.values()) held[owner] = (held[owner] ?? 0) + bytes;
          return {
            age: performance.now() - self.soak.began,
            'arena: in use, MB': of((arena) => arena.used) / 2 ** 20,
            'arena: blocks': of((arena) => arena.blocks),
            'arena: reserved, MB': of((arena) => arena.memory.buffer.byteLength) / 2 ** 20,
            textures: self.soak.textures,
            held,
          };
        });
        samples.workers.push([at, inside.length]);
        if (owners && !heaps.length && age() > end / 3) heaps.push(await constructorsOf(session));
        // A worker that has just begun fills its memory first.
        if (inside.length === ENGINES && inside.every((one) => one.age > SETTLED)) {
          for (const name of Object.keys(samples).filter((name) => name in inside[0]))
            samples[name].push([at, inside.reduce((all, one) => all + one[name], 0)]);
          moments.push({ at, workers: inside });
        }
        onTold(
          `${Math.round(age() / 1000)} s: ages ${inside.map((one) => Math.round(one.age / 1000))} ${JSON.stringify(await tab.evaluate(() => self.heard.results))}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (heaps.length) heaps.push(await constructorsOf(session));
    const left = await tab.evaluate(() => self.unclosedFrames ?? []);
    const { results, errors, rows } = await tab.evaluate(async (recorded) => {
      if (!recorded) return { ...self.heard, rows: [] };
      const element = document.getElementById('pupil');
      if (element.recording) element.record();
      const { rows } = JSON.parse(await element.exportJson({ recording: true }));
      return { ...self.heard, rows: rows.map(({ frame, dropped }) => [frame, dropped]) };
    }, recorded);
    const slopes = Object.fromEntries(
      Object.entries(samples).map(([name, list]) => [name, slopeOf(averaged(list, minutes < LONG ? 0 : 1, WARM))]),
    );
    return {
      minutes: age() / 60_000,
      done,
      results,
      errors,
      recording: missing(rows.map(([frame, dropped]) => ({ frame, dropped }))),
      slopes,
      warned,
      left,
      moments,
      heaps,
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
        recorded: { ...text, default: '1' },
        owners: { ...text, default: '0' },
        rate: { ...text, default: '0' },
        write: { type: 'boolean', default: false },
      },
    });
    const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
    const report = new Report({ args: process.argv.slice(2), machine: await machine(), run: 'npm run soak' });
    const found = await soak({ minutes: Number(positionals[0] ?? 3), ...numbers, onTold: (line) => console.log(line) });
    const { done, results, errors, recording, slopes, warned, left, moments, heaps } = found;
    console.log(
      table([['', 'how often'], ...Object.entries(done).map(([name, count]) => [name, String(count)])]),
      '\n\n',
      table([['results of', ''], ...Object.entries(results).map(([id, count]) => [id, String(count)])]),
    );
    const codes = new Map();
    for (const error of errors) codes.set(error, (codes.get(error) ?? 0) + 1);
    for (const [error, count] of codes) console.log(`${count} x ${error}`);
    if (numbers.owners) console.log(`${ownersOf(moments)}\n${heaps.length ? table(grown(...heaps)) : ''}`);
    for (const stack of left) console.log(`unclosed: ${stack}`);
    report.line(
      `**${done.losses} context losses and ${done.deaths} worker deaths in ${found.minutes.toFixed(1)} minutes: ${recording.lost} frame numbers lost in the recording** of ${recording.frames} frames${recording.dropped ? `, ${recording.dropped} of them dropped and counted` : ''}; ${left.length} frames left open by the page.`,
    );
    report.table([
      ['', 'mean', 'more a minute', 'standard error', '0 within its error (95 %)', 'at the end'],
      ...Object.entries(slopes).map(([name, of]) => (of ? [name, ...slopeCells(of)] : [name, ...'-----'])),
    ]);
    console.log(`${warned} warnings of the browser, which also tell of frames that a dead worker had.`);
    const names = ['seed', 'losses', 'deaths', 'recorded', ...(numbers.rate ? ['rate'] : [])];
    const options = names.map((name) => `--${name} ${numbers[name]}`).join(' ');
    const key = `soak${numbers.rate ? ' camera' : ''}${numbers.recorded ? '' : ', nothing recorded'}`;
    report.finish('lab/results/reliability.md', key, `${positionals[0] ?? 3} ${options}`);
    if (recording.lost || left.length) process.exitCode = 1;
  });
