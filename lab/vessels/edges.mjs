// Vessels: thick masks between the measured edges, compared with the thresholded response at the same share of wide vessels.
//   --result FILE: prints results from another machine (JSON, figures by photograph)
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { bootstrap, range, widestOf } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { SETS } from '../../bench/vessels/parts/sets.mjs';

const FACTORS = [0.64, 0.71, 0.8, 0.89, 1, 1.12, 1.25, 1.4, 1.57];
/** Factor of the default masks. */
const DEFAULT = FACTORS.indexOf(1);
/** Minimum width, and the margin on each side, in pixels at DRIVE's scale. */
const MORE = [-0.6, -0.3, 0, 0.2, 0.4, 0.6, 1, 1.5];
const LEAST = [0, 3];
const SHARE = 0.85;
/** Combinations: steps in FACTORS from the lower to the higher level; minimum smoothed widths. */
const HIGHER = [1, 2, 3];
const WIDTHS = [3, 4, 5, 6];
/** The lower level's places in FACTORS: a curve for each choice of the two. */
const LOWER = [0, 1, 2, 3, 4, 5];
const CHOICES = HIGHER.flatMap((higher) => WIDTHS.map((least) => ({ higher, least })));
const COMBINATIONS = CHOICES.flatMap(({ higher, least }) => LOWER.map((low) => ({ low, high: low + higher, least })));
const mean = (list) => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length);

/** Precision at that share of the wide pixels, interpolated between two masks of a list of [share, precision]. */
function precisionAt(list) {
  const points = [...list].sort(([a], [b]) => a - b);
  const above = points.findIndex(([share]) => share >= SHARE);
  if (above < 1) return null;
  const [[a, p], [b, q]] = [points[above - 1], points[above]];
  return p + ((SHARE - a) / (b - a || 1)) * (q - p);
}

/**
 * How much more precise combinations are than levels of the response at equal shares, per photograph and choice:
 * the mean of the curve's points between the points of the levels.
 */
function gains({ levels, combined }) {
  const curve = levels.map(({ wide, precision }) => [wide, precision]).sort(([a], [b]) => a - b);
  const at = (share) => {
    const above = curve.findIndex(([wide]) => wide >= share);
    if (above < 1) return null;
    const [[a, p], [b, q]] = [curve[above - 1], curve[above]];
    return p + ((share - a) / (b - a || 1)) * (q - p);
  };
  return CHOICES.map((_, n) => {
    const points = combined.slice(n * LOWER.length, (n + 1) * LOWER.length);
    return mean(
      points.map(({ wide, precision }) => (at(wide) === null ? null : precision - at(wide))).filter((v) => v !== null),
    );
  });
}

/** The choice that gains most on a list of photographs, sets weighing the same. */
function chosen(photographs) {
  const sets = [...new Set(photographs.map(({ set }) => set))];
  const gain = (n) => mean(sets.map((set) => mean(photographs.filter((p) => p.set === set).map((p) => p.gains[n]))));
  return CHOICES.map((_, n) => n).reduce((best, n) => (gain(n) > gain(best) ? n : best), 0);
}

/** Held out by photograph and by set; figures of the whole mask at the default level next to the default mask. */
function heldOut(report, all) {
  const having = all.filter(({ levels }) => levels[0].wide !== null).map((one) => ({ ...one, gains: gains(one) }));
  const best = chosen(having);
  const name = (n) => `${FACTORS[DEFAULT + CHOICES[n].higher]}, ${CHOICES[n].least} px`;
  report.heading('A higher level, and what the default mask and the measured edges share where a vessel is wide');
  report.line(
    'The mask is the response above its level times a factor, and between the measured edges, widths smoothed along the line, above ' +
      `its level itself, where they are some pixels apart. Factor and least width chosen among ${CHOICES.length} by the mean gain of precision ` +
      'over levels of the response at the same share of wide pixels, on all photographs but the one that is scored, or all sets but ' +
      'its own; photographs that have wide vessels.',
  );
  const rows = [
    [
      'set',
      'photographs',
      'gain, photograph left out',
      '95 %',
      'gain, set left out',
      'gain in sample',
      'chosen without the set',
      'least gain of a photograph left out',
    ],
  ];
  for (const { name: set } of SETS) {
    const own = having.filter((p) => p.set === set);
    if (!own.length) continue;
    const outside = chosen(having.filter((p) => p.set !== set));
    const left = own.map((p) => p.gains[chosen(having.filter((q) => q !== p))]);
    const signed = (v) => (v >= 0 ? '+' : '') + fixed(v, 4);
    rows.push([
      set,
      own.length,
      signed(mean(left)),
      range(bootstrap(left), 3),
      signed(mean(own.map((p) => p.gains[outside]))),
      signed(mean(own.map((p) => p.gains[best]))),
      name(outside),
      signed(Math.min(...left)),
    ]);
  }
  report.table(rows);
  report.line(
    `In sample: ${name(best)}. 95 %: bootstrap over the photographs of a set, so few that it is rough; of one there is none.`,
  );
  const keys = ['precision', 'wide', 'accuracy', 'sensitivity', 'dice'];
  const whole = [['set', 'mask', 'precision', '95 %', 'of the wide pixels', '95 %', 'accuracy', 'sensitivity', 'Dice']];
  for (const { name: set } of SETS) {
    const own = all.filter((p) => p.set === set);
    const outside = chosen(having.filter((p) => p.set !== set));
    const figures = (list) =>
      keys.flatMap((key) => {
        const values = list.map((one) => one[key]).filter((v) => v !== null);
        const with95 = key === 'precision' || key === 'wide';
        return [fixed(mean(values), 4), ...(with95 ? [range(bootstrap(values), 3)] : [])];
      });
    const higher = DEFAULT + CHOICES[outside].higher;
    whole.push([set, 'default', ...figures(own.map((p) => p.levels[DEFAULT]))]);
    whole.push([set, `level times ${FACTORS[higher]}`, ...figures(own.map((p) => p.levels[higher]))]);
    whole.push([
      set,
      `with edges, ${name(outside)}`,
      ...figures(own.map((p) => p.combined[outside * LOWER.length + LOWER.indexOf(DEFAULT)])),
    ]);
  }
  report.table(whole);
}

/** Figures of one photograph, from a page. */
async function measured({ serve, openBrowser, bundleForPage }) {
  const server = await serve({ routes: { '/bench.html': '<!doctype html><title>bench</title>' } });
  const browser = await openBrowser({ protocolTimeout: 900_000 });
  const page = await browser.newPage();
  await page.goto(`${server.url}/bench.html`);
  await page.addScriptTag({ content: await bundleForPage('lab/vessels/parts/edges-page.ts', { name: 'edgeBench' }) });
  return (...args) => page.evaluate((list) => globalThis.edgeBench.scoreEdges(...list), args);
}

export default async function edges(given) {
  const { shared, log, args } = given;
  const file = argument(args, '--result');
  if (!shared && !file) return log('needs ../shared/data/fundus');
  const report = new Report(given);
  const kept = file && readResult(file, report);
  const figuresOf = kept ? ({ image }) => kept[image] : await measured(given);
  const bands = LEAST.flatMap((least) => MORE.map((more) => ({ least, more })));
  const text = (v) => (v === null ? '-' : fixed(v, 4));
  report.line(
    `Precision where ${SHARE} of the manual pixels of vessels >= 7 px (DRIVE’s scale) are found, means of the photographs, straight ` +
      'between two masks of a list, by hindsight: levels of the response; bands between the measured edges, moved outwards by ' +
      `${MORE[0]} to ${MORE.at(-1)} px; what such a band and the default mask share. A dash: no mask of the list has less, or none more.`,
  );
  const lists = LEAST.flatMap((least) => [`edges, widths >= ${least} px`, `these and the default mask`]);
  const rows = [['set', 'levels of the response', ...lists, 'edges as measured: precision / share']];
  const [all, intervals] = [[], []];
  for (const { name, half, photographs } of SETS) {
    const results = [];
    for (const photograph of photographs)
      results.push(await figuresOf(photograph, Boolean(half), FACTORS, bands, COMBINATIONS));
    all.push(...results.map((one) => ({ ...one, set: name })));
    const pointsOf = (list, key) =>
      list[0][key].map((_, k) => [
        mean(list.map((r) => r[key][k].wide).filter((v) => v !== null)),
        mean(list.map((r) => r[key][k].precision)),
      ]);
    const points = (key) => pointsOf(results, key);
    const [both, alone] = [points('both'), points('edges')];
    const part = (list, n) => precisionAt(list.slice(n * MORE.length, (n + 1) * MORE.length));
    const [share, precision] = alone[MORE.indexOf(0)];
    const level = bootstrap(results, (drawn) => precisionAt(pointsOf(drawn, 'levels')) ?? NaN);
    intervals.push([`levels of the response, ${name}`, level]);
    intervals.push([
      `edges as measured, precision, ${name}`,
      bootstrap(results.map((r) => r.edges[MORE.indexOf(0)].precision)),
    ]);
    rows.push([
      name,
      text(precisionAt(points('levels'))),
      ...LEAST.flatMap((_, n) => [text(part(alone, n)), text(part(both, n))]),
      `${text(precision)} / ${text(share)}`,
    ]);
  }
  report.table(rows);
  report.line(`Bootstrap over the photographs, 95 %, where it is widest: ${widestOf(intervals)}.`);
  heldOut(report, all);
  report.finish('lab/results/accuracy.md', 'edges vessels', file ? `edges vessels --result ${file}` : 'edges vessels');
}
