// Door: what a call of the public API costs beside its kernel, and beside native OpenCV. --threads N, --backend auto, --quick
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON)
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readResult } from '../parts/kept-result.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { option, packDoor, onDoorPage } from './parts/door-bench.mjs';
import { columnsOf, ROWS, scene } from './parts/door-scene.js';

const TITLES = { worker: 'worker', here: 'same thread' };

/** OpenCV's medians, or why there are none. */
function native(root, seconds, rows) {
  const script = path.join(root, 'bench/door/parts/native.py');
  let answer = { skipped: 'there is no python3' };
  for (const program of ['/usr/bin/python3', 'python3']) {
    if (program.startsWith('/') && !existsSync(program)) continue;
    try {
      answer = JSON.parse(execFileSync(program, [script, String(seconds), ...rows], { encoding: 'utf8' }));
    } catch (error) {
      answer = { skipped: error.message.split('\n')[0] };
    }
    if (!answer.skipped) break;
  }
  return answer;
}

/** OpenCV on the same pictures, in the same run. */
function peersHere(root, seconds, only) {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-door-'));
  try {
    const rows = ROWS.filter(([name]) => name.includes(only)).map(([name, width, height]) => {
      const file = path.join(folder, `${width}x${height}.gray`);
      if (!existsSync(file)) writeFileSync(file, scene(width, height));
      return `${name}=${width}x${height}=${file}`;
    });
    return native(root, seconds, rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is wanted of a chain, against the sum of its kernels. */
const CHAIN = 1.1;

/** The chain of five on images that stay beside its five kernels, each by itself on the thread that calls. */
function chainLine(rows) {
  const [name, { worker, here }] = Object.entries(rows).find(([own]) => own.startsWith('chain of five')) ?? ['', {}];
  if (!worker || !here) return [];
  const ratio = worker.handles / here.handles;
  const verdict = ratio <= CHAIN ? 'reached' : 'NOT reached';
  return [
    `${name}, images that stay: ${fixed(worker.handles, 2)} ms in one call, its five kernels one by one on the same thread ${fixed(here.handles, 2)} ms: ${fixed(ratio, 2)} times (at most ${CHAIN} wanted: ${verdict}).`,
  ];
}

/** Runs of a machine without Node: the worker's calls, samples in and out / images that stay, and the same thread's. */
function printRuns(given, file) {
  const report = new Report(given);
  const runs = readResult(file, report);
  const names = Object.keys(runs);
  const gpu = names.map((name) => runs[name].columns.worker.gpu).find(Boolean);
  report.line(`${gpu}.`);
  const pair = (row) => (row ? `${fixed(row.samples, 2)} / ${fixed(row.handles, 2)}` : '-');
  const threads = (count) => `${count} thread${count > 1 ? 's' : ''}`;
  report.table([
    [
      'ms, samples in and out / images that stay',
      ...names.map((name) => name.replace(/-(\d+)/, (_, count) => `, ${threads(count)}`)),
      'same thread',
    ],
    ...Object.keys(runs[names[0]].rows).map((name) => [
      name,
      ...names.map((run) => pair(runs[run].rows[name].worker)),
      pair(runs[names[0]].rows[name].here),
    ]),
  ]);
  report.list([
    "gpu: `backend: 'gpu'`; images that stay are then only under way when the call resolves. auto: the measured side, after its trials.",
    'same thread: createEngineSync, WASM; of a chain its kernels, one by one.',
    ...chainLine(runs[names[0]].rows),
  ]);
  report.finish('docs/performance-tables.md', 'hardware door', `door --result ${file}`);
}

export default async function door(given) {
  const { args, root } = given;
  const seconds = args.includes('--quick') ? 0.15 : 0.6;
  const threads = Number(option(args, '--threads', 1));
  const backend = option(args, '--backend', 'wasm');
  const only = option(args, '--only', '');
  const columns = columnsOf(backend, threads);
  if (args.includes('--pack')) return packDoor(root, option(args, '--pack'), columns);
  const file = option(args, '--result');
  if (file) return printRuns(given, file);
  const result = await onDoorPage(given, 'measure', columns, seconds, only);
  const peers = peersHere(root, seconds, only);
  const report = new Report(given);
  const names = Object.keys(result.columns);
  for (const name of names) {
    const { backend, threads, gpu } = result.columns[name];
    report.line(`${TITLES[name]}: ${backend}, ${threads} thread${threads > 1 ? 's' : ''}${gpu ? `, ${gpu}` : ''}.`);
  }
  report.table([
    [
      'ms, image in, result out',
      `OpenCV ${peers.version ?? ''}`.trim(),
      ...names.flatMap((name) => [TITLES[name], `${TITLES[name]}, images that stay`]),
    ],
    ...Object.entries(result.rows).map(([name, row]) => [
      name,
      fixed(peers.ms?.[name], 2),
      ...names.flatMap((column) => [fixed(row[column]?.samples, 2), fixed(row[column]?.handles, 2)]),
    ]),
  ]);
  report.list([
    peers.skipped
      ? `Native OpenCV: skipped (${peers.skipped}).`
      : 'OpenCV on one thread; dense flow: its DIS, preset fast.',
    'Medians. Worker: through the worker’s door, as createEngine gives it. Same thread: createEngineSync, no door. Images that',
    'stay: sources loaded before, pictures kept; on the same thread that is the kernel and what a call costs without a copy; of a',
    'chain its kernels, one by one.',
    ...chainLine(result.rows),
  ]);
  const key = threads > 1 ? `door ${threads} threads` : backend === 'wasm' ? 'door' : `door ${backend}`;
  report.finish('docs/performance-tables.md', key, ['door', ...args.filter((word) => word !== '--write')].join(' '));
}
