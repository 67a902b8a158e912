// `npm run bench` lists the benchmarks and runs the quick ones; `npm run bench -- <name...>` runs one:
//   npm run bench -- image                bench/image.mjs (or .ts)
//   npm run bench -- accuracy pupil       bench/pupil/accuracy.mjs (or .ts)
//   npm run bench -- accuracy pupil --limit 20      what follows the first -- argument goes to the benchmark
// The first comment of a benchmark's file says in one line what it prints; [quick] in it: part of the plain run.
// A benchmark exports `default async function ({ args, log, table, root, shared, openBrowser, serve, importTs, bundleForPage, machine })`.
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import { filesBelow } from '../tools/fingerprint.mjs';
import { main, root, setUp } from '../tools/setup.mjs';
import { table } from './parts/table.mjs';

// Files without a default export, and everything in a folder called parts, are what benchmarks are made of.
const isBench = (file) => /\.(mjs|ts)$/.test(file) && !file.includes('/parts/') && file !== 'bench/run.mjs';

/** { name: 'accuracy pupil', file: 'bench/pupil/accuracy.mjs', about, quick } */
export function benches() {
  const found = [];
  for (const file of filesBelow(root, ['bench'], isBench)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    if (!/^export (default\b|\{[^}]*\bdefault\b)/m.test(text)) continue;
    const comment = /^\s*\/(?:\/|\*\*?)\s*(?:\*\s*)?(.*)/.exec(text)?.[1] ?? '';
    const parts = file
      .replace(/\.(mjs|ts)$/, '')
      .split('/')
      .slice(1)
      .reverse();
    const name = parts.filter((part) => part !== 'index').join(' ');
    found.push({ name, file, about: comment.replace(/\s*\*\/\s*$/, ''), quick: comment.includes('[quick]') });
  }
  return found;
}

/** The lines that say what a figure was measured on. */
export async function machine() {
  const { launchOptions } = await import('../tools/browser.mjs');
  const lines = [
    ['date', new Date().toISOString().slice(0, 16).replace('T', ' ') + ' UTC'],
    [
      'CPU',
      `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} logical cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    ],
    [
      'load',
      `${loadavg()
        .map((value) => value.toFixed(1))
        .join(' ')} (1, 5, 15 min)`,
    ],
    ['Node', process.versions.node],
  ];
  try {
    const { default: puppeteer } = await import('puppeteer-core');
    const browser = await puppeteer.launch(await launchOptions());
    lines.push(['browser', await browser.version()]);
    await browser.close();
  } catch (error) {
    lines.push(['browser', error.message.split('\n')[0]]);
  }
  return lines.map(([name, value]) => `${name.padEnd(8)} ${value}`).join('\n');
}

export { table };

export async function context(args, machine) {
  const { serve, sharedFolder } = await import('../tools/serve.mjs');
  const { importTs, bundleForPage } = await import('../tools/import-ts.mjs');
  const shared = existsSync(sharedFolder) ? sharedFolder : null;
  const open = [];
  return {
    root,
    args,
    /** The lines that say what it runs on. */
    machine,
    /** Folder of the media beside the checkout, or null. */
    shared,
    log: console.log,
    table: (rows) => console.log(table(rows)),
    importTs,
    bundleForPage,
    /** A puppeteer browser; closed after the benchmark. Options as in launchOptions(). */
    async openBrowser(options) {
      const { default: puppeteer } = await import('puppeteer-core');
      const { launchOptions } = await import('../tools/browser.mjs');
      const browser = await puppeteer.launch(await launchOptions(options));
      open.push(browser);
      return browser;
    },
    /** A server of the project (and of /shared/); closed after the benchmark. Options as in serve(). */
    async serve(options = {}) {
      const server = await serve({ ...options, mounts: { ...(shared && { '/shared/': shared }), ...options.mounts } });
      open.push(server);
      return server;
    },
    closeAll: () => Promise.all(open.splice(0).map((thing) => thing.close())),
  };
}

async function runBench({ name, file }, args, machine) {
  console.log(`\n== ${name} (${file})\n`);
  const given = await context(args, machine);
  try {
    const module = file.endsWith('.ts')
      ? await given.importTs(file)
      : await import(pathToFileURL(path.join(root, file)).href);
    await module.default?.(given);
  } finally {
    await given.closeAll();
  }
}

async function runFromCommandLine() {
  const all = benches();
  const flags = process.argv.slice(2);
  const firstFlag = flags.findIndex((word) => word.startsWith('-'));
  const words = (firstFlag < 0 ? flags : flags.slice(0, firstFlag)).join(' ');
  const args = firstFlag < 0 ? [] : flags.slice(firstFlag);
  const chosen = words ? all.filter(({ name }) => name === words) : all.filter(({ quick }) => quick);
  if (words && !chosen.length) chosen.push(...all.filter(({ name }) => name.split(' ').at(-1) === words)); // a whole folder
  const list = all.map(({ name, about }) => `  ${name.padEnd(20)} ${about}`).join('\n') || '  (none)';
  if (words && !chosen.length) throw new Error(`There is no benchmark '${words}'. There are:\n${list}`);
  if (!words) console.log(`Benchmarks, \`npm run bench -- <name>\`:\n${list}\n`);
  if (!chosen.length) return;
  await setUp();
  const description = await machine();
  console.log(description);
  for (const bench of chosen) await runBench(bench, args, description);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(runFromCommandLine);
