// Faces: jitter of landmarks on a head at rest, lag and error on one that moves, with the filter and without.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../tools/setup.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { annotatedFaces, errors, landmarkModel } from './parts/data.mjs';
import { mean } from '../parts/numbers.mjs';

const FRAMES = 45;
/** Frames before anything is counted: the filter and the search settle. */
const SETTLE = 15;
const NOISE = 3;
const SPEED = 5;

/** mulberry32 */
function generator(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The photograph moved by (x, y), bilinear, grown by its border where it ends, with noise. */
function moved({ width, height, data }, x, y, random) {
  const out = new Uint8Array(width * height);
  const at = (u, v) => data[Math.min(height - 1, Math.max(0, v)) * width + Math.min(width - 1, Math.max(0, u))];
  const [left, top] = [Math.floor(-x), Math.floor(-y)];
  const [fx, fy] = [-x - left, -y - top];
  for (let j = 0; j < height; j++)
    for (let i = 0; i < width; i++) {
      const upper = at(i + left, j + top) * (1 - fx) + at(i + left + 1, j + top) * fx;
      const lower = at(i + left, j + top + 1) * (1 - fx) + at(i + left + 1, j + top + 1) * fx;
      const gauss = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      out[j * width + i] = Math.min(255, Math.max(0, Math.round(upper * (1 - fy) + lower * fy + NOISE * gauss)));
    }
  return out;
}

/** Standard deviation of every coordinate, root mean square over all. */
function jitter(shapes) {
  let sum = 0;
  for (let k = 0; k < 136; k++) {
    const mean = shapes.reduce((s, shape) => s + shape[k], 0) / shapes.length;
    sum += shapes.reduce((s, shape) => s + (shape[k] - mean) ** 2, 0) / shapes.length;
  }
  return Math.sqrt(sum / 136);
}

export default async function (given) {
  const { shared, openBrowser, importTs, log } = given;
  const dat = landmarkModel();
  const annotated = shared && (await annotatedFaces(shared, openBrowser));
  if (!annotated || !dat) return log("needs ../shared/data/faces and the model of Debian's libdlib-data");
  const report = new Report(given);
  const library = await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.st.wasm')));
  const runtime = await library.Runtime.create({ module });
  const model = library.readLandmarks(library.convertModel(dat, '8-bit'));
  const cascade = library.readCascade(new Uint8Array(readFileSync(path.join(root, 'models/frontalface_alt.bin'))));

  /** Shapes of the first face, frame by frame, in the photograph's own pixels. */
  async function track(photo, places, options, { inPicture = false } = {}) {
    const { cascade: _, confirm: __, model: ___, ...values } = library.resolveTracker(options);
    const tracker = new library.FaceTrackerCore(runtime, cascade, model, values);
    const random = generator(17);
    const shapes = [];
    for (const [i, [x, y]] of places.entries()) {
      const plane = runtime.plane(photo.width, photo.height, 'u8', moved(photo, x, y, random));
      const { faces } = await tracker.process(plane, 40 * i);
      plane.dispose();
      const largest = faces.sort((a, b) => b.width - a.width)[0];
      shapes.push(largest?.landmarks?.map((v, k) => v - (inPicture ? 0 : k % 2 ? y : x)) ?? null);
    }
    tracker.dispose();
    return shapes.slice(SETTLE);
  }

  report.line(
    `Photographs of helen with one large face, at 320 pixels; ${FRAMES} frames, the first ${SETTLE} not counted; noise of sigma ${NOISE}. At rest: moved by 0, 0.5 or 1 px at random in every frame; jitter is counted in the picture, where the head is held to be still and its shifts are jitter too, and about the place that it was moved to, where a filter that holds still is wrong by each shift. Moving: ${SPEED} px a frame to the side. 68-point model of dlib.`,
  );
  const rows = [
    [
      'photograph',
      'face px',
      'jitter px in the picture: regression',
      'filtered',
      'times lower',
      'about its place: regression',
      'filtered',
      'times lower',
      'lag frames',
      'NME moving',
      'filtered',
      'rise %',
    ],
  ];
  const [ratios, placedRatios, lags, rises] = [[], [], [], []];
  const helen = annotated.filter(({ set }) => set === 'helen').slice(0, 8);
  for (const image of helen) {
    const source = runtime.plane(image.width, image.height, 'u8', image.data);
    const reduced = library.driveNow(runtime, (scope) => library.reduceTo(scope, source, 320));
    const scale = reduced.width / image.width;
    const photo = { width: reduced.width, height: reduced.height, data: reduced.copy() };
    reduced.dispose();
    source.dispose();
    const points = image.faces[0].points.map((v) => (v + 0.5) * scale - 0.5);
    const random = generator(5);
    const still = Array.from({ length: FRAMES }, () => [
      0.5 * Math.floor(3 * random()),
      0.5 * Math.floor(3 * random()),
    ]);
    const run = Array.from({ length: FRAMES }, (_, i) => [SPEED * (i - FRAMES / 2), 0]);
    const inPicture = { inPicture: true };
    const [alone, calm] = await Promise.all(
      [false, true].map((smooth) => track(photo, still, { smoothLandmarks: smooth }, inPicture)),
    );
    const placed = (shapes) =>
      shapes.map((shape, i) => shape?.map((v, k) => v - still[SETTLE + i][k % 2 ? 1 : 0]) ?? null);
    const fast = await track(photo, run, { smoothLandmarks: false });
    const held = await track(photo, run, { smoothLandmarks: true });
    if ([alone, calm, fast, held].some((shapes) => shapes.some((shape) => !shape))) {
      rows.push([image.name, '-', 'not found in every frame']);
      continue;
    }
    const [j0, j1, j2, j3] = [alone, calm, placed(alone), placed(calm)].map(jitter);
    // In the photograph's own pixels a filter that lags shows a shape that lies behind, by so many pixels.
    const behind = mean(
      fast.map((shape, i) =>
        mean(
          Array.from(shape)
            .filter((_, k) => k % 2 === 0)
            .map((v, k) => v - held[i][2 * k]),
        ),
      ),
    );
    const [n0, n1] = [fast, held].map((shapes) => mean(shapes.map((shape) => errors(shape, points).nme)));
    ratios.push(j0 / j1);
    placedRatios.push(j2 / j3);
    lags.push(Math.abs(behind) / SPEED);
    rises.push(100 * (n1 / n0 - 1));
    const side = Math.round(image.faces[0].box.width * scale);
    rows.push([
      image.name,
      side,
      ...[j0, j1].map((v) => fixed(v, 3)),
      fixed(j0 / j1, 1),
      ...[j2, j3].map((v) => fixed(v, 3)),
      fixed(j2 / j3, 1),
      fixed(behind / SPEED, 2),
      ...[n0, n1].map((v) => fixed(v, 4)),
      fixed(100 * (n1 / n0 - 1), 1),
    ]);
  }
  report.table(rows);
  report.line(
    `${ratios.length} photographs: jitter in the picture lower by ${fixed(Math.min(...ratios), 1)} times and more (wanted 3), about its place by ${fixed(Math.min(...placedRatios), 1)}, lag at most ${fixed(Math.max(...lags), 2)} frames (wanted 1), NME higher by at most ${fixed(Math.max(...rises), 1)} % (wanted 5).`,
  );
  runtime.dispose();
  report.finish('docs/accuracy-tables.md', 'stability faces', 'stability faces');
}
