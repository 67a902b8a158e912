// Inpainting: WASM on one thread against the paper's GPU and the scalar baseline, and two threads at 1280x720.
//   --quick: fewer rounds; --write: into lab/results/performance.md
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { squareMask } from './parts/exact.mjs';
import { median } from '../../bench/parts/numbers.mjs';

const PHOTOGRAPHS = ['fruits.jpg', 'baboon.jpg', 'building.jpg', 'home.jpg', 'sudoku.png'];
const [WIDTH, SIDE] = [400, 90];
/** Seconds of the paper's GPU, and its ratio to its own program in C. */
const [PAPER, PAPER_RATIO] = [1.27, 53];
const verdict = (good) => (good ? 'reached' : 'NOT reached');

/** The photographs scaled to 400 x 400, RGBA. */
function photographs(shared) {
  const out = mkdtempSync(path.join(tmpdir(), 'inpaint-'));
  const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
  const script = fileURLToPath(new URL('parts/photos.py', import.meta.url));
  try {
    const folder = path.join(shared, 'data/filters/images');
    execFileSync(python, [script, 'square', folder, String(WIDTH), JSON.stringify(PHOTOGRAPHS), out]);
    return PHOTOGRAPHS.map((name, i) => ({
      name,
      image: { width: WIDTH, height: WIDTH, data: new Uint8ClampedArray(readFileSync(path.join(out, `${i}.source`))) },
    }));
  } finally {
    rmSync(out, { recursive: true });
  }
}

async function timed(work) {
  const start = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(start);
  return { result, seconds: (user + system) / 1e6 };
}

async function oneThread(report, { shared, importTs, log }, rounds) {
  const { createEngine } = await importTs('src/index.ts');
  const { inpaint } = await importTs('lab/inpaint/parts/baseline.ts');
  const engine = await createEngine();
  const hole = { x: (WIDTH - SIDE) / 2, y: (WIDTH - SIDE) / 2, side: SIDE };
  const mask = squareMask(WIDTH, WIDTH, hole);
  report.heading(`A hole of ${SIDE} x ${SIDE} in ${WIDTH} x ${WIDTH}, patch 9, whole-image search, WASM, one thread`);
  report.line(
    'In Node, CPU time of the process, median of the rounds; with slices, progress and the copy of the result.',
  );
  const rows = [['photograph', 'paper’s variant, s', 'patches', 'default, s', 'patches']];
  const all = [];
  let ratio = NaN;
  for (const { name, image } of photographs(shared)) {
    const row = [name];
    for (const variant of ['paper', 'seamless']) {
      let patches = 0;
      const times = [];
      for (let round = 0; round <= rounds; round++) {
        const options = { variant, onProgress: (_, detail) => (patches = detail.patches) };
        const { seconds } = await timed(() => engine.inpaint(image, mask, options));
        if (round) times.push(seconds);
      }
      row.push(fixed(median(times), 3), patches);
      all.push(median(times));
      if (variant === 'paper' && name === PHOTOGRAPHS[0]) {
        log(`  scalar baseline on ${name}, some seconds ...`);
        const plain = await timed(() => inpaint(image, mask.data, 9));
        const own = await engine.inpaint(image, mask, { variant });
        const equal = own.data.every((v, i) => v === plain.result.data[i]);
        ratio = plain.seconds / median(times);
        report.line(
          `Scalar baseline (lab/inpaint/parts/baseline.ts) on ${name}: ${fixed(plain.seconds, 1)} s, ${plain.result.patches} patches, ${equal ? 'the same picture' : 'ANOTHER PICTURE'}.`,
        );
      }
    }
    rows.push(row);
  }
  report.table(rows);
  const worst = Math.max(...all);
  report.list([
    `Wanted: at most ${PAPER} s, the paper’s GPU time: slowest ${fixed(worst, 3)} s, ${verdict(worst <= PAPER)}.`,
    `${fixed(ratio, 0)} times the scalar baseline; the paper’s GPU ${PAPER_RATIO} times its program in C.`,
  ]);
  await engine.dispose();
}

async function twoThreads(report, { serve, openBrowser, bundleForPage }, rounds) {
  const [width, height] = [1280, 720];
  const server = await serve({
    routes: { '/bench.html': '<!doctype html><meta charset="utf-8"><title>bench</title>' },
  });
  const browser = await openBrowser({ protocolTimeout: 900_000 });
  const page = await browser.newPage();
  await page.goto(`${server.url}/isolated/bench.html`);
  await page.addScriptTag({ content: await bundleForPage('lab/inpaint/parts/page.ts', { name: 'inpaintBench' }) });
  report.heading(`A hole of ${SIDE} x ${SIDE} in ${width} x ${height}, one thread and two`);
  report.line('In a cross-origin isolated page, wall clock, turn about, least of the rounds.');
  const rows = [['photograph', 'patches', 'one thread, s', 'two threads, s', 'ratio']];
  const ratios = [];
  const cases = PHOTOGRAPHS.slice(0, 3).flatMap((name) => [
    [name, 'paper'],
    [name, 'seamless'],
  ]);
  for (const [name, variant] of cases) {
    const address = `/isolated/shared/data/filters/images/${name}`;
    const { patches, one, two } = await page.evaluate(
      (...args) => globalThis.inpaintBench.threads(...args),
      ...[address, width, height, SIDE, variant, rounds],
    );
    const [a, b] = [Math.min(...one) / 1000, Math.min(...two) / 1000];
    ratios.push(a / b);
    rows.push([`${name}, ${variant}`, patches, fixed(a, 3), fixed(b, 3), fixed(a / b, 2)]);
  }
  report.table(rows);
  report.list([`Wanted: at least 1.6 times: ${verdict(median(ratios) >= 1.6)} (median ${fixed(median(ratios), 2)}).`]);
}

export default async function speed(given) {
  const { args, shared, log } = given;
  if (!shared) return log('needs ../shared');
  const rounds = args.includes('--quick') ? 1 : 5;
  const report = new Report(given);
  await oneThread(report, given, rounds);
  await twoThreads(report, given, rounds);
  report.finish('lab/results/performance.md', 'speed inpaint', 'speed inpaint');
}
