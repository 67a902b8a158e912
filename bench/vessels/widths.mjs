// Vessels: widths, lengths and branch points against drawn lines and trees; widths of HRF at full and half size.
import { ofCounts, range, widest } from '../parts/intervals.mjs';
import { atLeast, atMost, fixed, Report } from '../parts/report.mjs';
import { SETS } from './parts/sets.mjs';

const WIDTHS = [1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20];
const BLURS = [0.5, 1, 1.5, 2];
const DIRECTIONS = 24;
/** Pixels along a side: the widest of them are wide vessels of such a field. */
const SIDE = 900;

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** Eleven widths in each direction, in two pictures; noise goes with the direction. */
async function lines(engine, { drawnPhotograph, parallels, scene, segmentOn, lengthOfLine }, report) {
  const found = new Map(WIDTHS.map((width) => [width, { drawn: 0, errors: [], points: [], lengths: [] }]));
  const blurs = new Map(BLURS.map((blur) => [blur, []]));
  for (let k = 0; k < DIRECTIONS; k++) {
    const blur = BLURS[k % BLURS.length];
    for (const part of [0, 1]) {
      const widths = WIDTHS.filter((_, i) => i % 2 === part);
      const list = parallels(SIDE, 0.02 + (Math.PI * k) / DIRECTIONS, widths).map((line) =>
        line.width >= 10 ? { ...line, reflex: 0.4 } : line,
      );
      const look = { blur, noise: 1 + (k % 3), fundus: true, seed: 2 * k + part };
      const { segments } = await engine.vessels(drawnPhotograph(scene(SIDE, list, look)), {
        scales: 'all',
        measures: true,
      });
      for (const line of list) {
        const own = found.get(line.width);
        own.drawn++;
        const segment = segmentOn(line, segments);
        if (segment?.width === undefined) continue;
        own.errors.push(segment.width - line.width);
        if (line.width >= 3) blurs.get(blur).push(segment.width - line.width);
        for (const width of segment.widths) if (!Number.isNaN(width)) own.points.push(Math.abs(width - line.width));
        own.lengths.push(segment.length / lengthOfLine(line) - 1);
      }
    }
  }
  report.heading(
    `Drawn lines in ${DIRECTIONS} directions, blur 0.5 to 2 px, noise 1 to 3 gray levels, reflex from 10 px on; px`,
  );
  const row = (name, { drawn, errors, points, lengths }) => [
    name,
    `${errors.length} of ${drawn}`,
    fixed(mean(errors), 2),
    fixed(mean(errors.map(Math.abs)), 2),
    fixed(mean(points), 2),
    fixed(100 * mean(lengths), 1),
    fixed(100 * mean(lengths.map(Math.abs)), 1),
  ];
  const wide = [...found].filter(([width]) => width >= 3).map(([, own]) => own);
  const all = { drawn: 0, errors: [], points: [], lengths: [] };
  for (const own of wide) {
    all.drawn += own.drawn;
    for (const key of ['errors', 'points', 'lengths']) all[key] = all[key].concat(own[key]);
  }
  report.table([
    ['width', 'measured', 'bias', 'mean error', 'mean error of a point', 'length, bias, %', 'length, mean error, %'],
    ...[...found].map(([width, own]) => row(String(width), own)),
    row('3 and more', all),
  ]);
  report.line(`Measured: ${widest([...found].map(([, { drawn, errors }]) => [errors.length, drawn]))}`);
  report.table([
    ['blur', 'bias from 3 px on', 'mean error'],
    ...[...blurs].map(([blur, errors]) => [String(blur), fixed(mean(errors), 2), fixed(mean(errors.map(Math.abs)), 2)]),
  ]);
  report.list([
    atMost('px of bias from 3 px on', Math.abs(mean(all.errors)), 0.1),
    atMost('px of mean error from 3 px on', mean(all.errors.map(Math.abs)), 0.25),
    atMost('% of mean error of lengths', 100 * mean(all.lengths.map(Math.abs)), 1, 1),
  ]);
}

async function trees(engine, { drawnPhotograph, tree, scene, pointCounts }, report) {
  let least = Infinity;
  const rows = [['trunk', 'forks', 'found', 'found where none is', 'F1', '95 %']];
  for (const width of [6, 10, 14]) {
    const each = [];
    for (let k = 0; k < DIRECTIONS; k += 2) {
      const { lines: list, forks } = tree(SIDE, 0.02 + (2 * Math.PI * k) / DIRECTIONS, width, 3);
      const look = { blur: BLURS[k % 3], noise: 2, fundus: true, seed: k };
      const { branchPoints } = await engine.vessels(drawnPhotograph(scene(SIDE, list, look)), {
        scales: 'all',
        measures: true,
      });
      each.push(pointCounts(forks, branchPoints, Math.max(6, width)));
    }
    const [hit, missed, wrong] = ['hit', 'missed', 'false'].map((key) => each.reduce((sum, one) => sum + one[key], 0));
    const f1 = (2 * hit) / (2 * hit + missed + wrong);
    least = Math.min(least, f1);
    // F1 is a share: twice the hits, of all that are drawn and all that are found.
    const interval = ofCounts(each.map((one) => [2 * one.hit, 2 * one.hit + one.missed + one.false]));
    rows.push([`${width} px`, hit + missed, hit, wrong, fixed(f1, 3), range(interval.map((v) => v / 100), 3)]); // prettier-ignore
  }
  report.heading('Branch points of drawn trees, within the width of the trunk (6 px at least)');
  report.table(rows);
  report.line('95 %: bootstrap over the trees.');
  report.line(atLeast('F1 of every trunk', least, 0.95, 3));
}

/** Points of the half-size photograph's middle lines, against the nearest of the full one's. */
async function repeated(given, report) {
  const server = await given.serve({ routes: { '/bench.html': '<!doctype html><title>bench</title>' } });
  const browser = await given.openBrowser({ protocolTimeout: 900_000 });
  const page = await browser.newPage();
  await page.goto(`${server.url}/bench.html`);
  const bundle = await given.bundleForPage('bench/vessels/parts/repeat-page.ts', { name: 'repeatBench' });
  await page.addScriptTag({ content: bundle });
  const rows = [
    ['photograph', 'points in both', 'ratio of the widths (median)', 'spread (median, px of the full size)'],
  ];
  for (const { image } of SETS.at(-1).photographs) {
    const found = await page.evaluate((path) => globalThis.repeatBench.repeat(path), image);
    rows.push([image, found.points, fixed(found.ratio, 3), fixed(found.spread, 2)]);
  }
  report.heading('HRF at full size and averaged to half, the same vessels');
  report.table(rows);
}

export default async function widths(given) {
  const report = new Report(given);
  const library = await given.importTs('src/index.ts');
  const parts = {
    ...(await given.importTs('test/vessels/drawn.ts')),
    ...(await given.importTs('test/vessels/scenes.ts')),
  };
  const engine = await library.createEngine();
  try {
    await lines(engine, parts, report);
    await trees(engine, parts, report);
  } finally {
    engine.dispose();
  }
  if (given.shared) await repeated(given, report);
  report.finish('lab/results/accuracy.md', 'widths vessels', 'widths vessels');
}
