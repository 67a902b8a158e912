// Faces: dark and flat pictures, with the noise of a sensor after it, by the rule of flat windows. --write
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { generator } from '../../tools/random.mjs';
import { mean, overlap } from '../../bench/parts/numbers.mjs';
import { range, poisson, widest } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { noisy, readPicture } from '../transforms/parts/pictures.mjs';
import { idealBox, errors } from '../../bench/faces/parts/data.mjs';

const PERSONS = 40;
const SEED = 97;
/** Of ../shared/data/free those in which faces are. */
const WITH_FACES = /astronaut|camera/;
/** The picture's deviation from which on OpenCV's 10 gray levels are asked for, and the lowest limit. */
const RULES = [
  ['OpenCV: 10 levels', { usual: 1e-3, noise: 10 }],
  ['24, 2', { usual: 24, noise: 2 }],
  ['32, 2', { usual: 32, noise: 2 }],
  ['40, 2', { usual: 40, noise: 2 }],
  ['32, 1', { usual: 32, noise: 1 }],
  ['32, 4', { usual: 32, noise: 4 }],
];
/** What a gray level becomes, and the noise that comes after it. */
const LIGHTS = [
  ['as it is', (v) => v, 0],
  ['divided by 2', (v) => v / 2, 0],
  ['divided by 4', (v) => v / 4, 0],
  ['divided by 4, noise 2', (v) => v / 4, 2],
  ['divided by 8, noise 1', (v) => v / 8, 1],
  ['divided by 8, noise 2', (v) => v / 8, 2],
  ['from 80 to 150', (v) => 80 + (70 * v) / 255, 0],
  ['from 80 to 150, noise 2', (v) => 80 + (70 * v) / 255, 2],
];

/** Rendered persons, each in a picture of its own. */
async function personsOf({ importTs, root }) {
  const { drawSettings, grayOf, readModel, Renderer } = await importTs('lab/faces/render/index.ts');
  const renderer = new Renderer(readModel(gunzipSync(readFileSync(path.join(root, 'test/media/face-model.bin.gz')))));
  const random = generator(SEED);
  return Array.from({ length: PERSONS }, (_, i) => {
    const drawn = drawSettings(5000 + i);
    const worn = { ...drawn.worn, mask: null, hand: null, things: [] };
    const pose = { yaw: 40 * random() - 20, pitch: 20 * random() - 10, roll: 16 * random() - 8, distance: 100 };
    const framing = {
      width: 320,
      height: 240,
      side: 50 + 50 * random(),
      x: 120 + 80 * random(),
      y: 115 + 10 * random(),
    };
    const { data, points } = renderer.render({ ...drawn, ...pose, blink: [0, 0], worn }, framing);
    return { picture: { width: 320, height: 240, channels: 1, data: grayOf(data) }, points };
  });
}

async function withoutFaces({ shared }) {
  const folder = path.join(shared, 'data/free');
  const files = readdirSync(folder).filter((name) => /\.(png|jpg)$/.test(name) && !WITH_FACES.test(name));
  const pictures = [];
  for (const name of files.sort()) {
    const { width, height, data } = await readPicture(path.join(folder, name), { gray: true, longest: 640 });
    const picture = { width, height, channels: 1, data };
    pictures.push(picture, { ...picture, data: data.slice().reverse() });
  }
  // Walls, even and lit from a side, and a covered camera.
  for (const level of [(x) => 100 + x / 8, () => 120, () => 0])
    pictures.push({ width: 640, height: 480, channels: 1, data: Uint8Array.from({ length: 640 * 480 }, (_, i) => level(i % 640)) }); // prettier-ignore
  return pictures;
}

function lit(picture, [, change, noise], seed) {
  const table = Uint8ClampedArray.from({ length: 256 }, (_, v) => change(v));
  const dark = { ...picture, data: Uint8Array.from(picture.data, (v) => table[v]) };
  return noise ? noisy(dark, noise, seed).picture : dark;
}

export default async function dark(given) {
  const { shared, importTs, log } = given;
  if (!shared) return log('needs ../shared/data/free');
  const { createEngine, flatRule } = await importTs('bench/faces/parts/library.ts');
  const engine = await createEngine({ worker: false, threads: 1 });
  const report = new Report(given);
  const persons = await personsOf(given);
  const others = await withoutFaces(given);
  const usual = { ...flatRule };
  report.line(
    `${PERSONS} rendered persons, percent found at overlap 0.5, and ${others.length} pictures without faces, boxes in all of them. ` +
      'A rule: the deviation of a whole picture below which less contrast is asked of its windows, and the least that is; ' +
      `what is used: ${usual.usual}, ${usual.noise}. Noise comes after the light, as that of a sensor does.`,
  );
  const rows = [['', ...RULES.flatMap(([name]) => [name, 'other boxes'])]];
  const looks = [['', 'points, %', 'confidence', 'with a gaze', 'gaze moved by, degrees']];
  let first = null;
  const [counts, most] = [[], []];
  for (const light of LIGHTS) {
    const pictures = persons.map(({ picture }, i) => lit(picture, light, i));
    const empty = others.map((picture, i) => lit(picture, light, 1000 + i));
    const row = [light[0]];
    for (const [, rule] of RULES) {
      Object.assign(flatRule, rule);
      let [found, boxes] = [0, 0];
      for (const [i, picture] of pictures.entries()) {
        const wanted = idealBox(pairs(persons[i].points));
        if ((await engine.detectFaces(picture)).some((box) => overlap(box, wanted) > 0.5)) found++;
      }
      for (const picture of empty) boxes += (await engine.detectFaces(picture)).length;
      row.push(fixed((100 * found) / PERSONS), boxes);
      counts.push([found, PERSONS]);
      most.push(boxes);
    }
    Object.assign(flatRule, usual);
    rows.push(row);
    const seen = [];
    for (const [i, picture] of pictures.entries())
      seen.push((await engine.landmarkFits(picture, [idealBox(pairs(persons[i].points))]))[0]);
    first ??= seen;
    const moved = seen.flatMap(({ gaze }, i) => (gaze && first[i].gaze ? [angle(gaze, first[i].gaze)] : []));
    looks.push([
      light[0],
      fixed(mean(seen.map(({ landmarks }, i) => 100 * errors(landmarks, persons[i].points).nme)), 2),
      fixed(mean(seen.map(({ confidence }) => confidence)), 2),
      seen.filter(({ gaze }) => gaze).length,
      fixed(mean(moved)),
    ]);
  }
  report.table(rows);
  report.line(
    `${widest(counts)} Boxes in pictures without faces, exact interval (Poisson) of the largest count, ${Math.max(...most)}: ` +
      `${range(poisson(Math.max(...most)))}.`,
  );
  report.line('Landmarks from the true boxes, and the gaze against that of the picture as it is:');
  report.table(looks);
  report.finish('lab/results/accuracy.md', 'dark faces', 'dark faces');
  await engine.dispose();
}

const pairs = (points) => Array.from({ length: points.length / 2 }, (_, k) => [points[2 * k], points[2 * k + 1]]);
const angle = (a, b) => (180 / Math.PI) * Math.hypot(a.yaw - b.yaw, a.pitch - b.pitch);
