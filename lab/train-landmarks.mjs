// Trains a landmark model: npm run lab -- train-landmarks FACES model.bin [--notice text.txt] [settings of lab/landmarks/train.mjs]
// FACES: a folder of rendered faces (lab/landmarks/dataset.mjs), --faces N of them; or a file of photographs, decoded by the
// installed browser: [{ image: "photos/a.jpg", points: [[x, y], ...] }], paths relative to it, equally many points each.
// Prints the seconds of the whole training, also of one that was ended and goes on; --write puts them into docs/models.md.
//   npm run lab -- train-landmarks --confidence FACES model.bin    learns how far its points are to be trusted, from faces it has not seen
//   npm run lab -- train-landmarks --bundle train.mjs     the whole command as one file for a machine with nothing but Node
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';
import { writeWhole } from '../tools/fingerprint.mjs';
import { main, root } from '../tools/setup.mjs';
import { cropFaces } from './landmarks/crops.mjs';
import { readFaces } from './landmarks/dataset.mjs';

/** The trainer as one module: it is its own worker. */
async function bundle() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['lab/landmarks/command.mjs'],
    ...{ bundle: true, write: false, platform: 'node', format: 'esm', target: 'node20', logLevel: 'silent' },
  });
  return outputFiles[0].text;
}

/** What lab/landmarks/command.mjs exports. */
export async function importTrainer() {
  const file = path.join(root, 'build/train-landmarks.mjs');
  writeWhole(file, await bundle());
  return import(pathToFileURL(file).href);
}

async function confidence(args) {
  const { importTs } = await import('../tools/import-ts.mjs');
  const { judgeCommand } = await import('./landmarks/judge.mjs');
  const library = await importTs('lab/landmarks/judge-library.ts');
  await judgeCommand(args, { library, kernels: readFileSync(path.join(root, 'dist/kernels.wasm')) });
}

async function photographs(file) {
  const { default: puppeteer } = await import('puppeteer-core');
  const { launchOptions } = await import('../tools/browser.mjs');
  const { decodeImages } = await import('../tools/decode-images.mjs');
  const list = JSON.parse(readFileSync(file, 'utf8')).map(({ image, points }) => ({
    image: path.resolve(path.dirname(file), image),
    points: points.flat(),
  }));
  const files = [...new Set(list.map(({ image }) => image))];
  const images = await decodeImages(files, async () => puppeteer.launch(await launchOptions()));
  return cropFaces(list.map(({ image, points }) => ({ image: images[files.indexOf(image)], points })));
}

/** Minutes that a whole training may take on two cores. */
const MINUTES = 20;

/** What a training took, as lines of a page; `report` as of bench/parts/report.mjs. */
export function tellTime({ seconds, processor, faces, threads, cascades, trees }, report, atMost) {
  const minutes = (s) => (s / 60).toFixed(1);
  report.table([
    ['faces', 'cascades', 'trees of each', 'threads', 'minutes by the clock', 'minutes of the processor'],
    [faces, cascades, trees, threads, minutes(seconds), minutes(processor)],
  ]);
  // On two cores it takes no less than half of what the processor did, whoever else was at work.
  report.line(atMost('minutes of the processor over two cores', processor / 120, MINUTES, 1));
}

async function writeTime(took) {
  const { atMost, Report } = await import('../bench/parts/report.mjs');
  const { machine } = await import('../bench/run.mjs');
  const report = new Report({ args: ['--write'], machine: await machine(), run: 'npm run lab' });
  tellTime(took, report, atMost);
  report.finish('lab/results/models.md', 'train landmarks', 'train-landmarks FACES landmarks.bin --write');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(async () => {
    const args = process.argv.slice(2);
    if (args[0] === '--bundle') return writeFileSync(args[1] ?? 'train.mjs', await bundle());
    if (args[0] === '--confidence') return confidence(args.slice(1));
    const { command } = await importTrainer();
    const load = (from, most) => (from.endsWith('.json') ? photographs(from) : readFaces(from, most));
    const took = await command(args.filter((word) => word !== '--write'), load); // prettier-ignore
    if (args.includes('--write')) await writeTime(took);
  });
