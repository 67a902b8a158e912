// Errors of light reflexes and saccades on rendered traces with known answers, on the seeds for choosing and on others.
//   npm run lab -- traces series [--traces 200]
import { importTs } from '../../tools/import-ts.mjs';

/** Constants were chosen on the first seeds; the others are what the docs show. */
const seeds = { 'for choosing': 100_000, 'that nothing was chosen on': 1 };
const rates = [30, 60, 120];

export default async function ({ args, log, table }) {
  const count = Number(args[args.indexOf('--traces') + 1]) || 200;
  const { figures, reflexErrors, unitOf } = await importTs('lab/series/parts/reflexes.ts');
  const { movementErrors } = await importTs('lab/series/parts/movements.ts');
  for (const [name, first] of Object.entries(seeds)) {
    log(`\nLight reflexes, ${count} traces of seeds ${name}, absolute errors:`);
    const reflexes = [['rate', 'figure', 'answered', 'median', '90th percentile', 'bias']];
    for (const rate of rates) {
      const row = (label, figure, { answered, median, tenth, bias }) => {
        const of = (value) => `${value.toFixed(1)} ${unitOf(figure)}`;
        reflexes.push([`${rate} Hz`, label, answered, of(median), of(tenth), of(bias)]);
      };
      const { errors, sureLatency } = reflexErrors(first, count, rate, {});
      for (const figure of figures) {
        row(figure, figure, errors[figure]);
        if (figure === 'latency') row('latency without a warning', figure, sureLatency);
      }
      const { errors: greatest } = reflexErrors(first, count, rate, { latencyMethod: 'peak' });
      row('latency by greatest acceleration', 'latency', greatest.latency);
    }
    table(reflexes);
    log(`\nSaccades, ${count} traces of seeds ${name}, beside no blink; errors are medians and 90th percentiles:`);
    const saccades = [
      [
        'rate',
        'saccades',
        'precision',
        'recall',
        'F1',
        'recall from 1 degree',
        'amplitude',
        'direction',
        'start',
        'peak velocity',
      ],
    ];
    for (const rate of rates) {
      const found = movementErrors(first, count, rate);
      const pair = ([median, tenth], unit) => `${median.toFixed(1)} / ${tenth.toFixed(1)} ${unit}`;
      saccades.push([
        `${rate} Hz`,
        found.saccades,
        ...[found.precision, found.recall, found.f1, found.recallLarge].map((value) => value.toFixed(3)),
        pair(found.amplitude, '%'),
        pair(
          found.direction.map((angle) => (angle * 180) / Math.PI),
          'degrees',
        ),
        pair(found.start, 'ms'),
        pair(found.peak, '%'),
      ]);
    }
    table(saccades);
  }
}
