// Door: what a call of the public API costs beside its kernel, and beside native OpenCV. --threads N, --backend auto, --quick
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fixed, Report } from '../parts/report.mjs';

const ROWS = [
  ['gaussian', 1280, 1024],
  ['top-hat 19', 1280, 1024],
  ['median 7', 1280, 1024],
  ['canny', 1280, 1024],
  ['canny', 3504, 2336],
  ['integral', 3840, 2160],
  ['integral uint32', 3840, 2160],
  ['eigenvalues', 700, 605],
  ['eigenvalues', 3504, 2336],
  ['dense flow', 640, 480],
  ['faces', 1280, 720],
  ['inpaint', 400, 400],
  ['five calls', 1280, 1024],
  ['chain of five', 1280, 1024],
];

/** Soft blobs of several sizes with noise: edges everywhere, the same on every machine. */
function scene(width, height) {
  const data = Buffer.alloc(width * height);
  let seed = 7;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      const wave = Math.sin(x / 17) * Math.cos(y / 23) + Math.sin((x + y) / 71) + Math.sin((x * y) / 40000);
      data[y * width + x] = 128 + 36 * wave + ((seed >>> 24) - 128) / 16;
    }
  return data;
}

/** OpenCV's medians, or why there are none. */
function native(root, seconds, rows) {
  const script = path.join(root, 'bench/engine/parts/native.py');
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

const option = (args, name, otherwise) => {
  const at = args.indexOf(name);
  return at < 0 ? otherwise : args[at + 1];
};

export default async function door(given) {
  const { args, root, serve, openBrowser } = given;
  const seconds = args.includes('--quick') ? 0.15 : 0.6;
  const threads = Number(option(args, '--threads', 1));
  const backend = option(args, '--backend', 'wasm');
  const only = option(args, '--only', '');
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-door-'));
  try {
    const files = new Map();
    for (const [, width, height] of ROWS) {
      const name = `${width}x${height}`;
      const file = path.join(folder, `${name}.gray`);
      if (!files.has(name)) writeFileSync(file, scene(width, height));
      files.set(name, file);
    }
    const html =
      '<!doctype html><meta charset="utf-8"><title>door</title><script type="module" src="/bench/engine/parts/door-page.js"></script>';
    const server = await serve({
      routes: {
        '/door.html': html,
        ...Object.fromEntries(
          [...files].map(([name, file]) => [
            `/${name}.gray`,
            (request, response) => response.writeHead(200).end(readFileSync(file)),
          ]),
        ),
      },
    });
    const browser = await openBrowser();
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error.message));
    await page.goto(`${server.url}/isolated/door.html`);
    await page.waitForFunction(() => globalThis.time);
    const rows = ROWS.filter(([name]) => name.includes(only));
    const peers = native(
      root,
      seconds,
      rows.map(
        ([name, width, height]) => `${name},${width}x${height}=${width}x${height}=${files.get(`${width}x${height}`)}`,
      ),
    );
    const columns = {
      worker: { backend, threads, worker: true },
      here: { backend: 'wasm', threads: 1, worker: false },
    };
    const measured = {};
    const opened = {};
    for (const [column, options] of Object.entries(columns)) {
      opened[column] = await page.evaluate((options) => globalThis.open(options), options);
      for (const [name, width, height] of rows) {
        const image = { url: `/${width}x${height}.gray`, width, height };
        (measured[`${name},${width}x${height}`] ??= {})[column] = await page.evaluate(
          (name, image, seconds) => globalThis.time(name, image, seconds),
          name,
          image,
          seconds,
        );
      }
    }
    const report = new Report(given);
    const { worker } = opened;
    report.heading(
      `Calls, image in, result out, ms (${worker.backend}, ${worker.threads} thread${worker.threads > 1 ? 's' : ''})`,
    );
    report.table([
      [
        'call',
        `OpenCV ${peers.version ?? ''}`.trim(),
        'worker',
        'worker, images that stay',
        'same thread',
        'same thread, images that stay',
      ],
      ...Object.entries(measured).map(([name, { worker, here }]) => [
        name.replace(',', ' '),
        fixed(peers.ms?.[name], 2),
        ...[worker.samples, worker.handles, here.samples, here.handles].map((ms) => fixed(ms, 2)),
      ]),
    ]);
    report.list([
      ...(peers.skipped
        ? [`Native OpenCV: skipped (${peers.skipped}).`]
        : ['OpenCV on one thread; dense flow: its DIS, preset fast.']),
      'Worker: through the worker’s door, as createEngine gives it. Same thread: `worker: false`, no door. Images that stay: sources',
      'loaded before, pictures kept; on the same thread that is the kernel and what a call costs without any copy.',
    ]);
    const key = threads > 1 ? `door ${threads} threads` : backend === 'wasm' ? 'door' : `door ${backend}`;
    report.finish('docs/performance.md', key, ['door', ...args.filter((word) => word !== '--write')].join(' '));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
