// Faces: milliseconds of detection, landmarks, grouping and the whole tracker on one thread, beside OpenCV.js.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../tools/setup.mjs';
import { atMost, fixed, Report } from '../parts/report.mjs';
import { landmarkModel } from './parts/data.mjs';
import { cvDetector, openCv } from './parts/opencv.mjs';
import { grayFrames } from './parts/video.mjs';
import { median } from '../parts/numbers.mjs';

/** Sorted milliseconds of this process's own work: other load does not count. */
function measure(work, rounds) {
  const times = [];
  for (let i = 0; i < rounds + 2; i++) {
    const start = process.cpuUsage();
    work(i);
    const { user, system } = process.cpuUsage(start);
    if (i >= 2) times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b);
}

export default async function (given) {
  const { shared, importTs, log } = given;
  if (!shared) return log('needs ../shared/data/faces');
  const library = await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const now = (plan) => library.driveNow(runtime, plan);
  const report = new Report(given);
  const videos = path.join(shared, 'data/faces/videos');
  const talk = (width, height, most, inner) =>
    grayFrames(path.join(videos, 'franck.webm'), {
      width,
      height,
      most,
      filter: `scale=${inner}:${height},pad=${width}:${height}:(ow-iw)/2:0`,
    });
  const frames = talk(1280, 720, 120, 900);
  if (!frames) return log('needs ffmpeg');
  report.line('Processor time of one thread, milliseconds; medians unless said otherwise.');

  report.heading('Detection, frontalface_alt, factor 1.1, smallest 40x40, 3 neighbors');
  const { cv } = await openCv();
  const xml = readFileSync(path.join(shared, 'data/faces/models/haarcascade_frontalface_alt.xml'));
  const peer = cvDetector(cv, 'alt', new Uint8Array(xml));
  const shipped = (name) => library.readCascade(new Uint8Array(readFileSync(path.join(root, `models/${name}.bin`))));
  const cascade = shipped('frontalface_alt');
  const second = shipped('frontalface_alt2');
  const judge = library.readJudge(new Uint8Array(readFileSync(path.join(root, 'models/face-judge.bin'))));
  const rows = [
    [
      'image',
      'image scaled',
      'with the second cascade and the judge (default)',
      'classifier scaled, 1.2, step 2',
      'OpenCV.js',
    ],
  ];
  for (const [width, height, inner] of [
    [640, 360, 450],
    [1280, 720, 900],
  ]) {
    const [frame] = talk(width, height, 1, inner);
    const plane = runtime.plane(width, height, 'u8', frame.data);
    const time = (options) => {
      const { cascade: _, verifier, ...values } = library.resolveDetection({ minSize: 40, maxSide: 0, ...options });
      const decided = verifier ? [second, values, judge] : [null, values];
      const find = (scope) => library.findFaces(scope, plane, cascade, ...decided);
      const times = measure(() => now(find), 15);
      return fixed(median(times));
    };
    rows.push([
      `${width}x${height}`,
      time({ verifier: null }),
      time({}),
      time({ scaling: 'classifier', scaleFactor: 1.2, step: 2, verifier: null }),
      fixed(median(measure(() => peer(frame, { smallest: 40 }), 7))),
    ]);
    plane.dispose();
  }
  report.table(rows);

  report.heading('Grouping by overlap, every window overlapping all others');
  const grouping = [['windows', 'ms']];
  for (const count of [256, 1024, 3500]) {
    const windows = Int32Array.from({ length: 4 * count }, (_, i) => (i % 4 < 2 ? (i >> 2) % 90 : 200));
    grouping.push([
      count,
      fixed(median(measure(() => now((scope) => library.groupWindows(scope, windows, 'overlap', 3)), 15)), 2),
    ]);
  }
  report.table(grouping);

  report.heading('Landmarks, 68 points, a face of 360 px');
  const models = {};
  for (const name of ['landmarks-network', 'landmarks-68'])
    models[name] = library.readLandmarks(new Uint8Array(readFileSync(path.join(root, `models/${name}.bin`))));
  const dat = landmarkModel();
  if (dat)
    for (const form of ['exact', '16-bit', '8-bit'])
      models[`dlib's, ${form}`] = library.readLandmarks(library.convertModel(dat, form));
  const plane = runtime.plane(1280, 720, 'u8', frames[0].data);
  const box = (i) => ({ x: 480 + (i % 7), y: 200 + (i % 5), width: 360, height: 360 });
  // A new face: two fits of the network. A doubtful one: seven boxes of the trees.
  const costs = [['model', 'ms a face', 'ms of one that is new or doubtful']];
  let own = NaN;
  for (const [name, model] of Object.entries(models)) {
    const fit = (boxes, found = false) =>
      median(
        measure((i) => {
          for (let k = 0; k < 10; k++)
            now((scope) => library.fitPoints(scope, plane, boxes(10 * i + k), model, new Set(), found));
        }, 15),
      ) / 10;
    const one = fit((i) => [box(i)]);
    if (name === 'landmarks-network') own = one;
    const more = model.judged ? fit((i) => Array(7).fill(box(i))) : fit((i) => [box(i)], true);
    costs.push([name, fixed(one, 2), model.judged || library.isNetwork(model) ? fixed(more, 2) : '-']);
  }
  plane.dispose();
  report.table(costs);
  report.line(atMost('ms of a face that is followed, landmarks-network', own, 4));

  report.heading('Whole tracker, 1280x720, a talking head');
  const model = models['landmarks-network'];
  const table = [['setting', 'mean', '99th percentile', 'largest', 'first frame']];
  const noise = Uint8Array.from({ length: 1280 * 720 }, (_, k) => 128 + 60 * Math.sin(k * 0.013) * Math.cos(k / 25600));
  for (const [label, options, points, source] of [
    ['flow between detections', {}, model, null],
    ['flow, smoothed', { smoothLandmarks: true }, model, null],
    ['detection in every frame', { detectEvery: 1 }, model, null],
    ['boxes only', {}, null, null],
    ['no face', {}, model, noise],
  ]) {
    const { cascade: _, verifier: __, model: ___, ...values } = library.resolveTracker(options);
    const tracker = new library.FaceTrackerCore(runtime, cascade, points, values, second, judge);
    const times = [];
    for (const [i, { data }] of frames.entries()) {
      const plane = runtime.plane(1280, 720, 'u8', source ?? data);
      const start = process.cpuUsage();
      await tracker.process(plane, 40 * i);
      const { user, system } = process.cpuUsage(start);
      plane.dispose();
      times.push((user + system) / 1000);
    }
    tracker.dispose();
    const rest = times.slice(1).sort((a, b) => a - b);
    const mean = rest.reduce((a, b) => a + b, 0) / rest.length;
    const late = rest[Math.floor(0.99 * rest.length)];
    table.push([label, ...[mean, late, rest.at(-1), times[0]].map((v) => fixed(v))]);
  }
  report.table(table);
  report.line('The thesis on its GPU: 25.05 ms with flow, 41.3 with detection in every frame, 24.8 without a face.');
  runtime.dispose();
  report.finish('lab/results/performance.md', 'speed faces', 'speed faces');
}
