// Trains a landmark model: npm run train:landmarks -- faces.json model.bin [--form 8-bit] [--trees 500] [--notice text.txt]
// faces.json: [{ image: "photos/a.jpg", points: [[x, y], ...], box?: [x, y, width, height] }], paths relative to it, every
// face with equally many points. Without a box the detector's is taken; faces that it does not find are left out.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import { launchOptions } from './browser.mjs';
import { decodeImages } from './decode-images.mjs';
import { importTs } from './import-ts.mjs';
import { main } from './setup.mjs';
import { defaults, trainLandmarks } from './train/train.mjs';

const numeric = Object.keys(defaults);

/** Faces with the boxes of the detector, for those that have none. */
export async function withBoxes(images, faces) {
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine();
  const out = [];
  for (const face of faces) {
    if (face.box) {
      out.push(face);
      continue;
    }
    const [xs, ys] = [0, 1].map((k) => face.points.filter((_, i) => i % 2 === k));
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const boxes = await engine.detectFaces(images[face.image]);
    const found = boxes.find(
      (b) =>
        Math.abs(b.x + b.width / 2 - x) < b.width / 4 &&
        Math.abs(b.y + b.height / 2 - y) < b.height / 3 &&
        b.width > 0.6 * (right - left) &&
        b.width < 2 * (right - left),
    );
    if (found) out.push({ ...face, box: found });
  }
  await engine.dispose();
  return out;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        form: { type: 'string', default: '8-bit' },
        notice: { type: 'string' },
        ...Object.fromEntries(numeric.map((name) => [name, { type: 'string' }])),
      },
    });
    const [from, to] = positionals;
    if (!to) throw new Error('Two files are needed: npm run train:landmarks -- faces.json model.bin');
    const list = JSON.parse(readFileSync(from, 'utf8'));
    const files = [...new Set(list.map(({ image }) => path.resolve(path.dirname(from), image)))];
    console.log(`${list.length} faces in ${files.length} images`);
    const images = await decodeImages(files, async () => puppeteer.launch(await launchOptions()));
    const all = list.map(({ image, points, box }) => ({
      image: files.indexOf(path.resolve(path.dirname(from), image)),
      points: points.flat(),
      box: box && { x: box[0], y: box[1], width: box[2], height: box[3] },
    }));
    if (all.some(({ points }) => points.length !== all[0].points.length || !points.every(Number.isFinite)))
      throw new Error('Every face needs equally many points.');
    const faces = await withBoxes(images, all);
    console.log(`training on ${faces.length} of them`);
    const options = Object.fromEntries(numeric.filter((n) => values[n]).map((n) => [n, Number(values[n])]));
    const notice = values.notice ? readFileSync(values.notice, 'utf8') : '';
    const model = await trainLandmarks(images, faces, { ...options, notice }, (done, of, error) =>
      console.log(`cascade ${done} of ${of}: mean error ${(100 * error).toFixed(2)} % of the box`),
    );
    const { packLandmarks } = await importTs('src/models/landmarks.ts');
    const bytes = packLandmarks(model, values.form);
    writeFileSync(to, bytes);
    console.log(`${to}: ${bytes.length} bytes`);
  });
