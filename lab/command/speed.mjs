// The command and foveola/node: frames a second a core with decoding, time outside the engine, memory over many files.
//   --files N      small files of the second and third part; default 1000 and 10000
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median } from '../../bench/parts/numbers.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';

const WIDTH = 640;
const HEIGHT = 480;
const FRAMES = 300;
const ROUNDS = 3;

/** A rendered eye of 640x480 that moves and changes its size: planes of I420. */
function eye(i) {
  const picture = new Uint8Array(WIDTH * HEIGHT * 1.5).fill(128);
  const [x, y, r] = [300 + 30 * Math.sin(i / 20), 240 + 15 * Math.cos(i / 30), 45 + 8 * Math.sin(i / 50)];
  for (let v = 0; v < HEIGHT; v++)
    for (let u = 0; u < WIDTH; u++) {
      const d = Math.hypot(u - x, v - y);
      const iris = 95 + 10 * Math.sin(Math.atan2(v - y, u - x) * 40 + d / 3);
      const skin = 150 + 20 * Math.sin(u / 37) * Math.cos(v / 29);
      const inside = d < r ? 35 : d < 130 ? iris : skin;
      picture[v * WIDTH + u] = Math.hypot(u - x - 12, v - y + 10) < 5 ? 230 : inside;
    }
  return picture;
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Seconds a frame, of the clock and of the processor, for a recording or for frames that are in memory. */
async function tracked(engine, frames) {
  const tracker = engine.createPupilTracker({ method: 'robust' });
  const [clock, busy] = [performance.now(), cpu()];
  let count = 0;
  for await (const { frame, timestamp } of frames) {
    await tracker.process(frame, { timestamp });
    count++;
  }
  const seconds = { clock: (performance.now() - clock) / 1000 / count, busy: (cpu() - busy) / count };
  await tracker.dispose();
  return seconds;
}

/** The gray planes of a recording, one after the other, and when each is due. */
async function heldFrames(node, file) {
  const list = [];
  for await (const { frame, timestamp } of node.frames(file)) {
    const data = new Uint8Array(frame.allocationSize());
    await frame.copyTo(data);
    list.push({ timestamp, frame: { width: WIDTH, height: HEIGHT, data: data.slice(0, WIDTH * HEIGHT) } });
  }
  return list.slice(0, FRAMES);
}

/** The same in a page, with its worker: seconds a frame. */
const inPage = (page, times) =>
  page.evaluate(
    async (timestamps, width, height) => {
      const { createEngine } = await import('/dist/foveola.js');
      globalThis.held ??= new Uint8Array(await (await fetch('/held.bin')).arrayBuffer());
      const engine = await createEngine({ backend: 'wasm', threads: 1 });
      const tracker = engine.createPupilTracker({ method: 'robust' });
      const start = performance.now();
      for (const [i, timestamp] of timestamps.entries()) {
        const data = globalThis.held.subarray(i * width * height, (i + 1) * width * height);
        await tracker.process({ width, height, data }, { timestamp });
      }
      const seconds = (performance.now() - start) / 1000 / timestamps.length;
      await engine.dispose();
      return seconds;
    },
    times,
    WIDTH,
    HEIGHT,
  );

async function recordings({ report, node, shared, openBrowser, serve }, folder) {
  const rendered = path.join(folder, 'eye.webm');
  const out = await node.encodeRecording(rendered, { width: WIDTH, height: HEIGHT });
  for (let i = 0; i < FRAMES; i++) await out.add(eye(i), (1000 * i) / 120);
  await out.close();
  const files = [['rendered eye, VP8', rendered]];
  const videos = shared && path.join(shared, 'data/pupil/videos/eyeloop_short_human_3blink');
  if (videos && existsSync(`${videos}.mp4`))
    files.push(['eyeloop, VP9', `${videos}.webm`], ['eyeloop, H.264', `${videos}.mp4`]);
  let planes = Buffer.alloc(0);
  const server = await serve({
    routes: {
      '/bench.html': '<!doctype html><title>bench</title>',
      '/held.bin': (_, response) => response.end(planes),
    },
  });
  const browser = await openBrowser({ protocolTimeout: 600_000 });
  const rows = [
    [
      '640x480, method robust',
      'frames a second of a core, with decoding',
      'without',
      'in a page, without',
      'with decoding, against that',
    ],
  ];
  const engine = await node.createEngine({ threads: 1 });
  for (const [name, file] of files) {
    const held = await heldFrames(node, file);
    planes = Buffer.concat(held.map(({ frame }) => frame.data));
    const page = await browser.newPage();
    await page.goto(`${server.url}/bench.html`);
    const times = held.map(({ timestamp }) => timestamp);
    const runs = { whole: [], alone: [], page: [] };
    await tracked(engine, held); // warm
    await inPage(page, times);
    for (let round = 0; round < ROUNDS; round++) {
      runs.whole.push(await tracked(engine, node.frames(file)));
      runs.alone.push(await tracked(engine, held));
      runs.page.push(await inPage(page, times));
    }
    await page.close();
    const of = (list, key) => median(list.map((one) => one[key]));
    const against = of(runs.whole, 'clock') / median(runs.page) - 1;
    rows.push([
      name,
      fixed(1 / of(runs.whole, 'busy'), 0),
      fixed(1 / of(runs.alone, 'busy'), 0),
      fixed(1 / median(runs.page), 0),
      `${against > 0 ? '+' : ''}${fixed(100 * against, 0)} % time`,
    ]);
  }
  await engine.dispose();
  report.heading('A recording, one core');
  report.table(rows);
  report.line(
    'Seconds of the processor for the columns of Node, of the clock for the page and the last column; medians of 3 runs, interleaved. Wanted: 400 frames a second, at most 10 % more time than in the page.',
  );
}

/** Small photographs, all different. */
async function smallFiles(node, folder, count) {
  mkdirSync(folder, { recursive: true });
  const [width, height] = [160, 120];
  for (let i = 0; i < count; i++) {
    const data = Uint8Array.from({ length: width * height }, (_, at) => {
      const [u, v] = [at % width, Math.floor(at / width)];
      return Math.hypot(u - 60 - (i % 40), v - 60) < 20 + (i % 7) ? 40 : 130 + ((u * 7 + v * 13 + i) % 11);
    });
    const blob = await node.encodePng({ width, height, channels: 1, data });
    writeFileSync(path.join(folder, `${String(i).padStart(5, '0')}.png`), Buffer.from(await blob.arrayBuffer()));
  }
}

const foveola = (root, args, onProcess) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, 'dist/bin/foveola.js'), ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (data) => (said += data));
    onProcess?.(child);
    child.on('close', () => resolve(said.trim()));
  });

const results = (out) =>
  readFileSync(path.join(out, 'foveola.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

async function manySmall({ report, node, root }, folder, count) {
  await smallFiles(node, path.join(folder, 'small'), count);
  const out = path.join(folder, 'out');
  const start = performance.now();
  await foveola(root, ['pupil', path.join(folder, 'small'), '--out', out, '--jobs', '1']);
  const wall = performance.now() - start;
  const list = results(out);
  const sum = (key) => list.reduce((total, one) => total + one[key], 0);
  const [engine, jobs] = [sum('engineMilliseconds'), sum('milliseconds')];
  report.heading(`${count} photographs of 160x120, one process`);
  report.table([
    ['', 'ms a file', 'share'],
    ['in all', fixed(wall / count, 2), '100 %'],
    ['engine and decoder', fixed(engine / count, 2), `${fixed((100 * engine) / wall, 1)} %`],
    ['hash, tables, files', fixed((jobs - engine) / count, 2), `${fixed((100 * (jobs - engine)) / wall, 1)} %`],
    [
      'list, messages, start of the processes',
      fixed((wall - jobs) / count, 2),
      `${fixed((100 * (wall - jobs)) / wall, 1)} %`,
    ],
  ]);
  report.line('Wanted: at most 5 % outside the engine.');
}

/** Resident memory of the process that does the jobs, MB. */
function residentOf(parent) {
  try {
    const [child] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))[1]) / 1000;
  } catch {
    return NaN;
  }
}

async function memory({ report, node, root }, folder, count) {
  const from = path.join(folder, 'memory');
  await smallFiles(node, from, count);
  const out = path.join(folder, 'memory-out');
  const seen = [];
  await foveola(root, ['edges', from, '--out', out, '--jobs', '1'], (child) => {
    const look = setInterval(() => seen.push(residentOf(child.pid)), 100);
    child.on('close', () => clearInterval(look));
  });
  const known = seen.filter(Number.isFinite);
  const part = (share) => known[Math.floor(share * (known.length - 1))];
  report.heading(`Memory over ${count} files, MB of the process`);
  report.table([
    ['a tenth', 'a quarter', 'half', 'three quarters', 'the end'],
    [0.1, 0.25, 0.5, 0.75, 1].map((share) => fixed(part(share), 0)),
  ]);
}

export default async function (given) {
  const report = new Report(given);
  const node = await import(path.join(given.root, 'dist/node.js'));
  const wanted = given.args.includes('--files') ? Number(given.args[given.args.indexOf('--files') + 1]) : 0;
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-bench-'));
  try {
    await recordings({ ...given, report, node }, folder);
    await manySmall({ ...given, report, node }, folder, wanted || 1000);
    await memory({ ...given, report, node }, folder, wanted || 10_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  report.finish('lab/results/performance.md', 'speed command', 'speed command');
}
