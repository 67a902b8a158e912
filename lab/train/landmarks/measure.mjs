// node lab/train/landmarks/measure.mjs: errors of the 68 points by the trees and by the network, from boxes of the cascades and of the
// face network, on the photographs of ../shared/data/faces (none was used in training), with paired differences; and times.
// RENDERS=1000: also on 1000 rendered heads that played no part in training, by skin tone, pose, size, camera and worn things.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import { annotatedFaces, errors } from '../../../bench/faces/parts/data.mjs';
import { bootstrap, range } from '../../../bench/parts/intervals.mjs';
import { mean, overlap, quantile } from '../../../bench/parts/numbers.mjs';
import { boxOf, jittered } from '../../landmarks/shapes.mjs';
import { groupsOf } from '../faces/groups.mjs';
import { generator } from '../../../tools/random.mjs';
import { launchOptions } from '../../../tools/browser.mjs';
import { importTs } from '../../../tools/import-ts.mjs';
import { sharedFolder } from '../../../tools/serve.mjs';
import { root } from '../../../tools/setup.mjs';

const lib = await importTs('lab/train/landmarks/measure-library.ts');
const file = (name) => new Uint8Array(readFileSync(path.resolve(root, name)));
const module = await WebAssembly.compile(file('dist/kernels.wasm'));
const runtime = await lib.Runtime.create({ module });
const network = lib.readNetwork(file(process.env.MODEL ?? 'models/landmarks-network.bin'));
const trees = lib.readLandmarks(file('models/landmarks-68.bin'));
const detector = lib.readNetwork(file('models/faces.bin'));
const [cascade, second] = ['frontalface_alt', 'frontalface_alt2'].map((name) => lib.readCascade(file(`models/${name}.bin`))); // prettier-ignore
const judge = lib.readJudge(file('models/face-judge.bin'));
const { variant: _, cascade: __, verifier: ___, judged: ____, ...values } = lib.resolveDetection({});
const detectors = {
  cascades: (scope, plane) => lib.findFaces(scope, plane, cascade, second, values, judge),
  network: (scope, plane) => lib.networkFaces(scope, plane, detector, values),
};
const methods = {
  trees: (scope, plane, boxes) =>
    lib.fitFaces(
      scope,
      plane,
      boxes.map((box) => lib.mapBox(box, trees)),
      trees,
      { again: true },
    ),
  network: (scope, plane, boxes) => lib.networkLandmarks(scope, plane, boxes, network),
};

async function on({ width, height, data }, work) {
  const plane = runtime.plane(width, height, 'u8', data);
  const result = await lib.drive(runtime, (scope) => work(scope, plane), { side: 'wasm' });
  plane.dispose();
  return result;
}

const images = (await annotatedFaces(sharedFolder, async () => puppeteer.launch(await launchOptions()))).filter(
  ({ faces }) => faces[0].points,
);
const fixed = (value) => value.toFixed(4);
for (const [name, detect] of Object.entries(detectors)) {
  const sets = {};
  for (const image of images) {
    const { points, box } = image.faces[0];
    const boxes = await on(image, detect);
    const [own] = boxes.sort((a, b) => overlap(b, box) - overlap(a, box));
    if (!own || overlap(own, box) < 0.4) continue;
    const of = async (method) => {
      const [fit] = await on(image, (scope, plane) => methods[method](scope, plane, [own]));
      const inner = errors(fit.shape ?? fit.landmarks, points, [17, 68]).nme;
      return { ...errors(fit.shape ?? fit.landmarks, points), inner, confidence: fit.confidence };
    };
    (sets[image.set] ??= []).push({ trees: await of('trees'), network: await of('network') });
    if (process.env.SHOW) console.log(image.set, image.name, sets[image.set].at(-1));
  }
  for (const [set, rows] of Object.entries(sets)) {
    for (const method of Object.keys(methods)) {
      const nme = rows.map((row) => row[method].nme);
      console.log(
        `${set}, boxes of ${name}, ${method}: n ${rows.length}, mean ${fixed(mean(nme))}, median ${fixed(quantile(nme, 0.5))}, ` +
          `largest ${fixed(Math.max(...nme))}, above 0.08: ${nme.filter((v) => v > 0.08).length}, ` +
          `inner points ${fixed(mean(rows.map((row) => row[method].inner)))}, confidence ${fixed(mean(rows.map((row) => row[method].confidence)))}`,
      );
    }
    const less = rows.map(({ trees: a, network: b }) => b.nme - a.nme);
    console.log(`  network less trees: ${fixed(mean(less))}, 95 % ${range(bootstrap(less), 4)}`);
  }
}

/** Mean sides of the box of the points, pixels. */
const SIZES = [40, 60, 100, 160];

/** Heads whose seeds were not used in training, in boxes that are off as the detector's are. */
async function renders(count) {
  const renderer = new lib.Renderer(lib.readModel(file(path.join(sharedFolder, 'data/ict/ict-face.bin'))));
  const random = generator(1);
  const rows = [];
  for (let i = 0; i < count; i++) {
    const settings = lib.drawSettings(8_000_000 + i);
    const side = SIZES[i % SIZES.length];
    const frame = { width: 2 * side, height: 2 * side, side, x: side - 0.5, y: side - 0.5 };
    const { data, width, height, points, record } = renderer.render(settings, frame);
    const box = jittered(boxOf(points), random);
    const row = { groups: groupsOf(settings, side, record.worn) };
    for (const [name, fit] of Object.entries(methods)) {
      const image = { width, height, data: lib.grayOf(data) };
      const [{ shape, landmarks }] = await on(image, (scope, plane) => fit(scope, plane, [box]));
      row[name] = errors(shape ?? landmarks, points).nme;
    }
    rows.push(row);
  }
  for (const group of [...new Set(rows.flatMap(({ groups }) => groups))].sort()) {
    const own = rows.filter(({ groups }) => groups.includes(group));
    const of = (name) => own.map((row) => row[name]);
    const text = (name) => `, ${name} ${fixed(mean(of(name)))} (${range(bootstrap(of(name)), 3)}), median ${fixed(quantile(of(name), 0.5))}`; // prettier-ignore
    console.log(`${group}: n ${own.length}${Object.keys(methods).map(text).join('')}`);
  }
}
if (process.env.RENDERS) await renders(Number(process.env.RENDERS));

const [image] = images;
const [box] = await on(image, detectors.cascades);
for (const [name, fit] of Object.entries(methods)) {
  const times = [];
  for (let i = 0; i < 20; i++) {
    const before = process.cpuUsage();
    await on(image, (scope, plane) => fit(scope, plane, [box]));
    times.push(process.cpuUsage(before).user / 1000);
  }
  console.log(`one face of ${image.name}, ${name}: ${Math.min(...times).toFixed(1)} ms of one thread, the best of 20`);
}
process.exit(0);
