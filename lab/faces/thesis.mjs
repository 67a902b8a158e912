// The thesis's sub-modules of faces (section 5.2.2) at its sizes and settings, on one WASM thread, against its GPU.
//   --gpu FILE: the log of `hardware faces` on a machine with a GPU, for that column
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { root } from '../../tools/setup.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { readResult } from '../../bench/parts/kept-result.mjs';
import { landmarkModel } from '../../bench/faces/parts/data.mjs';
import { grayFrames } from '../../bench/faces/parts/video.mjs';

/** Median milliseconds of this process's own work: other load does not count. */
function timeOf(work, rounds = 9) {
  const times = [];
  for (let i = 0; i < rounds + 1; i++) {
    const start = process.cpuUsage();
    work(i);
    const { user, system } = process.cpuUsage(start);
    if (i >= 1) times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

/** Of calls too short for the clock. */
const shortTimeOf = (work, times) =>
  timeOf((round) => {
    for (let i = 0; i < times; i++) work(round * times + i);
  }) / times;

const rateOf = (ms) => fixed(1000 / ms, ms > 10 ? 1 : 0);
const verdict = (ms, wanted) => (wanted === undefined ? '' : 1000 / ms >= wanted ? 'met' : 'missed');

function randomNumbers(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Windows of the thesis's four kinds: x, y, width, height of each. */
function rectangles(kind, count) {
  const random = randomNumbers(7);
  const windows = new Int32Array(4 * count);
  for (let i = 0; i < count; i++) {
    const apart = [40 * (i % 60), 40 * Math.floor(i / 60), 20, 20];
    const together = [i % 90, (i >> 3) % 90, 200, 200];
    const anywhere = [random() * 1200, random() * 640, 24 + random() * 100];
    windows.set(
      kind === 'none' ? apart
      : kind === 'all' ? together
      : kind === 'half' ? (i % 2 ? together : [apart[0] + 1000, apart[1] + 1000, 20, 20])
      : [...anywhere, anywhere[2]].map(Math.floor),
      4 * i,
    ); // prettier-ignore
  }
  return windows;
}

const noFace = (width, height) =>
  Uint8Array.from({ length: width * height }, (_, k) => 128 + 60 * Math.sin(k * 0.013) * Math.cos(k / (20 * width)));

/** Wall-clock milliseconds of an integral image on two threads. */
async function twoThreads(importTs, library, width, height, data) {
  const { compileKernels } = await importTs('src/runtime/wasm/kernels.ts');
  const module = await compileKernels(new Uint8Array(readFileSync(path.join(root, 'dist/kernels.wasm'))), true);
  const workers = [];
  const spawn = (workerData) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('parts/thread.mjs', import.meta.url), { workerData });
      workers.push(worker);
      worker.once('message', () => resolve(worker));
      worker.once('error', reject);
    });
  const runtime = await library.Runtime.create({ module, threads: 2, spawn });
  const plane = runtime.plane(width, height, 'u8', data);
  const times = [];
  for (let i = 0; i < 31; i++) {
    const start = performance.now();
    library.driveNow(runtime, (scope) => library.integral.wasm(scope, [plane], {}))[0].dispose();
    times.push(performance.now() - start);
  }
  runtime.dispose();
  await Promise.all(workers.map((worker) => worker.terminate()));
  return times.sort((a, b) => a - b)[times.length >> 1];
}

export default async function thesis(given) {
  const { args, shared, importTs, log } = given;
  if (!shared) return log('needs ../shared/data/faces');
  const library = await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const now = (plan) => library.driveNow(runtime, plan);
  const gpu = args.includes('--gpu') ? readResult(args[args.indexOf('--gpu') + 1]) : {};
  const report = new Report(given);
  report.line(
    'Frames a second; WASM: processor time of one thread. The thesis: an A10’s GPU.' +
      (gpu.machine ? ` GPU: ${gpu.machine.renderer}, eight in a row or, for whole detections, one at a time.` : ''),
  );
  const columns = ['WASM, ms', 'WASM', 'GPU', 'thesis', 'WASM against it'];
  const line = (ms, wanted, gpuMs) => [
    fixed(ms, 2),
    rateOf(ms),
    gpuMs ? rateOf(gpuMs) : '-',
    wanted ?? '',
    verdict(ms, wanted),
  ];
  const random = randomNumbers(1);

  report.heading('Sub-reduction, stream compaction, integral image');
  const rows = [['', ...columns]];
  for (const [count, width, height, sum, list] of [
    [250_000, 500, 500, undefined, 293.3],
    [10_000_000, 4000, 2500, 44.78, 16.23],
  ]) {
    const words = Uint32Array.from({ length: count }, () => random() * 400);
    const gpuName = count > 1e6 ? '4096x2442' : '500x500';
    const u32 = runtime.plane(width, height, 'u32', words);
    const f32 = runtime.plane(width, height, 'f32', Float32Array.from(words));
    const u8 = runtime.plane(
      width,
      height,
      'u8',
      Uint8Array.from(words, (v) => v & 1),
    );
    const drop = (planes) => planes.forEach((plane) => plane.dispose());
    const each = count.toLocaleString('en');
    const times = count > 1e6 ? 1 : 20;
    const time = (work) => shortTimeOf(work, times);
    rows.push([
      `sub-reduction, ${each} whole numbers`,
      ...line(
        time(() => drop(now((scope) => library.reduce32.wasm(scope, [u32], {})))),
        sum,
        gpu[`image/reduce-32, ${gpuName}`]?.gpu.row,
      ),
    ]);
    rows.push([
      `sub-reduction, ${each} floats`,
      ...line(
        time(() => drop(now((scope) => library.reduceFloat.wasm(scope, [f32], {})))),
        sum,
      ),
    ]);
    const compacted = time(() => now((scope) => library.compactIndices(scope, u8, 0)));
    rows.push([`compaction, ${each}`, ...line(compacted, list, gpu[`image/compact, ${gpuName}`]?.gpu.row)]);
    drop([u32, f32, u8]);
  }
  for (const [width, height] of [
    [640, 480],
    [1280, 720],
    [1920, 1080],
    [3840, 2160],
    [4096, 2160],
  ]) {
    // prettier-ignore
    const data = Uint8Array.from({ length: width * height }, () => random() * 256);
    const plane = runtime.plane(width, height, 'u8', data);
    const ms = timeOf(() => now((scope) => library.integral.wasm(scope, [plane], {}))[0].dispose(), 15);
    plane.dispose();
    const onGpu = gpu[`image/integral, ${width}x${height}`]?.gpu.row;
    rows.push([`integral image, ${width}x${height}`, ...line(ms, 60, onGpu)]);
    if (width !== 3840) continue;
    const two = await twoThreads(importTs, library, width, height, data);
    rows.push([`integral image, ${width}x${height}, two threads, wall clock`, ...line(two, 60)]);
  }
  report.table(rows);

  report.heading('Adjacency lists and grouping by overlap, WASM alone');
  const table = [['windows', 'number', 'lists, ms', 'lists', 'thesis', '', 'grouping, ms', 'grouping', 'thesis', '']];
  const sides = { random: 'at random', none: 'no overlap', half: 'half overlap', all: 'all overlap' };
  for (const count of [100, 300, 1024, 3500])
    for (const [kind, words] of Object.entries(sides)) {
      const windows = rectangles(kind, count);
      const times = count > 2000 ? 1 : count > 500 ? 5 : 50;
      const lists = shortTimeOf(() => now((scope) => library.listNeighbors(scope, windows)), times);
      const grouping = shortTimeOf(() => now((scope) => library.groupWindows(scope, windows, 'overlap', 3)), times);
      const wanted = count <= 300 ? 400 : count === 3500 && kind === 'none' ? 7.8 : undefined;
      const group = count === 1024 ? { all: 9.9, random: 200 }[kind] : undefined;
      table.push([
        words,
        count,
        ...[fixed(lists, 3), rateOf(lists), wanted ?? '', verdict(lists, wanted)],
        ...[fixed(grouping, 3), rateOf(grouping), group ?? '', verdict(grouping, group)],
      ]);
    }
  report.table(table);

  const [width, height] = [1280, 720];
  const filter = `scale=900:${height},pad=${width}:${height}:(ow-iw)/2:0`;
  const video = path.join(shared, 'data/faces/videos/franck.webm');
  const frames = grayFrames(video, { width, height, most: 2, filter });
  if (!frames) return log('needs ffmpeg');

  report.heading(
    'Face detection, frontalface_default, classifier scaled by 1.2, all sizes, input of 1280x720 at a scale',
  );
  const haar = [['scale', 'step', 'image', ...columns, 'faces']];
  const model = library.readCascade(new Uint8Array(readFileSync(path.join(root, 'models/frontalface_default.bin'))));
  for (const scale of [1, 0.75, 0.5, 0.375, 0.25])
    for (const step of [1, 2])
      for (const what of ['face', 'no face']) {
        const [w, h] = [width * scale, height * scale];
        const data =
          what === 'face'
            ? Uint8Array.from({ length: w * h }, (_, i) => {
                const [x, y] = [i % w, Math.floor(i / w)];
                return frames[0].data[Math.floor(y / scale) * width + Math.floor(x / scale)];
              })
            : noFace(w, h);
        const plane = runtime.plane(w, h, 'u8', data);
        const options = { minSize: 0, maxSide: 0, minNeighbors: 3, scaling: 'classifier', scaleFactor: 1.2, step };
        const { variant: ___, cascade: _, verifier: __, ...values } = library.resolveDetection(options);
        const find = (scope) => library.findFaces(scope, plane, model, null, values);
        let faces = [];
        const ms = timeOf(() => (faces = now(find)), scale > 0.5 ? 2 : 5);
        plane.dispose();
        const wanted = scale === 1 ? 2 : scale === 0.25 && step === 2 ? 92 : undefined;
        const onGpu = gpu[`haar, scale ${scale}, step ${step}, ${what}`]?.gpu;
        haar.push([scale, step, what, ...line(ms, wanted, onGpu), faces.length]);
      }
  report.table(haar);
  report.line('The thesis names its ends only: about 2 in full size to 92 in its smallest.');

  const dat = landmarkModel();
  if (!dat) report.line("Landmarks: skipped, there is no model (Debian's libdlib-data, or FOVEOLA_LANDMARKS).");
  else {
    report.heading('Landmarks, 68 points, a face, WASM alone');
    const points = [['cascades', 'leaves', 'ms', 'WASM', 'thesis', '']];
    const plane = runtime.plane(width, height, 'u8', frames[0].data);
    for (const form of ['exact', '8-bit']) {
      const landmarks = library.readLandmarks(library.convertModel(dat, form));
      const box = (i) => ({ x: 480 + (i % 7), y: 200 + (i % 5), width: 360, height: 360 });
      for (const [cascades, wanted] of [
        [15, 68],
        [3, 353],
      ]) {
        // prettier-ignore
        const fit = (i) => now((scope) => library.fitLandmarks(scope, plane, [box(i)], landmarks, { cascades }));
        const ms = shortTimeOf(fit, 20);
        points.push([cascades, form, fixed(ms, 3), rateOf(ms), wanted, verdict(ms, wanted)]);
      }
    }
    plane.dispose();
    report.table(points);
  }

  report.heading('Optical flow of points between two frames of 1280x720, pyramids made before, WASM alone');
  const flow = [['points', 'levels', 'window', 'iterations', 'ms', 'WASM', 'thesis', '']];
  const planes = frames.map(({ data }) => runtime.plane(width, height, 'u8', data));
  const [previous, next] = planes.map((plane) =>
    now((scope) => library.FlowPyramid.build(scope, plane, { copy: true })),
  );
  for (const count of [100, 1000, 5000])
    for (const [levels, window, iterations] of [
      [1, 5, 5],
      [3, 5, 5],
      [3, 11, 5],
      [3, 11, 20],
      [3, 21, 20],
    ]) {
      // prettier-ignore
      const list = Float32Array.from({ length: 2 * count }, (_, i) => 30 + random() * (i % 2 ? 660 : 1220));
      const options = { levels: levels - 1, window, iterations, epsilon: 0.01 };
      const ms = shortTimeOf(
        () => now((scope) => library.trackPoints(scope, previous, next, list, options)),
        count > 1000 ? 2 : 10,
      );
      const easiest = count === 100 && levels === 1;
      const wanted = easiest ? 430 : 68;
      flow.push([count, levels, window, iterations, fixed(ms, 2), rateOf(ms), wanted, verdict(ms, wanted)]);
    }
  [previous, next, ...planes].forEach((each) => each.dispose());
  report.table(flow);
  report.line('The thesis names its ends only: 68 to 430. The easiest setting is held to 430, every other one to 68.');
  runtime.dispose();
  report.finish('lab/results/performance.md', 'thesis faces', 'thesis faces');
}
