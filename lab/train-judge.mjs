// Trains the judge of found faces: npm run lab -- train-judge FACES[,MORE] model.bin [--faces 1500] [--seed 1] [--odds -1.5] [--pictures ../shared/data/free]
// FACES: folders of rendered faces (npm run lab -- render-faces). The pictures are those of ../shared/data/free but for the portrait,
// which is kept for tests; the photographer is shown only turned. The templates' values are taken for the weights only of
// faces and pictures that they did not learn from (three folds). --odds is added to the constant: of what a search finds in
// photographs fewer boxes are faces than in renders (`npm run lab -- curves faces` says what a limit finds). The same bytes for one seed.
//   npm run lab -- train-judge --scores FACES [--write]     what its scores are worth, on faces it has not seen; src/faces/score-table.ts
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';
import { dot, fitLogistic, reliability, sigmoid } from '../bench/pupil/parts/logistic.mjs';
import { launchOptions } from '../tools/browser.mjs';
import { decodeImages } from '../tools/decode-images.mjs';
import { fitTemplates } from './faces/judge/fit.mjs';
import { FOLDS as COUNT, makeSampler, STAGES } from './faces/judge/samples.mjs';
import { scoreFigures } from './faces/judge/scores.mjs';
import { importTs } from '../tools/import-ts.mjs';
import { generator } from '../tools/random.mjs';
import { sharedFolder } from '../tools/serve.mjs';
import { root } from '../tools/setup.mjs';
import { table } from '../bench/parts/table.mjs';

const FOLDS = Array.from({ length: COUNT }, (_, i) => i);
/** Share of faces whose value a look at other sizes raises by no more than the judge's gain. */
const GAINS = 0.97;
const LEFT_OUT = ['astronaut.png'];
const TURNED = ['camera.png'];
const notice = `Judge of found faces of foveola, trained by npm run lab -- train-judge on faces rendered from the ICT Face Model Light
and on pictures in the public domain or under CC0. No photograph of a face is in it. The license of the face model:

${readFileSync(path.join(root, 'test/media/ict-face.LICENSE.txt'), 'utf8')}`;

function rendered(library, folder, most) {
  const faces = [];
  for (let index = 0; faces.length < most; index++) {
    const file = path.join(folder, library.shardName(index));
    if (!existsSync(file)) break;
    const { side, records, pictures, points } = library.readShard(readFileSync(file));
    records.forEach((record, i) => {
      if (faces.length >= most) return;
      const data = pictures.slice(i * side * side, (i + 1) * side * side);
      const picture = { width: side, height: side, data };
      faces.push({
        picture,
        points: Array.from(points.subarray(136 * i, 136 * (i + 1))),
        record,
        number: faces.length,
      });
    });
  }
  if (!faces.length)
    throw new Error(`There are no rendered faces in ${folder}; npm run lab -- render-faces makes them.`);
  return faces;
}

async function withoutFaces(folder) {
  const names = readdirSync(folder).filter((name) => /\.(png|jpg)$/.test(name) && !LEFT_OUT.includes(name)).sort(); // prettier-ignore
  const open = async () => puppeteer.launch(await launchOptions());
  const pictures = await decodeImages(
    names.map((name) => path.join(folder, name)),
    open,
  );
  return pictures.map((picture, i) => ({ picture, upright: !TURNED.includes(names[i]), fold: i % FOLDS.length }));
}

/** What a score is made of; the template's values are those of the fold that did not learn from it. */
const features = ({ value, windows, confirmed }) => [1, value, Math.log1p(windows), Math.log1p(confirmed)];

/** How boxes lie to those of faces: sides by theirs, and middles, in their sides; mean and standard deviation. */
function printBoxes(faces) {
  const spread = (values) => {
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    const square = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
    return `${mean.toFixed(3)} +- ${Math.sqrt(square).toFixed(3)}`;
  };
  for (const [name, key] of [
    ['as found', 'found'],
    ['where it is seen best', 'seen'],
    ['as reported', 'reported'],
  ]) {
    const off = (of) => spread(faces.map(({ own, [key]: box }) => of(box, own)));
    const middle = (at, length) => (box, own) => (box[at] + box[length] / 2 - own[at] - own[length] / 2) / own.width;
    console.log(`boxes ${name}: side ${off((box, own) => box.width / own.width)}, across ${off(middle('x', 'width'))}, down ${off(middle('y', 'height'))}`); // prettier-ignore
  }
}

async function train(folder, to, { count, seed, odds, pictures }) {
  const library = await importTs('lab/faces/judge/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const read = (name) => library.readCascade(new Uint8Array(readFileSync(path.join(root, `models/${name}.bin`))));
  const [cascade, second] = ['frontalface_alt', 'frontalface_alt2'].map(read);
  const sampler = makeSampler({ library, runtime, cascade, second, random: generator(seed) });
  const faces = folder
    .split(',')
    .flatMap((one) => rendered(library, one, count))
    .map((face, number) => sampler.face({ ...face, number }));
  const others = (await withoutFaces(pictures)).flatMap((picture) => sampler.faceless(picture));
  const all = [...faces, ...others, ...sampler.drawn()];
  const rows = all.flatMap((one) => one.rows);
  const right = rows.filter((row) => row.right).length;
  console.log(`${faces.length} faces, ${others.length} views of pictures without: ${right} boxes of faces, ${rows.length - right} others`); // prettier-ignore

  const from = library.mirroredNumbers();
  /** Learned from all but one fold, then once more with what it took for faces. */
  const fit = (left) => {
    const own = all.filter(({ fold }) => fold !== left);
    const learned = own.flatMap((one) => one.rows);
    const judgeOf = (list) => ({ templates: fitTemplates(list, from, seed) });
    const first = judgeOf(learned);
    return judgeOf([...learned, ...own.flatMap((one) => sampler.hardest(one, first))]);
  };
  const held = FOLDS.map(fit);
  const byFace = new Map(all.map((one) => [one, sampler.candidates(one, held[one.fold])]));
  const judged = [...byFace.values()].flat();
  const gains = judged.filter((one) => one.right === 1).map((one) => one.gain).sort((a, b) => a - b); // prettier-ignore
  const gain = gains[Math.floor(GAINS * gains.length)];
  printBoxes(judged.filter((one) => one.right === 1).map((one) => one.boxes)); // prettier-ignore
  const asRows = judged.map((one) => ({ features: features(one), right: one.right === 1, weight: 1, fold: one.fold }));
  const scores = asRows.map(() => 0);
  for (const fold of FOLDS) {
    const weights = fitLogistic(asRows.filter((row) => row.fold !== fold), 1e-4); // prettier-ignore
    asRows.forEach((row, i) => row.fold === fold && (scores[i] = sigmoid(dot(weights, row.features))));
  }
  const labels = asRows.map((row) => row.right);
  console.log('Held out, by folds of faces and pictures:');
  for (const { n, mean, right: share } of reliability(scores, labels))
    if (n) console.log(`  score ${mean.toFixed(2)}: ${n} boxes, ${share.toFixed(2)} of them faces`);
  const weights = fitLogistic(asRows, 1e-4);
  console.log('weights: constant, template, windows, confirmed', weights.map((w) => w.toFixed(3)).join(' '));
  const wrong = scores.filter((score, i) => score >= 0.5 && !labels[i]).length;
  const kept = scores.filter((score, i) => score >= 0.5 && labels[i]).length;
  console.log(`at 0.5: ${kept} of ${labels.filter(Boolean).length} boxes of faces, ${wrong} of ${labels.filter((l) => !l).length} others`); // prettier-ignore
  const scoreOf = new Map(judged.map((one, i) => [one, scores[i]]));
  const tally = {};
  for (const one of faces) {
    const { yaw, size } = one;
    const boxes = byFace.get(one).filter((box) => box.right === 1);
    const found = boxes.some((box) => scoreOf.get(box) >= 0.5);
    for (const key of [
      `yaw ${15 * Math.min(2, Math.floor(yaw / 15))} on`,
      `side ${size < 30 ? 24 : size < 50 ? 30 : 50} px on`,
    ]) {
      const own = (tally[key] ??= { faces: 0, candidates: 0, found: 0 });
      own.faces++;
      if (boxes.length) own.candidates++;
      if (found) own.found++;
    }
  }
  for (const key of Object.keys(tally).sort()) {
    const { faces: n, candidates, found } = tally[key];
    console.log(
      `  ${key}: ${n} faces, ${(candidates / n).toFixed(3)} among what is judged, ${(found / n).toFixed(3)} found`,
    );
  }
  const bytes = library.packJudge({
    ...{ stages: STAGES, gain, templates: fit(-1).templates, notice },
    weights: [weights[0] + odds, ...weights.slice(1)],
  });
  writeFileSync(to, bytes);
  runtime.dispose();
  console.log(`${to}: ${bytes.length} bytes`);
}

const words = ({ slope, constant }) =>
  `/**
 * Conversion of a score, fitted to rendered faces and written by \`npm run lab -- train-judge --scores\`. The odds against a
 * face are the score's odds, raised to a power, times a factor.
 */
export const slope = ${slope};
export const factor = ${Number(Math.exp(-constant).toFixed(3))};
`;

async function scores(folder, write) {
  if (!folder) throw new Error('Name a folder of faces that the judge has not learned from.');
  const report = { table: (rows) => console.log(`${table(rows)}\n`), line: console.log };
  const line = await scoreFigures({ importTs }, folder, report);
  if (write) writeFileSync(path.join(root, 'src/faces/score-table.ts'), words(line));
}

async function command(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      faces: { type: 'string', default: '1500' },
      seed: { type: 'string', default: '1' },
      odds: { type: 'string', default: '-1.5' },
      pictures: { type: 'string', default: path.join(sharedFolder, 'data/free') },
      scores: { type: 'boolean' },
      write: { type: 'boolean' },
    },
  });
  const [folder, to] = positionals;
  if (values.scores) return scores(folder, values.write);
  if (!to) throw new Error('Name the folder of faces and the model: npm run lab -- train-judge faces model.bin');
  await train(folder, to, {
    count: Number(values.faces),
    seed: Number(values.seed),
    odds: Number(values.odds),
    pictures: values.pictures,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await command(process.argv.slice(2)).then(
    () => process.exit(0),
    (error) => {
      console.error(error.message);
      process.exit(1);
    },
  );
