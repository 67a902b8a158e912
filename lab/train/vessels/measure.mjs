// node lab/train/vessels/measure.mjs [factors...]: Dice, accuracy and sensitivity of engine.vessels with scales 'all' and with
// the network, on ../shared/data/fundus. No photograph there was trained on; HRF is given whole and counted at half size.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { SETS } from '../../../bench/vessels/parts/sets.mjs';
import { importTs } from '../../../tools/import-ts.mjs';
import { sharedFolder } from '../../../tools/serve.mjs';
import { root } from '../../../tools/setup.mjs';

const lib = await importTs('lab/train/vessels/measure-library.ts');
const file = (name) => readFileSync(path.join(root, name));
const module = await WebAssembly.compile(file('dist/kernels.wasm'));
const network = lib.readNetwork(new Uint8Array(file('models/vessels.bin')));
const factors = process.argv.slice(2).map(Number);
if (!factors.length) factors.push(1);

const read = (name, channels) => {
  const image = sharp(path.join(sharedFolder, 'data/fundus', name));
  return (channels === 4 ? image.ensureAlpha() : image.toColorspace('b-w').extractChannel(0))
    .raw()
    .toBuffer({ resolveWithObject: true });
};

/** By means over 2x2, a half counts. */
function halved({ data, width, height }) {
  const [w, h] = [width >> 1, height >> 1];
  const out = new Uint8Array(w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const p = 2 * y * width + 2 * x;
      out[y * w + x] = (data[p] + data[p + 1] + data[p + width] + data[p + width + 1]) / 4 > 127 ? 255 : 0;
    }
  return { data: out, width: w, height: h };
}

async function mask(name, half) {
  const { data, info } = await read(name, 1);
  const whole = { data, width: info.width, height: info.height };
  return half ? halved(whole) : whole;
}

function score(found, truth, field) {
  let [tp, fp, fn, tn] = [0, 0, 0, 0];
  truth.forEach((t, i) => {
    if (field[i] <= 127) return;
    if (t > 127) found[i] > 127 ? tp++ : fn++;
    else found[i] > 127 ? fp++ : tn++;
  });
  return [(2 * tp) / (2 * tp + fp + fn), (tp + tn) / (tp + tn + fp + fn), tp / (tp + fn)];
}

async function vessels({ data, info }, values, net) {
  const runtime = await lib.Runtime.create({ module });
  const source = runtime.plane(info.width, info.height, 'rgba8', data);
  const params = lib.resolveParameters(lib.vesselParameters, { scales: 'all', ...values }, 'measure');
  const before = process.cpuUsage();
  const found = await lib.drive(runtime, (scope) => lib.findVessels(scope, source, params, net), { backend: 'wasm' });
  return { ...found, seconds: process.cpuUsage(before).user / 1e6 };
}

for (const { name, photographs, half } of SETS) {
  const rows = new Map();
  for (const { image, truth, field } of photographs) {
    const [photograph, manual] = [await read(image, 4), await mask(truth, half)];
    const given = field ? (await mask(field, half)).data : null;
    for (const [title, net, factor] of [['lines', undefined, 1], ...factors.map((f) => [`network ${f}`, network, f])]) {
      const found = await vessels(photograph, { thresholdFactor: factor }, net);
      const [own, seen] = half ? [halved(found.mask), halved(found.fieldOfView)] : [found.mask, found.fieldOfView];
      const row = [...score(own.data, manual.data, given ?? seen.data), found.seconds];
      rows.set(title, [...(rows.get(title) ?? []), row]);
    }
  }
  for (const [title, list] of rows) {
    const means = [0, 1, 2, 3].map((k) => list.reduce((sum, row) => sum + row[k], 0) / list.length);
    const [dice, accuracy, sensitivity, seconds] = means.map((v) => v.toFixed(4));
    const each = list.map(([one]) => one.toFixed(3)).join(' ');
    console.log(
      `${name}, ${title}: Dice ${dice} (${each}), accuracy ${accuracy}, sensitivity ${sensitivity}, ${seconds} s of a core`,
    );
  }
}
