// Bias and 95 % interval of every measure of the light reflex, on 1,000 rendered traces per rate.
//   npm run lab -- measures series [--traces 1000] [--seed 1: first seed, of those that nothing was chosen on] [--write]
import { fixed, Report } from '../../bench/parts/report.mjs';
import { importTs } from '../../tools/import-ts.mjs';

const rates = [30, 60, 120];

export default async function measures(given) {
  const { args } = given;
  const option = (name, otherwise) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : otherwise);
  const [count, seed] = [option('--traces', 1000), option('--seed', 1)];
  const { measureErrors } = await importTs('lab/series/parts/reflexes.ts');
  const report = new Report(given);
  const found = rates.map((rate) => measureErrors(seed, count, rate));
  report.line(
    `${count} traces per rate, seeds ${seed} to ${seed + count - 1}. The bias is the mean error, with its 95 % interval.`,
  );
  report.table([
    [
      'measure',
      'unit',
      ...rates.flatMap((rate) => ['answered', 'bias', '95 % of errors'].map((name) => `${rate} Hz, ${name}`)),
    ],
    ...found[0].map(({ measure, unit }, i) => [
      ...[measure, unit],
      ...found.flatMap((list) => {
        const { answered, bias, within, low, high } = list[i];
        return [answered, `${fixed(bias, 2)} ± ${fixed(within, 2)}`, `${fixed(low)} to ${fixed(high)}`];
      }),
    ]),
  ]);
  report.finish('lab/results/pupil-tests.md', 'measures series', 'measures series');
}
