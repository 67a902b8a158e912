// Faces: faces found against other boxes for each way to search and to decide, and the fit of the score's weights.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asJudged } from './judge/scores.mjs';
import { root } from '../../tools/setup.mjs';
import { poisson, rangeOfRate, rangeOfShare, widest, widestOf } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { dot, fitLogistic } from '../../bench/pupil/parts/logistic.mjs';
import { detectAll, scoreBoxes } from '../../bench/faces/parts/boxes.mjs';
import { overlap } from '../../bench/parts/numbers.mjs';
import { annotatedFaces, faceless } from '../../bench/faces/parts/data.mjs';

const SETS = ['helen', 'afw', 'dlib-examples'];
const NEIGHBORS = [1, 2, 3, 4, 6, 9, 14];
const SCORES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
const WAYS = [
  ['image scaled, windows counted', { verifier: null, minNeighbors: 1 }, 'neighbors', NEIGHBORS],
  ['image scaled, second cascade and gradients', { minScore: 0 }, 'score', SCORES],
  ['image scaled, second cascade', { verifier: 'frontalface_alt2', minScore: 0 }, 'score', SCORES],
  ['frontalface_alt2, windows counted', { cascade: 'frontalface_alt2', minNeighbors: 1 }, 'neighbors', NEIGHBORS],
  [
    'alt2, second cascade alt',
    { cascade: 'frontalface_alt2', verifier: 'frontalface_alt', minScore: 0 },
    'score',
    SCORES,
  ],
  [
    'classifier scaled, 1.2, step 2, windows counted',
    { scaling: 'classifier', scaleFactor: 1.2, step: 2, minNeighbors: 1 },
    'neighbors',
    [2, 4, 7, 11, 18, 30, 60],
  ],
  [
    'classifier scaled, 1.2, step 2, second cascade',
    { scaling: 'classifier', scaleFactor: 1.2, step: 2, minScore: 0 },
    'score',
    SCORES,
  ],
];

/** With the scores that `minScore` is compared with: of judged boxes others are reported. */
const asDecided = (boxes, { judged }, table) =>
  judged ? boxes.map((list) => list.map((box) => ({ ...box, score: asJudged(box.score, table) }))) : boxes;

async function curves(report, engine, images, { resolveDetection, scoreTable }) {
  report.heading('Faces found / other boxes, by the limit');
  for (const [label, options, name, limits] of WAYS) {
    const boxes = asDecided(await detectAll(engine, images, options), resolveDetection(options), scoreTable);
    const rows = [[label, ...SETS, 'without faces']];
    const [recalls, others] = [[], []];
    for (const limit of limits) {
      const kept = boxes.map((list) =>
        list.filter((box) => (name === 'score' ? box.score >= limit : box.neighbors > limit)),
      );
      const sets = scoreBoxes(images, kept);
      recalls.push(...SETS.map((set) => [sets[set].found, sets[set].faces]));
      others.push(
        ...[...SETS, 'faceless'].map((set) => {
          const { other, images: n } = sets[set];
          return [`${other} in ${n}`, poisson(other).map((v) => v / n)];
        }),
      );
      const cell = (set) =>
        `${fixed(sets[set].found / sets[set].faces, 3)} / ${fixed(sets[set].other / sets[set].images, 2)}`;
      rows.push([
        `${name === 'score' ? 'minScore' : 'minNeighbors'} ${limit}`,
        ...SETS.map(cell),
        fixed(sets.faceless.other / sets.faceless.images, 2),
      ]);
    }
    report.table(rows);
    report.line(
      `Faces found: ${widest(recalls)} Other boxes an image, exact interval (Poisson) where it is widest, ${widestOf(others, 2)}.`,
    );
    if (name === 'score') report.line(heldOut(images, boxes));
  }
}

/** The limit with the fewest faces missed and other boxes in all other photographs. */
function heldOut(images, boxes) {
  const limits = Array.from({ length: 19 }, (_, k) => 0.05 * (k + 1));
  const counted = images.map((image, i) =>
    limits.map((limit) => {
      const [own] = Object.values(scoreBoxes([image], [boxes[i].filter(({ score }) => score >= limit)]));
      return { faces: own.faces, found: own.found, other: own.other - own.beside };
    }),
  );
  const worth = limits.map((_, k) => counted.reduce((sum, own) => sum + own[k].found - own[k].other, 0));
  const total = { faces: 0, found: 0, other: 0 };
  const taken = counted.map((own) => {
    const rest = worth.map((sum, k) => sum - own[k].found + own[k].other);
    const best = rest.indexOf(Math.max(...rest));
    for (const name of Object.keys(total)) total[name] += own[best][name];
    return limits[best];
  });
  return `The limit chosen without each photograph (${fixed(Math.min(...taken), 2)} to ${fixed(Math.max(...taken), 2)}): ${total.found} of ${total.faces} faces, ${fixed(total.found / total.faces, 3)} (95 %: ${rangeOfShare(total.found, total.faces)}), ${fixed(total.other / images.length, 2)} other boxes an image (95 %: ${rangeOfRate(total.other, images.length)}), faces that nobody annotated not counted.`;
}

/** The image mirrored, or not, and searched at another size. */
function variant({ width, height, data, faces }, mirror) {
  if (!mirror) return { width, height, data, faces };
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) out.set(data.subarray(y * width, (y + 1) * width).toReversed(), y * width);
  const flipped = faces.map(({ box }) => ({ box: { ...box, x: width - box.x - box.width } }));
  return { width, height, data: out, faces: flipped };
}

/** Groups of two windows and more, with what the score is made of. */
function candidates(library, runtime, cascades, images) {
  const rows = [];
  const now = (plan) => library.driveNow(runtime, plan);
  const manner = { scaling: 'image', scaleFactor: 1.1, step: 0 };
  for (const mirror of [false, true])
    for (const side of [560, 640, 720])
      images.forEach((image, i) => {
        const { width, height, data, faces } = variant(image, mirror);
        const source = runtime.plane(width, height, 'u8', data);
        const scale = Math.max(width, height) > 640 ? side / Math.max(width, height) : side / 640;
        const searched =
          Math.max(width, height) > 640
            ? now((scope) => library.reduceTo(scope, source, side))
            : now((scope) => library.resizeExact(scope, source, Math.round(width * scale), Math.round(height * scale)));
        const options = { ...manner, minSize: 30, maxSize: 0 };
        const { windows: passed } = now((scope) => library.searchCascade(scope, cascades.first, searched, options));
        const boxes = now((scope) => library.groupWindows(scope, passed, 'similarity', 1));
        const counts = now((scope) => library.countWindows(scope, cascades.second, searched, boxes));
        for (const [k, box] of boxes.entries()) {
          const share = (box.width * box.height) / (searched.width * searched.height);
          const windows = box.neighbors * library.stepAt('image', box.width / cascades.second.width, 0);
          const back = Object.fromEntries(Object.entries(box).map(([k, v]) => [k, v / scale]));
          rows.push({
            fold: i % 10,
            features: [1, Math.log1p(windows), Math.log1p(counts[k]), Math.log(share)],
            right: faces.some((face) => overlap(face.box, back) >= 0.5),
            weight: 1,
          });
        }
        if (searched !== source) searched.dispose();
        source.dispose();
      });
  return rows;
}

async function fit(report, library, images) {
  report.heading('Weights of the score');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const read = (name) => library.readCascade(new Uint8Array(readFileSync(path.join(root, `models/${name}.bin`))));
  const cascades = { first: read('frontalface_alt'), second: read('frontalface_alt2') };
  const rows = candidates(library, runtime, cascades, images);
  runtime.dispose();
  const right = rows.filter((row) => row.right).length;
  report.line(`${rows.length} groups of two and more windows, ${right} of them annotated faces.`);
  const table = [['features', 'constant', 'windows', 'confirmed', 'share', '85 %', '90 %', '92 %']];
  for (const [label, columns] of [
    ['windows', [0, 1]],
    ['and confirmed', [0, 1, 2]],
    ['and share of the image', [0, 1, 2, 3]],
  ]) {
    const of = (list) => list.map((row) => ({ ...row, features: columns.map((c) => row.features[c]) }));
    const scored = [];
    for (let fold = 0; fold < 10; fold++) {
      const weights = fitLogistic(of(rows.filter((row) => row.fold !== fold)), 1e-4);
      for (const row of of(rows.filter((row) => row.fold === fold)))
        scored.push([dot(weights, row.features), row.right]);
    }
    scored.sort((a, b) => b[0] - a[0]);
    const faces = 6 * images.reduce((sum, image) => sum + image.faces.length, 0);
    const others = (recall) => {
      let [found, other] = [0, 0];
      for (const [, isFace] of scored) {
        if (found >= recall * faces) break;
        if (isFace) found++;
        else other++;
      }
      return found >= recall * faces ? fixed(other / (6 * images.length), 3) : '-';
    };
    const weights = fitLogistic(of(rows), 1e-4);
    table.push([
      label,
      ...[0, 1, 2, 3].map((k) => (k in weights ? fixed(weights[k], 2) : '')),
      ...[0.85, 0.9, 0.92].map(others),
    ]);
  }
  report.table(table);
  report.line(
    'Right: other boxes an image where so many of the faces are found, each image scored with weights fitted without it (ten folds; mirrored and not, searched at 560, 640 and 720 pixels).',
  );
}

export default async function (given) {
  const { shared, openBrowser, importTs, log } = given;
  const annotated = shared && (await annotatedFaces(shared, openBrowser));
  if (!annotated) return log('needs ../shared/data/faces (FOVEOLA_SHARED names another folder)');
  const images = [...annotated, ...(await faceless(shared, openBrowser))];
  const report = new Report(given);
  const library = await importTs('bench/faces/parts/library.ts');
  const engine = await library.createEngine();
  await curves(report, engine, images, library);
  await engine.dispose();
  await fit(report, library, images);
  report.finish('lab/results/accuracy.md', 'curves faces', 'curves faces');
}
