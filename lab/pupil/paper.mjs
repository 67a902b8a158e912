// Pupil: the paper's figures 10 to 14 on its rendered set of 964 images: Starburst, labeling, Hough; one thread.
//   --quick: every eighth image; --every N: every Nth
import { range, rangeOfPercent, share as withRange, wilson } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { openPupilPage } from '../../bench/pupil/parts/pupil-page.mjs';
import { mean } from '../../bench/parts/numbers.mjs';
import { errorOf } from '../../bench/pupil/parts/score.mjs';

// The text names the ranges (13 to 25; the Gaussian twice, the median with 7 or 11 four times) and the best one, not all
// six: these of pupilPresets span the ranges.
const SIX = [
  ['reflections 19, Gaussian (5, 2)', 'gaussian-19'],
  ['reflections 13, Gaussian (5, 2)', 'gaussian-13'],
  ['reflections 19, median 7', 'median-7-19'],
  ['reflections 25, median 7', 'median-7-25'],
  ['reflections 19, median 11', 'median-11-19'],
  ['reflections 25, median 11', 'median-11-25'],
];
const THRESHOLD_STEPS = [5, 10, 20, 30, 40];
const ANGLE_STEPS = [18, 9, 6, 4.5, 3.6, 3];
// The paper's variant has one fixed threshold, which its authors set for their camera and do not state. 20 levels suits
// this set; the table's default of 8 levels, for unknown cameras, crosses the soft edge about 3 px too early.
const VARIANTS = ['default', 'paper'];
const threshold = (variant) => (variant === 'paper' ? { minGradient: 20 } : {});
// The paper's Hough transform "searches for a circle within a range of possible radii" that it does not state: here the
// radii of the set, 1.66 to 4.28 mm at 46 pixels each, and a little more. The default takes its usual range.
const radii = (variant, [least, most] = [70, 205]) =>
  variant === 'paper' ? { minDiameter: (2 * least) / Math.hypot(1280, 1024), maxDiameter: (2 * most) / 1024 } : {};
/** Axis ratio of a pupil that counts as round. */
const ROUND = 0.98;
const MARGINS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const HEAD = (label) => [label, ...MARGINS.map((margin) => `${margin} %`), '10 %, 95 %', 'found', 'frames a second'];

/** What the paper's text says of its own images, on a GTX 980: share under 5 and under 10 %, rate. */
const paperRow = (label, five, ten, rate) => [
  `paper: ${label}`,
  '',
  '',
  '',
  '',
  five,
  '',
  '',
  '',
  '',
  ten,
  '',
  '',
  rate,
];

/** Starburst is named: the tracker's default is another method. */
export function configurationsOf(presets) {
  const list = [];
  const add = (name, variant, fit, params) => list.push({ name, variant, fit, params: { ...params, variant, fit } });
  for (const variant of VARIANTS) {
    const starburst = (preset) => ({ method: 'starburst', ...presets[preset], ...threshold(variant) });
    for (const [name, preset] of SIX) add(name, variant, 'circle', starburst(preset));
    add(SIX[0][0], variant, 'ellipse', starburst(SIX[0][1]));
    for (const fit of ['circle', 'ellipse']) {
      for (const thresholdStep of fit === 'circle' ? THRESHOLD_STEPS : [20])
        add(`step ${thresholdStep}`, variant, fit, { method: 'threshold', thresholdStep });
      for (const degrees of fit === 'circle' ? ANGLE_STEPS : [3.6])
        add(`${degrees} degrees`, variant, fit, {
          method: 'hough',
          angleStep: (degrees * Math.PI) / 180,
          ...radii(variant),
        });
    }
  }
  return list;
}

export default async function paper(given) {
  const { args, importTs, log } = given;
  const every = args.indexOf('--every');
  const step = every >= 0 ? Number(args[every + 1]) : args.includes('--quick') ? 8 : 1;
  const { PAPER } = await importTs('lab/eyes/index.ts');
  const { pupilPresets } = await importTs('src/pupil/parameters.ts');
  const configurations = configurationsOf(pupilPresets);
  const report = new Report(given);
  const { call } = await openPupilPage(given);
  const all = configurations.map(({ params }) => params);
  await call('paper', 0, 3, 100, all); // compiled and warm
  const images = [];
  const total = Math.ceil(PAPER.images / step);
  while (images.length < total) {
    images.push(...(await call('paper', images.length * step, Math.min(16, total - images.length), step, all)));
    if (images.length % 160 === 0) log(`${images.length} of ${total} images`);
  }

  const scored = configurations.map(({ fit }, k) => {
    const errors = images.map(({ rows, truth }) =>
      errorOf(rows[k], { x: truth.ellipse.x, y: truth.ellipse.y, r: truth.circle.r }, fit),
    );
    const share = (test) => (100 * errors.filter(test).length) / errors.length;
    const rate = 1000 / mean(images.map(({ rows }) => rows[k][5]));
    return { errors, share, rate, within: (margin) => share(({ relative }) => relative * 100 <= margin) };
  });
  const of = (variant, name, fit = 'circle') =>
    scored[configurations.findIndex((c) => c.variant === variant && c.name === name && c.fit === fit)];
  const row = (label, variant, name, fit) => {
    const { share, rate, within } = of(variant, name, fit);
    return [
      label,
      ...MARGINS.map((margin) => fixed(within(margin))),
      rangeOfPercent(within(10), images.length),
      fixed(share(({ center }) => Number.isFinite(center))),
      fixed(rate, 0),
    ];
  };

  report.line(
    `${images.length} images${step > 1 ? ` (every ${step}th of ${PAPER.images})` : ''}, ${PAPER.width}x${PAPER.height}. Percent of the images on ` +
      'which the larger of the errors of center and radius is under so many percent of the true radius; an image on which ' +
      'nothing is found counts as a miss. Rate: one thread of WASM in the browser, each image by itself (no tracking), image ' +
      'in memory, preprocessing included, wall clock. The images are rendered after the description of the paper’s; they ' +
      'are not the paper’s own. Variant paper: fixed threshold of 20 levels over 4 px, chosen on every twelfth of these images. ' +
      `10 %, 95 %: Wilson’s interval of the column before it; of all images right it is ${range(wilson(images.length, images.length))}.`,
  );
  const [best] = SIX[0];
  report.heading('Figure 10: Starburst, preprocessing, circle fit');
  for (const variant of VARIANTS)
    report.table([
      HEAD(`variant ${variant}`),
      ...SIX.map(([name]) => row(name, variant, name, 'circle')),
      paperRow('the best', '> 85', 96.2, 1260),
    ]);
  report.heading('Figure 11: Starburst, circle against ellipse, reflections 19, Gaussian (5, 2)');
  report.table([
    HEAD(''),
    ...VARIANTS.flatMap((variant) =>
      ['circle', 'ellipse'].map((fit) => row(`variant ${variant}, ${fit}`, variant, best, fit)),
    ),
    paperRow('circle, ellipse', '> 85', 96.2, '1260, 1180'),
  ]);
  for (const variant of VARIANTS) {
    const cost = 100 * (1 - of(variant, best, 'ellipse').rate / of(variant, best, 'circle').rate);
    report.line(`Variant ${variant}: the ellipse takes ${fixed(cost)} % of the rate; the paper's under 5 %.`);
  }
  report.heading('Figure 12: thresholds 20 to 100 by a step, labeling');
  for (const variant of VARIANTS)
    report.table([
      HEAD(`variant ${variant}`),
      ...THRESHOLD_STEPS.map((step) => row(`step ${step}`, variant, `step ${step}`, 'circle')),
      row('step 20, ellipse', variant, 'step 20', 'ellipse'),
      paperRow('step 20', '', 78.5, 61.9),
      paperRow('step 40', '', '', 121),
    ]);
  report.heading('Figure 13: Canny and Hough, votes every so many degrees');
  for (const variant of VARIANTS)
    report.table([
      HEAD(`variant ${variant}`),
      ...ANGLE_STEPS.map((step) => row(`${step} degrees`, variant, `${step} degrees`, 'circle')),
      row('3.6 degrees, ellipse', variant, '3.6 degrees', 'ellipse'),
      paperRow('18 degrees', '', '', 23),
      paperRow('3.6 degrees', '', 96.4, 15.3),
    ]);
  report.line(
    `Variant paper of the Hough transform: radii of 70 to 205 px, which are those of the set; the default takes its usual range.`,
  );
  report.heading('Figure 14: side by side, circle');
  const three = [
    ['Hough, 3.6 degrees', '3.6 degrees'],
    ['Starburst, reflections 19, Gaussian (5, 2)', best],
    ['labeling, step 20', 'step 20'],
  ];
  report.table([
    HEAD(''),
    ...VARIANTS.flatMap((variant) =>
      three.map(([label, name]) => row(`${label}, variant ${variant}`, variant, name, 'circle')),
    ),
    paperRow('Hough', '', 96.4, 15.3),
    paperRow('Starburst', '', 96.2, 1260),
    paperRow('labeling', '', 78.5, 61.9),
  ]);
  const with95 = (percent) => `${fixed(percent)} (${rangeOfPercent(percent, images.length)})`;
  for (const variant of VARIANTS) {
    const [hough, starburst, labeling] = three.map(([, name]) => of(variant, name).within(10));
    const same = Math.abs(hough - starburst) < 5 && labeling < Math.min(hough, starburst);
    report.line(
      `Variant ${variant}, under 10 %: Hough ${with95(hough)}, Starburst ${with95(starburst)}, labeling ${with95(labeling)}; ` +
        `the paper's order (96.4, 96.2, 78.5) is ${same ? 'reproduced' : 'NOT reproduced'}.`,
    );
  }
  const round = images.map(({ truth: { ellipse } }) => ellipse.minor / ellipse.major >= ROUND);
  const parts = three.map(([label, name]) => {
    const { errors } = of('paper', name);
    const under = (wanted) => {
      const those = errors.filter((_, i) => round[i] === wanted);
      return withRange(those.filter(({ relative }) => relative <= 0.1).length, those.length);
    };
    return `${label.split(',')[0]} ${under(true)} and ${under(false)}`;
  });
  report.line(
    `Where it deviates: of these pupils ${fixed((100 * round.filter((yes) => yes).length) / round.length, 0)} % have an axis ratio of ${ROUND} ` +
      `and more; on those and on the others, variant paper, under 10 %: ${parts.join('; ')}. Votes go to single pixels, so ` +
      'the border of an ellipse shares them among many circles. Lids and lashes hide less of the border here than the paper says ' +
      'of its own, which is what labeling suffers from. `npm run lab -- figure-14 pupil` changes one of these at a time.',
  );
  report.finish('lab/results/accuracy.md', 'paper pupil', 'paper pupil');
}
