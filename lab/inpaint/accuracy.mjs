// Inpainting: where the answer is known, the share of right pixels; on photographs, texture and borders beside OpenCV's Telea.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { share as withRange } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { generator } from '../../tools/random.mjs';
import { exactCases, squareMask } from './parts/exact.mjs';
import { similarity, texture, within } from './parts/measures.mjs';

/** Side of the holes, longest side of a photograph, seed of the holes' places. */
const [SIDE, LIMIT, SEED] = [90, 1024, 4];

const python = (...args) => {
  const script = fileURLToPath(new URL('parts/photos.py', import.meta.url));
  const program = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
  return JSON.parse(execFileSync(program, [script, ...args.map(String)], { encoding: 'utf8' }));
};

const variants = ['seamless', 'paper'];

async function fill(engine, image, hole, variant) {
  let patches = 0;
  const mask = squareMask(image.width, image.height, hole);
  const onProgress = (_, detail) => (patches = detail.patches);
  const { data } = await engine.inpaint(image, mask, { variant, onProgress });
  return { width: image.width, height: image.height, data, patches };
}

async function exact(report, engine) {
  report.heading('Where the answer is known, holes of 90 x 90 in 300 x 240');
  const rows = [['picture', 'within 8 levels, default, %', 'patches', 'paper’s variant, %', 'patches']];
  let least = 1;
  for (const { name, image, hole } of exactCases()) {
    const damaged = { ...image, data: image.data.slice() };
    const mask = squareMask(image.width, image.height, hole);
    mask.data.forEach((v, i) => v && damaged.data.fill(0, 4 * i, 4 * i + 4));
    const row = [name];
    for (const variant of variants) {
      const filled = await fill(engine, damaged, hole, variant);
      const share = within(filled, image, mask.data, 8);
      if (variant === 'seamless') least = Math.min(least, share);
      row.push(fixed(100 * share), filled.patches);
    }
    rows.push(row);
  }
  report.table(rows);
  report.line('Shares of the pixels of one hole, all of which are counted: they have no interval.');
  report.list([
    `Wanted: at least 95 % within 8 levels: least ${fixed(100 * least)} %, ${least >= 0.95 ? 'reached' : 'NOT reached'}.`,
  ]);
}

/** One hole a photograph, at a seeded place at least 20 pixels from the edges. */
function places(sizes) {
  const random = generator(SEED);
  const at = (length) => 20 + Math.floor(random() * (length - SIDE - 40));
  return sizes.map(([name, width, height]) => ({ name, width, height, x: at(width), y: at(height), side: SIDE }));
}

async function photographs(report, engine, shared, count) {
  report.heading(`Photographs, holes of ${SIDE} x ${SIDE} at places of seed ${SEED}, at most ${LIMIT} pixels a side`);
  const folder = path.join(shared, 'data/filters/images');
  const holes = places(python('sizes', folder, LIMIT)).slice(0, count);
  const out = mkdtempSync(path.join(tmpdir(), 'inpaint-'));
  try {
    const peer = python('fill', folder, LIMIT, JSON.stringify(holes), out);
    const who = ['truth', 'default', 'paper', 'Telea'];
    const tables = {
      'Gradient energy in the hole by that of its 20-pixel ring': (image, _, hole) => texture(image, hole).energy,
      'Median step across the border of the hole by that of the ring': (image, _, hole) => texture(image, hole).border,
      'PSNR, dB': (image, truth, hole) => similarity(image, truth, hole).psnr,
      SSIM: (image, truth, hole) => similarity(image, truth, hole).ssim,
    };
    const rows = Object.fromEntries(Object.keys(tables).map((name) => [name, [['photograph', ...who]]]));
    const values = Object.fromEntries(Object.keys(tables).map((name) => [name, who.map(() => [])]));
    for (const [i, hole] of holes.entries()) {
      const read = (kind) => ({ ...hole, data: new Uint8ClampedArray(readFileSync(path.join(out, `${i}.${kind}`))) });
      const truth = read('source');
      const images = [truth];
      for (const variant of variants) images.push(await fill(engine, truth, hole, variant));
      images.push(read('telea'));
      for (const [name, measure] of Object.entries(tables)) {
        const found = images.map((image) => measure(image, truth, hole));
        found.forEach((value, k) => values[name][k].push(value));
        rows[name].push([hole.name, ...found.map((value) => fixed(value, name === 'SSIM' ? 3 : 2))]);
      }
    }
    for (const [name, table] of Object.entries(rows)) {
      const shown = name === 'PSNR, dB' || name === 'SSIM' ? table.map((row) => row.filter((_, k) => k !== 1)) : table;
      report.line(`${name}:`);
      report.table(shown);
    }
    const [energy, border] = Object.values(values);
    const count = (list, good) =>
      list
        .map((each, k) => [who[k], each.filter(good).length])
        .map(([name, n]) => `${name} ${n}, ${withRange(n, holes.length, 0)} %`)
        .join('; ');
    const middle = (list) =>
      list.map((each, k) => `${who[k]} ${fixed([...each].sort((a, b) => a - b)[each.length >> 1], 2)}`).join(', ');
    report.list([
      `Wanted: gradient energy 0.7 to 1.4 times that of the ring; so it is in, of ${holes.length}, with Wilson’s 95 % interval: ${count(energy, (v) => v >= 0.7 && v <= 1.4)}; medians: ${middle(energy)}.`,
      `Wanted: median step across the border at most 1.5 times that of the ring; so it is in, of ${holes.length}: ${count(border, (v) => v <= 1.5)}; medians: ${middle(border)}.`,
      `Where the ring has a median step of 0 and the border too, their ratio counts as 1. Telea is cv2.inpaint ${peer.version}, radius 3.`,
    ]);
  } finally {
    rmSync(out, { recursive: true });
  }
}

export default async function accuracy(given) {
  const { args, shared, importTs, log } = given;
  const report = new Report(given);
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine();
  try {
    await exact(report, engine);
    const limit = args.includes('--limit') ? Number(args[args.indexOf('--limit') + 1]) : Infinity;
    if (shared) await photographs(report, engine, shared, limit);
    else log('the photographs need ../shared');
  } finally {
    await engine.dispose();
  }
  report.finish('lab/results/accuracy.md', 'accuracy inpaint', 'accuracy inpaint');
}
