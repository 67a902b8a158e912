// Retina: optic disc and fovea against marks, calibers of drawn trees, closed forms, arteries and veins, repeatability.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { atMost, fixed, Report } from '../../bench/parts/report.mjs';

const CHANGES = [
  ['as it is', {}],
  ['half the size', { factor: 0.5 }],
  ['one and a half times', { factor: 1.5 }],
  ['mirrored', { mirror: true }],
  ['half as bright', { light: 0.5 }],
];
const REPEATED = ['as it is', 'half the size', 'mirrored'];
const SETS = [
  { name: 'all', of: () => true },
  { name: 'HRF and the free one', of: (photograph) => /hrf|free/.test(photograph) },
];
const ARTERIES = [
  [11, 10, 9.5, 9, 8, 7.5],
  [8, 7.5, 7, 6.5, 6, 5],
];
const VEINS = [
  [14, 13, 12, 11.5, 10, 9],
  [10, 9.5, 9, 8, 7, 6],
];
const BLURS = [0.5, 1, 1.5, 2];

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** Wilson's interval of a share, 95 %. */
function interval(hits, count) {
  const z = 1.96;
  const p = hits / count;
  const center = (p + (z * z) / (2 * count)) / (1 + (z * z) / count);
  const half = (z / (1 + (z * z) / count)) * Math.sqrt((p * (1 - p)) / count + (z * z) / (4 * count * count));
  return `${fixed(center - half, 2)} to ${fixed(Math.min(1, center + half), 2)}`;
}

async function openPage({ serve, openBrowser, bundleForPage }) {
  const server = await serve({ routes: { '/bench.html': '<!doctype html><title>bench</title>' } });
  const browser = await openBrowser({ protocolTimeout: 900_000 });
  const page = await browser.newPage();
  await page.goto(`${server.url}/bench.html`);
  await page.addScriptTag({ content: await bundleForPage('lab/vessels/parts/retina-page.ts', { name: 'retina' }) });
  return (name, ...args) => page.evaluate((n, a) => globalThis.retina[n](...a), name, args);
}

function discs(report, marks, results) {
  const rows = [
    [
      'photographs',
      'disc within half a radius',
      '95 %',
      'wrong',
      'none',
      'distance, median, radii',
      'radius, median ratio',
    ],
  ];
  rows[0].push('least confidence of a hit', 'fovea within one disc radius', 'fovea found where none is marked');
  for (const [name] of CHANGES) {
    const list = Object.entries(marks).map(([photograph, mark]) => ({ mark, ...results[name][photograph] }));
    const found = list.filter(({ disc }) => disc);
    const away = ({ disc, mark }) => Math.hypot(disc.x - mark.x, disc.y - mark.y) / mark.radius;
    const hits = found.filter((one) => away(one) <= 0.5);
    const shown = list.filter(({ mark }) => mark.fovea);
    const foveas = shown.filter(
      ({ fovea, mark }) => fovea && Math.hypot(fovea.x - mark.fovea[0], fovea.y - mark.fovea[1]) <= mark.radius,
    );
    rows.push([
      name,
      `${hits.length} of ${list.length}`,
      interval(hits.length, list.length),
      found.length - hits.length,
      list.length - found.length,
      fixed(middle(found.map(away)), 2),
      fixed(middle(found.map(({ disc, mark }) => disc.radius / mark.radius)), 2),
      fixed(Math.min(...hits.map(({ disc }) => disc.confidence)), 2),
      `${foveas.length} of ${shown.length}`,
      list.filter(({ mark, fovea }) => !mark.fovea && fovea).length,
    ]);
  }
  report.heading('Optic disc and fovea against marks by hand (lab/vessels/parts/discs.json)');
  report.table(rows);
  report.line('Wanted: the disc within half its radius on 90 % of the photographs.');
  const first = results[CHANGES[0][0]];
  report.table([
    ['photograph', 'disc, away, radii', 'radius, ratio', 'confidence', 'fovea, away, disc radii', 'confidence'],
    ...Object.entries(marks).map(([photograph, mark]) => {
      const { disc, fovea } = first[photograph];
      const to = (place, x, y) => fixed(Math.hypot(place.x - x, place.y - y) / mark.radius, 2);
      return [
        photograph,
        disc ? to(disc, mark.x, mark.y) : 'none',
        disc ? fixed(disc.radius / mark.radius, 2) : '',
        disc ? fixed(disc.confidence, 2) : '',
        fovea ? (mark.fovea ? to(fovea, ...mark.fovea) : 'not marked') : mark.fovea ? 'none' : 'none, none marked',
        fovea ? fixed(fovea.confidence, 2) : '',
      ];
    }),
  ]);
}

async function drawn(report, { library, parts }) {
  const { drawnPhotograph, drawnRetina, scene, equivalent } = parts;
  const engine = await library.createEngine();
  const lists = new Map();
  const note = (name, ratio) => lists.set(name, [...(lists.get(name) ?? []), ratio - 1]);
  let [all, right, found] = [0, 0, 0];
  try {
    for (let k = 0; k < 8; k++) {
      const [arteries, veins] = [ARTERIES[k % 2], VEINS[k % 2]];
      const reflex = k % 4 < 2 ? 0 : 0.3;
      const own = drawnRetina(900, 0.22 * k, { arteries, veins });
      const lines = own.lines.map((line) => (line.width >= 10 && reflex ? { ...line, reflex } : line));
      const look = { ...own, blur: BLURS[(k >> 1) % 4], noise: 1 + (k % 3), fundus: true, seed: k };
      const photograph = drawnPhotograph(scene(900, lines, look));
      const vessels = await engine.vessels(photograph, { scales: 'all', measures: true });
      const places = await engine.opticDisc(photograph, { segments: vessels.segments });
      const near =
        places.disc && Math.hypot(places.disc.x - own.disc.x, places.disc.y - own.disc.y) <= own.disc.radius / 2;
      if (near) found++;
      const truth = [equivalent(arteries, 'artery'), equivalent(veins, 'vein')];
      for (const [name, disc] of [
        ['disc as drawn', own.disc],
        ['disc as found', places.disc],
      ]) {
        const { zone } = library.retinalMeasures(vessels, { ...places, disc });
        note(`CRAE, ${name}`, zone?.crae ? zone.crae.pixels / truth[0] : NaN);
        note(`CRVE, ${name}`, zone?.crve ? zone.crve.pixels / truth[1] : NaN);
        note(`AVR, ${name}`, zone?.avr ? zone.avr / (truth[0] / truth[1]) : NaN);
        if (name !== 'disc as drawn') continue;
        all += zone.vessels.length;
        // Which width was drawn where is not asked: arteries are the shallower, at known angles.
        right += zone.vessels.filter(({ kind, angle }) => kind === parts.kindAt(own, angle)).length;
      }
    }
  } finally {
    await engine.dispose();
  }
  report.heading('Calibers of 8 drawn retinas: blur 0.5 to 2 px, noise 1 to 3, half with a reflex');
  report.table([
    ['', 'measured', 'bias, %', 'mean error, %', 'largest, %'],
    ...[...lists].map(([name, list]) => {
      const there = list.filter((v) => !Number.isNaN(v));
      const sizes = there.map(Math.abs);
      const percent = (v) => fixed(100 * v, 2);
      return [
        name,
        `${there.length} of ${list.length}`,
        percent(mean(there)),
        percent(mean(sizes)),
        percent(Math.max(...sizes)),
      ];
    }),
  ]);
  report.line(
    `Discs found: ${found} of 8. Arteries and veins right: ${right} of ${all} vessels. Wanted: CRAE within 3 %.`,
  );
}

function closedForms(report, { tortuosityOf, fractalDimension, curves }) {
  const rows = [['arc', 'arc over chord', 'so it is', 'total curvature', 'so it is']];
  for (const [angle, radius] of [
    [0.5, 100],
    [1.5, 60],
    [3, 40],
  ]) {
    const found = tortuosityOf({ points: curves.arc(angle, radius), width: 4 });
    rows.push([
      `${angle} rad, radius ${radius} px`,
      fixed(found.arcOverChord, 4),
      fixed(angle / (2 * Math.sin(angle / 2)), 4),
      fixed(found.totalCurvature, 4),
      fixed(angle, 4),
    ]);
  }
  report.heading('Closed forms');
  report.table(rows);
  const fractals = [['curve', 'dimension', 'so it is', 'residual of the fit', 'standard error']];
  for (const [name, points, truth] of [
    ['straight line', curves.arc(1e-6, 7e8), 1],
    ['Koch curve, 6 steps', curves.koch(6, 700), Math.log(4) / Math.log(3)],
    ['filled square', curves.filled(560, 1), 2],
  ]) {
    const found = fractalDimension([points], 800);
    fractals.push([name, fixed(found.dimension, 3), fixed(truth, 3), fixed(found.residual, 3), fixed(found.error, 3)]);
  }
  report.table(fractals);
}

async function kinds(report, call) {
  const rows = [
    ['photograph', 'vessels of the zone right', 'confidence', 'CRAE, px: own, of the labels', 'CRVE, px', 'AVR'],
  ];
  const names = ['01_h', '05_dr', '10_g'];
  for (const [name, variant] of ['default', 'lines'].flatMap((one) => names.map((n) => [n, one]))) {
    const found = await call('labeled', `fundus/hrf/${name}.jpg`, `fundus/hrf/${name}_av.png`, variant);
    const pair = (values, digits) => values.map((v) => fixed(v ?? NaN, digits)).join(', ');
    rows.push([
      `hrf/${name}${variant === 'lines' ? ', vessels by lines' : ''}`,
      found ? `${found.right} of ${found.vessels}` : 'no disc',
      fixed(found?.confidence, 2),
      ...(found ? [pair(found.crae, 1), pair(found.crve, 1), pair(found.avr, 3)] : []),
    ]);
  }
  report.heading('Arteries and veins against the labels of HRF');
  report.table(rows);
}

const MEASURES = {
  radius: 'radius of the disc',
  crae: 'CRAE',
  crve: 'CRVE',
  avr: 'AVR',
  meanWidth: 'mean width of the widest twelve',
  arcOverChord: 'arc over chord',
  curvature: 'curvature per length',
  fractal: 'fractal dimension',
  angle: 'branching angle',
  areaRatio: 'area ratio',
  exponent: 'junction exponent',
  superior: 'density above the disc',
  inferior: 'density below the disc',
};

function repeatability(report, marks, results, words = '') {
  for (const { name: set, of } of SETS) {
    const halved = {};
    const columns = ['half size', 'mirrored'].flatMap((how) => [
      `${how}: photographs`,
      `${how}: median %`,
      `${how}: largest %`,
    ]);
    const rows = [['measure', 'median value', ...columns]];
    for (const [key, words] of Object.entries(MEASURES)) {
      const row = [words];
      const base = results['as it is'];
      const names = Object.keys(marks).filter(of);
      row.push(fixed(middle(names.map((n) => base[n].values[key]).filter((v) => v !== null)), 3));
      for (const change of REPEATED.slice(1)) {
        const pairs = names.map((n) => [base[n].values[key], results[change][n].values[key]]);
        const both = pairs.filter(([a, b]) => a !== null && b !== null).map(([a, b]) => 100 * Math.abs(b / a - 1));
        if (change === 'half the size') halved[key] = middle(both);
        row.push(
          `${both.length} of ${names.length}`,
          fixed(middle(both), 1),
          fixed(both.length ? Math.max(...both) : NaN, 1),
        );
      }
      rows.push(row);
    }
    report.heading(`Repeatability${words}, ${set}: the same photograph at half its size, and mirrored`);
    report.table(rows);
    for (const key of ['crae', 'crve', 'avr'])
      report.line(atMost(`${MEASURES[key]} at half the size, median difference in %`, halved[key], 3));
  }
  const first = results['as it is'];
  report.line(
    `Residual of the fractal dimension's fit: ${fixed(Math.min(...Object.values(first).map((r) => r.residual)), 3)} to ` +
      `${fixed(Math.max(...Object.values(first).map((r) => r.residual)), 3)} in the logarithm of the count.`,
  );
  const apart = Object.values(first).filter((r) => r.kinds === 'apart').length;
  report.line(
    `Arteries and veins stand apart in ${apart} of ${Object.keys(first).length} photographs; a CRAE is there in ` +
      `${Object.values(first).filter((r) => r.values.crae !== null).length}.`,
  );
}

export default async function retina(given) {
  const report = new Report(given);
  const library = await given.importTs('src/index.ts');
  const parts = {
    ...(await given.importTs('test/vessels/drawn.ts')),
    ...(await given.importTs('test/vessels/scenes.ts')),
    ...(await given.importTs('src/vessels/retina/zone-calibers.ts')),
    ...(await given.importTs('src/vessels/retina/shape-measures.ts')),
    curves: await given.importTs('test/vessels/retina/curves.ts'),
  };
  await drawn(report, { library, parts });
  closedForms(report, parts);
  if (given.shared) {
    const { photographs: marks } = JSON.parse(
      readFileSync(path.join(given.root, 'lab/vessels/parts/discs.json'), 'utf8'),
    );
    const call = await openPage(given);
    const results = {};
    for (const [name, change] of CHANGES) {
      results[name] = {};
      for (const photograph of Object.keys(marks))
        results[name][photograph] = await call('measure', photograph, change);
    }
    discs(report, marks, results);
    await kinds(report, call);
    repeatability(report, marks, results);
    const lines = {};
    for (const [name, change] of CHANGES.filter(([name]) => REPEATED.includes(name))) {
      lines[name] = {};
      for (const photograph of Object.keys(marks))
        lines[name][photograph] = await call('measure', photograph, change, 'lines');
    }
    repeatability(report, marks, lines, ' with lines');
  }
  report.finish('lab/results/retinal-measures.md', 'retina vessels', 'retina vessels');
}
