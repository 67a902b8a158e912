// Call overhead: the time of a call of the public API compared with its kernel and with native OpenCV. --threads N, --backend auto, --quick
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints the result of that page (JSON)
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readResult } from '../parts/kept-result.mjs';
import { python } from '../parts/python.mjs';
import { atLeast, atMost, fixed, Report } from '../parts/report.mjs';
import { option, packDoor, onDoorPage } from './parts/door-bench.mjs';
import { columnsOf, ROWS, scene } from './parts/door-scene.js';

const TITLES = { worker: 'worker', here: 'same thread' };

/** OpenCV on the same pictures, in the same run. */
function peersHere(root, seconds, only) {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-door-'));
  try {
    const rows = ROWS.filter(([name]) => name.includes(only)).map(([name, width, height]) => {
      const file = path.join(folder, `${width}x${height}.gray`);
      if (!existsSync(file)) writeFileSync(file, scene(width, height));
      return `${name}=${width}x${height}=${file}`;
    });
    return python(path.join(root, 'bench/door/parts/native.py'), seconds, ...rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Target of a chain, compared with the sum of its kernels. */
const CHAIN = 1.1;

/** The chain of five on images that stay in the engine, compared with its five kernels, each alone on the calling thread. */
function chainLine(rows) {
  const [name, { worker, here }] = Object.entries(rows).find(([own]) => own.startsWith('chain of five')) ?? ['', {}];
  if (!worker || !here) return [];
  return [
    `${name}, images that stay: ${fixed(worker.handles, 2)} ms in one call, its five kernels one by one on the same thread ${fixed(here.handles, 2)} ms.`,
    atMost(`${name}, times its kernels`, worker.handles / here.handles, CHAIN),
  ];
}

/** Rows and their targets on one thread: ms with samples in and out, ms with images that stay. */
const CALLS = { 'gaussian 1280x1024': [1.0], 'integral uint32 3840x2160': [12, 4] };
/** Maximum time of a call above its kernel if its image stays in the engine, ms. */
const DOOR = 0.3;

/** Time of a call compared with its kernel, on one thread. */
function callLines(rows) {
  const own = Object.entries(rows).filter(([, { worker, here }]) => worker?.handles && here?.handles);
  const [over, costs] = [
    (row) => row.worker.handles - row.here.handles,
    ([name, row]) => `${name} ${fixed(over(row), 2)}`,
  ];
  const calls = own.filter(([name]) => !/^(five|chain)/.test(name));
  const missed = calls.filter(([, row]) => !(over(row) <= DOOR));
  return [
    ...Object.entries(CALLS).flatMap(([name, [samples, handles]]) => {
      const { worker } = rows[name] ?? {};
      if (!worker) return [];
      const lines = [atMost(`ms of ${name}, samples in and out`, worker.samples, samples)];
      return handles ? [...lines, atMost(`ms of ${name}, images that stay`, worker.handles, handles)] : lines;
    }),
    `Wanted, ms over the same thread's where images stay: at most ${DOOR}. Missed by: ${missed.map(costs).join(', ') || 'none'}.`,
  ];
}

/** Threads against one, images that stay: 3 times or more on four processors. */
const SPREAD = [
  'canny 3504x2336',
  'dense flow 640x480',
  'eigenvalues 3504x2336',
  'faces 1280x720',
  'vessels 3504x2336',
];
const threadLines = (one, four) =>
  SPREAD.filter((name) => one[name]?.worker && four[name]?.worker).map((name) =>
    atLeast(`${name}, four threads against one`, one[name].worker.handles / four[name].worker.handles, 3),
  );

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
    ...callLines(runs[names[0]].rows),
    ...chainLine(runs[names[0]].rows),
    ...(runs['wasm-4'] ? threadLines(runs[names[0]].rows, runs['wasm-4'].rows) : []),
  ]);
  report.finish('lab/results/performance.md', 'hardware door', `door --result ${file}`);
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
    ...(threads === 1 && backend === 'wasm' ? [...callLines(result.rows), ...chainLine(result.rows)] : []),
  ]);
  const key = threads > 1 ? `door ${threads} threads` : backend === 'wasm' ? 'door' : `door ${backend}`;
  report.finish('lab/results/performance.md', key, ['door', ...args.filter((word) => word !== '--write')].join(' '));
}
