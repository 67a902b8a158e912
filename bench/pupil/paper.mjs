// Pupil: the paper's figures 10, 11 and 14 (Starburst) on its rendered set of 964 images, both variants, one thread.
//   --quick: every eighth image
import { fixed, Report } from '../parts/report.mjs';
import { openPupilPage } from './parts/pupil-page.mjs';
import { errorOf, mean } from './parts/score.mjs';

const gaussian = (reflectionKernel) => ({ reflectionKernel, smoothing: 'gaussian', gaussianSize: 5, gaussianSigma: 2 });
const median = (reflectionKernel, medianSize) => ({ reflectionKernel, smoothing: 'median', medianSize });
// The text names the ranges (13 to 25; the Gaussian twice, the median with 7 or 11 four times) and the best one, not all
// six: these span the ranges.
const SIX = [
  ['reflections 19, Gaussian (5, 2)', gaussian(19)],
  ['reflections 13, Gaussian (5, 2)', gaussian(13)],
  ['reflections 19, median 7', median(19, 7)],
  ['reflections 25, median 7', median(25, 7)],
  ['reflections 19, median 11', median(19, 11)],
  ['reflections 25, median 11', median(25, 11)],
];
// The paper's variant has one fixed threshold, which its authors set for their camera and do not state. 20 levels suits
// this set; the table's default of 8 levels, for unknown cameras, crosses the soft edge about 3 px too early.
const VARIANTS = ['default', 'paper'];
const threshold = (variant) => (variant === 'paper' ? { gradient: 20 } : {});
const MARGINS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const HEAD = (label) => [label, ...MARGINS.map((margin) => `${margin} %`), 'found', 'frames a second'];

const PAPER_ROW = ['paper, its own images, GTX 980', '', '', '', '', '> 85', '', '', '', '', 96.2, ''];

const configurations = [
  ...VARIANTS.flatMap((variant) =>
    SIX.map(([name, params]) => ({
      name,
      variant,
      fit: 'circle',
      params: { ...params, ...threshold(variant), variant, fit: 'circle' },
    })),
  ),
  ...VARIANTS.map((variant) => ({
    name: SIX[0][0],
    variant,
    fit: 'ellipse',
    params: { ...SIX[0][1], ...threshold(variant), variant, fit: 'ellipse' },
  })),
];

export default async function paper(given) {
  const { args, importTs, log } = given;
  const step = args.includes('--quick') ? 8 : 1;
  const { PAPER } = await importTs('tools/eyes/index.ts');
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

  const row = (label, variant, name, fit) => {
    const k = configurations.findIndex((c) => c.variant === variant && c.name === name && c.fit === fit);
    const errors = images.map(({ rows, truth }) =>
      errorOf(rows[k], { x: truth.ellipse.x, y: truth.ellipse.y, r: truth.circle.r }, fit),
    );
    const share = (test) => fixed((100 * errors.filter(test).length) / errors.length);
    return [
      label,
      ...MARGINS.map((margin) => share(({ relative }) => relative * 100 <= margin)),
      share(({ centre }) => Number.isFinite(centre)),
      fixed(1000 / mean(images.map(({ rows }) => rows[k][5])), 0),
    ];
  };

  report.line(
    `${images.length} images${step > 1 ? ` (every ${step}th of ${PAPER.images})` : ''}, ${PAPER.width}x${PAPER.height}. Percent of the images on ` +
      'which the larger of the errors of centre and radius is under so many percent of the true radius; an image on which ' +
      'nothing is found counts as a miss. Rate: one thread of WASM in the browser, each image by itself (no tracking), image ' +
      'in memory, preprocessing included, wall clock. The images are rendered after the description of the paper’s; they ' +
      'are not the paper’s own. Variant paper: fixed threshold of 20 levels over 4 px, chosen on every twelfth of these images.',
  );
  report.heading('Figure 10: preprocessing, circle fit');
  for (const variant of VARIANTS)
    report.table([
      HEAD(`variant ${variant}`),
      ...SIX.map(([name]) => row(name, variant, name, 'circle')),
      [...PAPER_ROW, 1260],
    ]);
  report.heading('Figure 11: circle against ellipse, reflections 19, Gaussian (5, 2)');
  report.table([
    HEAD(''),
    ...VARIANTS.flatMap((variant) =>
      ['circle', 'ellipse'].map((fit) => row(`variant ${variant}, ${fit}`, variant, SIX[0][0], fit)),
    ),
    [...PAPER_ROW, '1260 circle, 1180 ellipse'],
  ]);
  report.heading('Figure 14: side by side, the Starburst column');
  report.table([
    HEAD(''),
    ...VARIANTS.map((variant) => row(`Starburst, variant ${variant}`, variant, SIX[0][0], 'circle')),
    [...PAPER_ROW, 1260],
  ]);
  report.line(
    'Figures 12 (thresholding and labelling) and 13 (Hough) and the other columns of figure 14 belong to detectors that ' +
      'this version does not have yet.',
  );
  report.finish('docs/accuracy.md', 'paper pupil', 'paper pupil');
}
