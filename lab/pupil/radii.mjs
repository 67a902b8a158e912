// Figure 6 of paper 000: the radii of the 964 pupils of the rendered set, in bins of 0.2 mm.
import { fixed, Report } from '../../bench/parts/report.mjs';

const BIN = 0.2;

/** [[from, images]] */
export function histogram(radii, bin = BIN) {
  const counts = new Map();
  for (const radius of radii) {
    const from = Math.floor(radius / bin + 1e-9);
    counts.set(from, (counts.get(from) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a - b).map(([from, count]) => [from * bin, count]);
}

export default async function radii(given) {
  const { pupilRadii } = await given.importTs('lab/eyes/paper-radii.ts');
  const all = pupilRadii();
  const bins = histogram(all);
  const report = new Report(given);
  report.heading('Figure 6: images by radius');
  report.table([
    ['radius, mm', 'images'],
    ...bins.map(([from, count]) => [`${fixed(from)} to ${fixed(from + BIN)}`, count]),
  ]);
  report.heading('All');
  report.table([
    ['', 'images', 'least, mm', 'mean, mm', 'largest, mm', 'images in the fullest bin'],
    [
      'all',
      all.length,
      ...[Math.min(...all), all.reduce((a, b) => a + b) / all.length, Math.max(...all)].map((v) => fixed(v, 2)),
      Math.max(...bins.map(([, count]) => count)),
    ],
  ]);
  report.line('The paper: 964 images, 1.66 to 4.28 mm, mean 3.21.');
  report.finish('lab/results/accuracy.md', 'radii pupil', 'radii pupil');
}
