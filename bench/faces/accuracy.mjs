// Faces: recall, other boxes and IoU with OpenCV's boxes; landmark errors from the detector's own boxes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../parts/report.mjs';
import { detectAll, scoreBoxes } from './parts/boxes.mjs';
import { overlap } from '../parts/numbers.mjs';
import { annotatedFaces, errors, landmarkModel } from './parts/data.mjs';
import { cvDetector, openCv } from './parts/opencv.mjs';

const RUNS = [
  ['default: second cascade, score from 0.5', {}],
  ['windows counted, as OpenCV', { confirm: null }],
  ['frontalface_alt2', { cascade: 'frontalface_alt2' }],
  ['frontalface_default', { cascade: 'frontalface_default' }],
  ['grouping by overlap (thesis)', { grouping: 'overlap' }],
  ['classifier scaled, 1.2, step 1 (thesis)', { scaling: 'classifier', scaleFactor: 1.2, step: 1, minNeighbors: 3 }],
  [
    'classifier scaled, 1.2, step 1, 5 neighbors',
    { scaling: 'classifier', scaleFactor: 1.2, step: 1, minNeighbors: 5 },
  ],
  ['classifier scaled, 1.2, step 2', { scaling: 'classifier', scaleFactor: 1.2, step: 2, minNeighbors: 3 }],
];

const rowsOf = (label, sets) =>
  Object.entries(sets).map(([set, { images, faces, found, iou: sum, other }]) => [
    label,
    set,
    faces,
    fixed(found / faces, 3),
    fixed(sum / found, 3),
    fixed(other / images, 2),
  ]);

async function detection(report, engine, images, shared) {
  report.heading('Detection, images searched at 640 pixels, smallest face 30');
  const head = ['detector', 'set', 'faces', 'recall IoU 0.5', 'mean IoU', 'other boxes an image'];
  const rows = [];
  let own = null;
  for (const [label, options] of RUNS) {
    const boxes = await detectAll(engine, images, options);
    own ??= boxes;
    rows.push(...rowsOf(label, scoreBoxes(images, boxes)));
  }
  report.table([head, ...rows]);
  const { cv } = await openCv();
  const xml = readFileSync(path.join(shared, 'data/faces/models/haarcascade_frontalface_alt.xml'));
  const detect = cvDetector(cv, 'alt', new Uint8Array(xml));
  // The same pixels for both: images that need no reduction, and others cut to their middle.
  let [matched, sum, worst, theirs, missed] = [0, 0, 1, 0, 0];
  for (const image of images) {
    const cut = middle(image, 640);
    const reference = detect(cut);
    const ours = await engine.detectFaces(cut, { maxSide: 0, minSize: 30, confirm: null });
    for (const box of reference) {
      theirs++;
      const best = Math.max(0, ...ours.map((b) => overlap(b, box)));
      if (best === 0) missed++;
      else {
        matched++;
        sum += best;
        worst = Math.min(worst, best);
      }
    }
  }
  report.line(
    `IoU with OpenCV.js (frontalface_alt, same pixels): ${matched} of ${theirs} boxes found, mean ${fixed(sum / matched, 4)}, least ${fixed(worst, 4)}, missed ${missed}.`,
  );
  return own;
}

function middle({ width, height, data }, side) {
  const [w, h] = [Math.min(width, side), Math.min(height, side)];
  const [x, y] = [(width - w) >> 1, (height - h) >> 1];
  const out = new Uint8Array(w * h);
  for (let j = 0; j < h; j++) out.set(data.subarray((y + j) * width + x, (y + j) * width + x + w), j * w);
  return { width: w, height: h, data: out };
}

async function landmarks(report, engine, library, images, boxes) {
  const dat = landmarkModel();
  if (!dat) return report.line("Landmarks: skipped, there is no model (Debian's libdlib-data, or FOVEOLA_LANDMARKS).");
  report.heading("Landmarks from the detector's own boxes, 68-point model of dlib");
  const rows = [['form', 'set', 'n', 'NME mean', 'median', '90 %', 'largest', 'above 0.08', 'thesis (5.2) mean']];
  for (const form of ['exact', '16-bit', '8-bit']) {
    const model = library.convertModel(dat, form);
    const sets = {};
    for (const [i, image] of images.entries()) {
      const { points, box } = image.faces[0];
      const [own] = [...boxes[i]].sort((a, b) => overlap(b, box) - overlap(a, box));
      if (!points || !own || overlap(own, box) < 0.4) continue;
      const [shape] = await engine.landmarks(image, [own], { model });
      (sets[image.set] ??= []).push(errors(shape, points));
    }
    for (const [set, list] of Object.entries(sets)) {
      const nme = list.map((e) => e.nme).sort((a, b) => a - b);
      const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
      rows.push([
        form,
        set,
        nme.length,
        fixed(mean(nme), 4),
        fixed(nme[nme.length >> 1], 4),
        fixed(nme[Math.floor(0.9 * nme.length)], 4),
        fixed(nme.at(-1), 4),
        nme.filter((v) => v > 0.08).length,
        fixed(mean(list.map((e) => e.thesis)), 5),
      ]);
    }
  }
  report.table(rows);
  report.line(
    'dlib with its own slow detector: 0.0266 on helen, 0.0329 on afw. The thesis: 0.1977 by its equation 5.2.',
  );
}

export default async function (given) {
  const { shared, openBrowser, importTs, log } = given;
  const images = shared && (await annotatedFaces(shared, openBrowser));
  if (!images) return log('needs ../shared/data/faces (FOVEOLA_SHARED names another folder)');
  const report = new Report(given);
  const library = await importTs('bench/faces/parts/library.ts');
  const engine = await library.createEngine();
  const boxes = await detection(report, engine, images, shared);
  await landmarks(report, engine, library, images, boxes);
  await engine.dispose();
  report.finish('docs/accuracy-tables.md', 'accuracy faces', 'accuracy faces');
}
