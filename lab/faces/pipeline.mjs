// Figure 5.9 of the thesis: the whole pipeline over 850 frames without a face, with detection in every frame, and with flow.
//   --frames N; --quick: 60. --write keeps the curves as well, in lab/results/pipeline-faces.json
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { argument } from '../../bench/parts/kept-result.mjs';
import { mean, quantile } from '../../bench/parts/numbers.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { grayFrames } from '../../bench/faces/parts/video.mjs';

const FRAMES = 850;
/** Frames between detections with flow. */
const EVERY = 10;
/** Milliseconds on average on the thesis's phone. */
const SETTINGS = [
  ['no face', {}, 24.7958],
  ['detection in every frame', { detectEvery: 1 }, 41.3066],
  ['flow, detection every tenth frame', { detectEvery: EVERY }, 25.0506],
];
const noFace = (width, height) =>
  Uint8Array.from({ length: width * height }, (_, k) => 128 + 60 * Math.sin(k * 0.013) * Math.cos(k / (20 * width)));

/** Mean of the frames of each place between two detections: where the peaks are. */
export const byPhase = (times, period = EVERY) =>
  Array.from({ length: period }, (_, k) => mean(times.filter((_, i) => i % period === k)));

export default async function pipeline(given) {
  const { args, root, shared, importTs, log } = given;
  if (!shared) return log('needs ../shared/data/faces');
  const count = args.includes('--quick') ? 60 : Number(argument(args, '--frames') ?? FRAMES);
  const [width, height] = [1280, 720];
  const library = await importTs('bench/faces/parts/library.ts');
  const read = (name) => new Uint8Array(readFileSync(path.join(root, 'models', `${name}.bin`)));
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const video = path.join(shared, 'data/faces/videos/franck.webm');
  const filter = `scale=900:${height},pad=${width}:${height}:(ow-iw)/2:0`;
  const frames = grayFrames(video, { width, height, most: 120, filter });
  if (!frames) return log('needs ffmpeg');
  const [cascade, second] = ['frontalface_alt', 'frontalface_alt2'].map((name) => library.readCascade(read(name)));
  const [judge, points] = [library.readJudge(read('face-judge')), library.readLandmarks(read('landmarks-68'))];
  const report = new Report(given);
  report.line(
    `${count} frames of ${width}x${height}, a talking head forward and back or a picture without a face, landmarks-68, one WASM thread, processor time.`,
  );
  const rows = [
    ['setting', 'mean, ms', 'median', '99th percentile', 'largest', 'frames with a face', 'the thesis, ms'],
  ];
  const phases = [['mean of every tenth frame, from the first', ...Array.from({ length: EVERY }, (_, k) => k + 1)]];
  const curves = {};
  for (const [name, options, thesis] of SETTINGS) {
    const { cascade: _, verifier: __, model: ___, ...values } = library.resolveTracker(options);
    const tracker = new library.FaceTrackerCore(runtime, cascade, points, values, second, judge);
    const [times, blank] = [[], name === 'no face' ? noFace(width, height) : null];
    let found = 0;
    for (let i = 0; i < count; i++) {
      const turn = i % (2 * frames.length - 2);
      const { data } = frames[turn < frames.length ? turn : 2 * frames.length - 2 - turn];
      const plane = runtime.plane(width, height, 'u8', blank ?? data);
      const start = process.cpuUsage();
      const result = await tracker.process(plane, 40 * i);
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1000);
      if (result.faces.length) found++;
      plane.dispose();
    }
    tracker.dispose();
    curves[name] = times.map((ms) => Number(ms.toFixed(2)));
    const quantiles = [0.5, 0.99, 1].map((q) => fixed(quantile(times, q), 1));
    rows.push([name, fixed(mean(times), 2), ...quantiles, `${found} of ${count}`, thesis]);
    phases.push([name, ...byPhase(times).map((ms) => fixed(ms, 1))]);
  }
  report.heading('Figure 5.9: milliseconds a frame');
  report.table(rows);
  report.heading('Figure 5.9: where the peaks are');
  report.table(phases);
  report.line('The thesis sees a peak every ten frames with flow, where the face is detected again.');
  runtime.dispose();
  if (args.includes('--write')) writeFileSync(path.join(root, 'lab/results/pipeline-faces.json'), `${JSON.stringify({ result: curves })}\n`); // prettier-ignore
  report.finish('lab/results/performance.md', 'pipeline faces', 'pipeline faces');
}
