// Errors of light reflexes and saccades on rendered traces with known answers, on the seeds for choosing and on others.
//   node bench/run.mjs traces series [--traces 200]
import { importTs } from '../../tools/import-ts.mjs';

/** Constants were chosen on the first seeds; the others are what the docs show. */
export const seeds = { choosing: 100_000, scored: 1 };
const rates = [30, 60, 120];

export default async function ({ args, log, table }) {
  const count = Number(args[args.indexOf('--traces') + 1]) || 200;
  const { figures, reflexErrors, unitOf } = await importTs('bench/series/parts/reflexes.ts');
  for (const [name, first] of Object.entries(seeds)) {
    log(
      `\nLight reflexes, ${count} traces of seeds ${name === 'scored' ? 'that no constant was chosen on' : 'for choosing'}:`,
    );
    const rows = [['rate', 'figure', 'answered', 'median', '90th percentile', 'bias']];
    for (const rate of rates)
      for (const options of [{}, { latencyMethod: 'peak' }]) {
        const { errors } = reflexErrors(first, count, rate, options);
        for (const figure of options.latencyMethod ? ['latency'] : figures) {
          const { answered, median, tenth, bias } = errors[figure];
          const label = options.latencyMethod ? `${figure} by greatest acceleration` : figure;
          const of = (value) => `${value.toFixed(1)} ${unitOf(figure)}`;
          rows.push([`${rate} Hz`, label, answered, of(median), of(tenth), of(bias)]);
        }
      }
    table(rows);
  }
}
