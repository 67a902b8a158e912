// Faces on the GPU: detection and the thesis's sub-modules beside one WASM thread of the same machine.
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON);
//   --angle NAME: graphics interface of the browser, for instance vulkan, gl-egl, d3d11 or metal
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../tools/setup.mjs';
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { packPage } from '../parts/pack-page.mjs';
import { atMost, fixed, Report } from '../../bench/parts/report.mjs';
import { grayFrames } from '../../bench/faces/parts/video.mjs';

const ENTRY = { entry: 'lab/faces/parts/gpu-page.ts', name: 'faceBench', title: 'hardware faces' };
/** Frames a second of the thesis's GPU. */
const THESIS = [
  [/^image\/reduce.*4096x2442/, 44.78],
  [/^image\/compact, 4096x2442/, 16.23],
  [/^image\/compact, 500x500/, 293.3],
  [/^image\/integral, (3840|4096)/, 60],
];

/** The page, kernels, cascades, and a frame with a face. */
async function pack(folder, shared) {
  await packPage(folder, ENTRY);
  for (const name of ['frontalface_alt', 'frontalface_alt2', 'frontalface_default', 'face-judge', 'landmarks-68'])
    copyFileSync(path.join(root, `models/${name}.bin`), path.join(folder, `${name}.bin`));
  const [width, height] = [1280, 720];
  const filter = `scale=900:${height},pad=${width}:${height}:(ow-iw)/2:0`;
  const video = shared && path.join(shared, 'data/faces/videos/franck.webm');
  const frames = video && grayFrames(video, { width, height, most: 1, filter });
  if (!frames) throw new Error('needs ../shared/data/faces and ffmpeg');
  writeFileSync(path.join(folder, 'face.bin'), frames[0].data);
  // Compressed: 48 frames are 44 MB.
  const talk = ['-v', 'error', '-i', video, '-vf', filter, '-frames:v', '48', '-q:v', '2'];
  execFileSync('ffmpeg', [...talk, path.join(folder, 'talk-%d.jpg')]);
}

/** The page in a browser of this machine. */
async function measureHere({ serve, openBrowser, args, log, shared }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  try {
    await pack(folder, shared);
    writeFileSync(path.join(folder, 'here.html'), '<!doctype html><script src="page.js"></script>');
    const server = await serve({ mounts: { '/pack/': folder } });
    const angle = argument(args, '--angle');
    const browser = await openBrowser({ protocolTimeout: 900_000, args: angle ? [`--use-angle=${angle}`] : [] });
    const page = await browser.newPage();
    page.on('console', (message) => log(`  ${message.text().slice(0, 200)}`));
    await page.goto(`${server.url}/pack/here.html`);
    return await page.evaluate(() => globalThis.faceBench.measure());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const rate = (ms) => fixed(1000 / ms, ms > 100 ? 1 : 0);

function print(report, { machine, ...parts }) {
  report.line(
    `${machine.renderer}, milliseconds unless said otherwise; WASM on one thread of the same machine.` +
      (machine.software ? ' Software: these figures say only that everything runs.' : ''),
  );
  const all = Object.entries(parts);
  for (const [name, { error }] of all) if (error) report.line(`${name}: ${error}`);
  const good = all.filter(([, { error }]) => !error);
  const of = (prefix) => good.filter(([name]) => name.startsWith(prefix));
  const section = (heading, columns, rows) => {
    if (!rows.length) return;
    report.heading(heading);
    report.table([['', ...columns], ...rows]);
  };
  section(
    'Sub-modules on the GPU, input and result resident',
    ['eight in a row, each', 'one, with its fence', 'GPU clock', 'WASM', 'frames a second', 'WASM', 'thesis'],
    of('image/').map(([name, { gpu, wasm }]) => [
      name,
      ...[gpu.row, gpu.ms, gpu.clock, wasm].map((v) => fixed(v, 2)),
      rate(gpu.row),
      rate(wasm),
      THESIS.find(([pattern]) => pattern.test(name))?.[1] ?? '',
    ]),
  );
  const rows = (prefix) =>
    of(prefix).map(([name, { gpu, wasm, faces, same, ...more }]) => [
      name.slice(prefix.length + 2),
      ...[gpu, more['gpu, three in flight'], wasm].map((v) => fixed(v, 2)),
      rate(gpu),
      faces,
      same ? 'yes' : 'no',
    ]);
  const columns = ['GPU', 'three in flight, each', 'WASM', 'GPU, frames a second', 'faces', 'both sides the same'];
  section('Detection, frontalface_alt, frame uploaded, faces read and grouped', columns, rows('detection'));
  section(
    "Haar over input scale and step, frontalface_default, classifier scaled by 1.2 (the thesis's figure 5.6: 2 to 92 frames a second)",
    columns,
    rows('haar'),
  );
  section(
    'A followed frame of 1280x720 on the GPU, one face, its parts until their numbers are there',
    ['ms', 'GPU clock'],
    of('followed').flatMap(([, own]) =>
      Object.entries(own).map(([name, { ms, clock }]) => [name, fixed(ms, 2), fixed(clock, 2)]),
    ),
  );
  for (const figure of ['5.7', '5.8'])
    section(
      `Figure ${figure} of the thesis on the GPU`,
      ['ms', 'frames a second'],
      of(`figure ${figure}`).map(([name, { ms }]) => [name.slice(12), fixed(ms, 2), fixed(1000 / ms, 0)]),
    );
  section(
    'The tracker, 1280x720, a talking head: from the bytes of a frame to its faces, ms',
    ['mean', 'median', 'at 95 %', 'faces a frame', 'sides'],
    of('tracker').map(([name, own]) => [
      name.slice(19),
      ...[own.mean, own.median, own['at 95 %']].map((v) => fixed(v, 2)),
      own.found,
      own.side,
    ]),
  );
  const { mean } = parts['tracker, 1280x720, flow between detections, wasm'] ?? {};
  const { mean: onGpu } = parts['tracker, 1280x720, flow between detections, gpu'] ?? {};
  report.list([
    atMost('ms a frame of 1280x720 with flow, in the mean, WASM', mean, 5, 1),
    atMost('the same where the GPU is asked for', onGpu, 5, 1),
  ]);
  report.heading('Groups of stages, image resident, windows read');
  for (const [name, { windows, passed, ...tried }] of of('groups')) {
    report.line(`${name.slice(8)}: ${windows} windows, of which ${passed} pass.`);
    report.table([
      ['trees after which a group ends', 'ms', 'windows left after each', 'windows judged otherwise than in WASM'],
      ...Object.entries(tried).map(([sizes, { ms, survivors, differing }]) => [
        sizes.slice(7).replace('1000000000', 'none ends'),
        fixed(ms, 2),
        survivors.join(', '),
        differing,
      ]),
    ]);
  }
}

export default async function hardware(given) {
  const { args, log, shared } = given;
  const folder = argument(args, '--pack');
  if (folder) {
    await pack(path.resolve(folder), shared);
    log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
    return;
  }
  const file = argument(args, '--result');
  const report = new Report(given);
  print(report, file ? readResult(file, report) : await measureHere(given));
  report.finish('lab/results/performance.md', 'hardware faces', `hardware faces${file ? ` --result ${file}` : ''}`);
}
