// `npm run bench` lists the benchmarks and runs the quick ones; `npm run bench -- <name...>` runs one:
//   npm run bench -- image                bench/image/index.mjs
//   npm run bench -- hard pupil           bench/pupil/hard.mjs (or .ts)
//   npm run bench -- hard pupil --count 20          everything after the first -- is an argument of the benchmark
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
const isBench = (file) => /\.(mjs|ts)$/.test(file) && !file.includes('/parts/') && !/^\w+\/run\.mjs$/.test(file);

/** Benchmarks of a folder: { name: 'hard pupil', file: 'bench/pupil/hard.mjs', about, quick }. */
export function benches(folder = 'bench') {
  const found = [];
  for (const file of filesBelow(root, [folder], isBench)) {
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

export async function context(args, machine, folder = 'bench') {
  const { serve, sharedFolder } = await import('../tools/serve.mjs');
  const { importTs, bundleForPage } = await import('../tools/import-ts.mjs');
  const shared = existsSync(sharedFolder) ? sharedFolder : null;
  const open = [];
  return {
    root,
    args,
    /** How a person starts it. */
    run: `npm run ${folder}`,
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
  const given = await context(args, machine, file.split('/')[0]);
  try {
    const module = file.endsWith('.ts')
      ? await given.importTs(file)
      : await import(pathToFileURL(path.join(root, file)).href);
    await module.default?.(given);
  } finally {
    await given.closeAll();
  }
}

/** The words of a command line up to its first flag, and the rest. */
export function splitWords(given) {
  const first = given.findIndex((word) => word.startsWith('-'));
  return first < 0 ? [given.join(' '), []] : [given.slice(0, first).join(' '), given.slice(first)];
}

/** The benchmark of this name; by the last word alone, every benchmark of a subject. */
export function chosenOf(all, words) {
  const chosen = all.filter(({ name }) => name === words);
  return chosen.length ? chosen : all.filter(({ name }) => name.split(' ').at(-1) === words);
}

export const listed = (all) => all.map(({ name, about }) => `  ${name.padEnd(24)} ${about}`).join('\n') || '  (none)';

/** Runs benchmarks one after the other, the machine first. */
export async function runAll(chosen, args) {
  await setUp();
  const description = await machine();
  console.log(description);
  for (const bench of chosen) await runBench(bench, args, description);
}

async function runFromCommandLine() {
  const all = benches();
  const [words, args] = splitWords(process.argv.slice(2));
  if (!words) console.log(`Benchmarks, \`npm run bench -- <name>\` (the others: \`npm run lab\`):\n${listed(all)}\n`);
  const chosen = words ? chosenOf(all, words) : all.filter(({ quick }) => quick);
  if (words && !chosen.length) {
    const inLab = chosenOf(benches('lab'), words).length ? ` Run \`npm run lab -- ${words}\`.` : '';
    throw new Error(`There is no benchmark '${words}' in bench/.${inLab} There are:\n${listed(all)}`);
  }
  if (chosen.length) await runAll(chosen, args);
}

// Not awaited: benchmarks import what imports this file (lab/papers/rows.mjs).
if (process.argv[1] === fileURLToPath(import.meta.url)) void main(runFromCommandLine);
