// Inpainting: where the answer is known, the share of right pixels; on photographs, texture and borders beside OpenCV's Telea.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fixed, Report } from '../parts/report.mjs';
import { exactCases, generator, squareMask } from './parts/exact.mjs';
import { likeness, texture, within } from './parts/measures.mjs';

/** Side of the holes, longest side of a photograph, seed of the holes' places. */
const [SIDE, LIMIT, SEED] = [90, 1024, 4];

const python = (...args) => {
  const script = fileURLToPath(new URL('parts/photos.py', import.meta.url));
  const program = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
  return JSON.parse(execFileSync(program, [script, ...args.map(String)], { encoding: 'utf8' }));
};

async function fill(engine, image, hole) {
  let patches = 0;
  const mask = squareMask(image.width, image.height, hole);
  const onProgress = (_, detail) => (patches = detail.patches);
  return { ...(await engine.inpaint(image, mask, { onProgress })), patches, mask };
}

async function exact(report, engine) {
  report.heading('Where the answer is known, holes of 90 x 90 in 300 x 240');
  const rows = [['picture', 'within 8 levels, %', 'patches']];
  for (const { name, image, hole } of exactCases()) {
    const damaged = { ...image, data: image.data.slice() };
    const { mask } = { mask: squareMask(image.width, image.height, hole) };
    mask.data.forEach((v, i) => v && damaged.data.fill(0, 4 * i, 4 * i + 4));
    const filled = await fill(engine, damaged, hole);
    rows.push([name, fixed(100 * within(filled, image, mask.data, 8)), filled.patches]);
  }
  report.table(rows);
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
    const columns = ['gradient energy', 'Telea', 'border step', 'Telea', 'steps', 'PSNR', 'Telea', 'SSIM', 'Telea'];
    const rows = [['photograph', ...columns, 'patches']];
    const inRange = { energy: 0, border: 0, teleaEnergy: 0, teleaBorder: 0 };
    for (const [i, hole] of holes.entries()) {
      const read = (kind) => ({ ...hole, data: new Uint8ClampedArray(readFileSync(path.join(out, `${i}.${kind}`))) });
      const [image, telea] = [read('source'), read('telea')];
      const ours = await fill(engine, image, hole);
      const [a, b] = [texture(ours, hole), texture(telea, hole)];
      const [p, q] = [likeness(ours, image, hole), likeness(telea, image, hole)];
      inRange.energy += a.energy >= 0.7 && a.energy <= 1.4;
      inRange.teleaEnergy += b.energy >= 0.7 && b.energy <= 1.4;
      inRange.border += a.border <= 1.5;
      inRange.teleaBorder += b.border <= 1.5;
      rows.push([
        hole.name,
        ...[a.energy, b.energy, a.border, b.border].map((v) => fixed(v, 2)),
        `${a.across} / ${a.around}`,
        ...[p.psnr, q.psnr].map((v) => fixed(v)),
        ...[p.ssim, q.ssim].map((v) => fixed(v, 3)),
        ours.patches,
      ]);
    }
    report.table(rows);
    report.line(
      `Gradient energy 0.7 to 1.4 times that of the ring: ${inRange.energy} of ${holes.length} (Telea ${inRange.teleaEnergy}); ` +
        `median step across the border at most 1.5 times that of the ring: ${inRange.border} (Telea ${inRange.teleaBorder}). ` +
        `Telea is cv2 ${peer.version}, radius 3.`,
    );
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
  report.finish('docs/accuracy.md', 'accuracy inpaint', 'accuracy inpaint');
}
