// Faces: recall, other boxes and IoU with OpenCV's boxes; landmark errors from the detector's own boxes.
import { rangeOfRate, rangeOfShare } from '../parts/intervals.mjs';
import { atLeast, atMost, fixed, Report } from '../parts/report.mjs';
import { detectAll, openCvCases, scoreBoxes } from './parts/boxes.mjs';
import { overlap } from '../parts/numbers.mjs';
import { annotatedFaces, errors, landmarkModel } from './parts/data.mjs';

const RUNS = [
  ['default: second cascade and gradients, score from 0.5', {}],
  ['second cascade alone, score from 0.5', { verifier: 'frontalface_alt2' }],
  ['windows counted, as OpenCV', { verifier: null }],
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

/** The sets of which a recall is wanted at so many other boxes an image. */
const JUDGED = ['helen', 'afw', 'dlib-examples'];
const WANTED = { recall: 0.96, other: 0.05 };

/** The counts of these sets together. */
const together = (sets) =>
  JUDGED.map((name) => sets[name]).reduce((a, b) =>
    Object.fromEntries(Object.entries(a).map(([key, count]) => [key, count + b[key]])),
  );

const rowsOf = (label, sets) =>
  Object.entries({ ...sets, [JUDGED.join(', ')]: together(sets) }).map(
    ([set, { images, faces, found, iou: sum, other, beside }]) => [
      label,
      set,
      faces,
      fixed(found / faces, 3),
      rangeOfShare(found, faces),
      fixed(sum / found, 3),
      fixed(other / images, 2),
      rangeOfRate(other, images),
      fixed((other - beside) / images, 2),
      rangeOfRate(other - beside, images),
    ],
  );

/** On what the default detector finds. */
function verdict(report, { images, faces, found, other, beside }) {
  report.line(
    `Wanted: recall at least ${WANTED.recall} at no more than ${WANTED.other} other boxes an image, on ${JUDGED.join(', ')} together; the default:`,
  );
  const wrong = other - beside;
  report.list([
    atLeast(`recall, ${found} of ${faces} (95 %: ${rangeOfShare(found, faces)})`, found / faces, WANTED.recall, 3),
    atMost(
      `other boxes an image, ${wrong} in ${images} but faces that nobody annotated (95 %: ${rangeOfRate(wrong, images)})`,
      wrong / images,
      WANTED.other,
    ),
  ]);
}

async function detection(report, engine, images, shared) {
  report.heading('Detection, images searched at 640 pixels, smallest face 30');
  const head = [
    'detector',
    'set',
    'faces',
    'recall IoU 0.5',
    '95 %',
    'mean IoU',
    'other boxes an image',
    '95 %',
    'without faces nobody annotated',
    '95 %',
  ];
  const rows = [];
  let own = null;
  for (const [label, options] of RUNS) {
    const boxes = await detectAll(engine, images, options);
    own ??= boxes;
    rows.push(...rowsOf(label, scoreBoxes(images, boxes)));
  }
  report.table([head, ...rows]);
  report.line(
    '95 %: Wilson’s interval of the recall, the exact one of the other boxes (Poisson); faces of one photograph taken as independent.',
  );
  verdict(report, together(scoreBoxes(images, own)));
  const found = (await openCvCases(engine, images, shared)).map(({ iou }) => iou);
  const matched = found.filter((iou) => iou > 0);
  const mean = matched.reduce((sum, iou) => sum + iou, 0) / matched.length;
  report.line(
    `IoU with OpenCV.js (frontalface_alt, same pixels): ${matched.length} of ${found.length} boxes found (95 %: ${rangeOfShare(matched.length, found.length)}), mean ${fixed(mean, 4)}, least ${fixed(Math.min(...matched), 4)}, missed ${found.length - matched.length}.`,
  );
  return own;
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
  report.finish('lab/results/accuracy.md', 'accuracy faces', 'accuracy faces');
}
