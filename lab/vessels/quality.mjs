// Vessels: image quality by the network, on photographs and on degraded copies of them, against manual masks.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { SETS } from '../../bench/vessels/parts/sets.mjs';
import { generator, normal } from '../../tools/random.mjs';

const WIDTH = 700;
/** Samples times `factor` plus `offset`, with Gaussian noise. */
function noisy(data, deviation, factor = 1, offset = 0) {
  const random = generator(1);
  return Buffer.from(data.map((v) => Math.max(0, Math.min(255, offset + factor * v + deviation * normal(random)))));
}
const blurred = (sigma) => (data, raw) => sharp(data, { raw }).blur(sigma).raw().toBuffer();
const COPIES = {
  'as it is': (data) => data,
  'blur 2 px': blurred(2),
  'blur 4 px': blurred(4),
  'blur 7 px': blurred(7),
  'noise 10': (data) => noisy(data, 10),
  'noise 25': (data) => noisy(data, 25),
  'a quarter of the light': (data) => noisy(data, 4, 0.25),
  haze: (data) => noisy(data, 4, 0.3, 120),
  'JPEG, quality 12': async (data, raw) =>
    sharp(await sharp(data, { raw }).jpeg({ quality: 12 }).toBuffer())
      .removeAlpha()
      .raw()
      .toBuffer(),
};

const orderOf = (values) => {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const ranks = [];
  order.forEach((index, rank) => (ranks[index] = rank));
  return ranks;
};
/** Spearman's coefficient. */
function rankCorrelation(a, b) {
  const [x, y] = [orderOf(a), orderOf(b)];
  const n = a.length;
  return 1 - (6 * x.reduce((sum, rank, i) => sum + (rank - y[i]) ** 2, 0)) / (n * (n * n - 1));
}

function diceOf(found, truth, field) {
  let [both, sum] = [0, 0];
  for (let i = 0; i < truth.length; i++) {
    if (field[i] <= 127) continue;
    const [own, manual] = [found[i] > 127, truth[i] > 127];
    both += own && manual ? 2 : 0;
    sum += Number(own) + Number(manual);
  }
  return sum ? both / sum : 0;
}

async function* measured({ shared, importTs, root }) {
  const lib = await importTs('lab/train/vessels/measure-library.ts');
  const file = (name) => readFileSync(path.join(root, name));
  const module = await WebAssembly.compile(file('dist/kernels.wasm'));
  const network = lib.readNetwork(new Uint8Array(file('models/vessels.bin')));
  const params = lib.resolveParameters(lib.vesselParameters, { scales: 'all' }, 'quality');
  const open = (name) => sharp(path.join(shared, 'data/fundus', name)).resize({ width: WIDTH });
  const gray = async (name) => open(name).toColorspace('b-w').extractChannel(0).raw().toBuffer();
  for (const { name, photographs } of SETS)
    for (const { image, truth, field } of photographs) {
      const { data, info } = await open(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const [manual, given] = [await gray(truth), field && (await gray(field))];
      for (const [copy, degrade] of Object.entries(COPIES)) {
        const pixels = await degrade(data, info);
        const rgba = await sharp(pixels, { raw: info }).ensureAlpha().raw().toBuffer();
        const runtime = await lib.Runtime.create({ module });
        const source = runtime.plane(info.width, info.height, 'rgba8', rgba);
        const { mask, fieldOfView, quality } = await lib.drive(
          runtime,
          (scope) => lib.findVessels(scope, source, params, network),
          { backend: 'wasm' },
        );
        yield { set: name, copy, dice: diceOf(mask.data, manual, given || fieldOfView.data), ...quality };
      }
    }
}

export default async function quality(given) {
  if (!given.shared) return given.log('needs ../shared/data/fundus');
  const report = new Report(given);
  const all = [];
  for await (const one of measured(given)) all.push(one);
  const mean = (list, key) => fixed(list.reduce((sum, one) => sum + one[key], 0) / list.length, 2);
  report.line(
    `\`engine.vessels\` with \`variant: 'network'\`, photographs resized to ${WIDTH} pixels in width. None was used for training.`,
  );
  report.table([
    ['copy', 'Dice, mean', 'expected agreement, mean', 'good', 'fair', 'poor'],
    ...Object.keys(COPIES).map((copy) => {
      const own = all.filter((one) => one.copy === copy);
      const count = (grade) => own.filter((one) => one.grade === grade).length;
      return [copy, mean(own, 'dice'), mean(own, 'agreement'), ...['good', 'fair', 'poor'].map(count)];
    }),
  ]);
  report.table([
    ['set', 'images', 'rank correlation of agreement and Dice', 'median Dice of good', 'fair', 'poor'],
    ...SETS.map(({ name }) => {
      const own = all.filter(({ set }) => set === name);
      const middle = (grade) => {
        const sorted = own.flatMap((one) => (one.grade === grade ? [one.dice] : [])).sort((a, b) => a - b);
        return fixed(sorted[sorted.length >> 1], 2);
      };
      const [agreement, dice] = [own.map((one) => one.agreement), own.map((one) => one.dice)];
      const medians = ['good', 'fair', 'poor'].map(middle);
      return [name, own.length, fixed(rankCorrelation(agreement, dice), 2), ...medians];
    }),
  ]);
  report.finish('lab/results/accuracy.md', 'quality vessels', 'quality vessels');
}
