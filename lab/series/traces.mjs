// Errors of light reflexes and saccades on rendered traces with known answers, on the seeds for choosing and on others.
//   npm run lab -- traces series [--traces 200] [--only saccades]
import { importTs } from '../../tools/import-ts.mjs';

/** Constants were chosen on the first seeds; the others are what the docs show. */
const seeds = { 'for choosing': 100_000, 'that nothing was chosen on': 1 };
const rates = [30, 60, 120];
const gazeRates = [30, 60, 120, 250, 500, 1000];

export default async function ({ args, log, table }) {
  const count = Number(args[args.indexOf('--traces') + 1]) || 200;
  const { figures, reflexErrors, unitOf } = await importTs('lab/series/parts/reflexes.ts');
  const { movementErrors } = await importTs('lab/series/parts/movements.ts');
  const reflexTable = (name, first) => {
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
  };
  for (const [name, first] of Object.entries(seeds)) {
    if (!args.includes('saccades')) reflexTable(name, first);
    log(`\nSaccades, ${count} traces of seeds ${name}, beside no blink; errors are medians and 90th percentiles:`);
    const saccades = [
      [
        ...['speed', 'rate', 'saccades', 'precision', 'recall', 'F1', 'amplitude', 'start', 'bias', 'duration'],
        ...['peak velocity', 'that have one', 'interval contains it'],
      ],
    ];
    for (const profile of ['jerk', 'gamma'])
      for (const rate of gazeRates) {
        const found = movementErrors(first, count, rate, {}, profile);
        const pair = ([median, tenth], unit) => `${median.toFixed(1)} / ${tenth.toFixed(1)} ${unit}`;
        const percent = (value) => `${(100 * value).toFixed(1)} %`;
        saccades.push([
          ...[profile, `${rate} Hz`, found.saccades],
          ...[found.precision, found.recall, found.f1].map((value) => value.toFixed(3)),
          ...[pair(found.amplitude, '%'), pair(found.start, 'ms'), `${found.startBias.toFixed(1)} ms`],
          ...[pair(found.duration, '%'), pair(found.peak, '%'), percent(found.answered), percent(found.covered)],
        ]);
      }
    table(saccades);
  }
}
