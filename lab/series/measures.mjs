// Bias and 95 % interval of every measure of the light reflex, on 1,000 rendered traces per rate.
//   npm run lab -- measures series [--traces 1000] [--seed 1: first seed, of those that nothing was chosen on]
import { importTs } from '../../tools/import-ts.mjs';

const rates = [30, 60, 120];

export default async function ({ args, log, table }) {
  const option = (name, otherwise) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : otherwise);
  const [count, seed] = [option('--traces', 1000), option('--seed', 1)];
  const { measureErrors } = await importTs('lab/series/parts/reflexes.ts');
  const rows = [['measure', 'unit', ...rates.flatMap((rate) => [`${rate} Hz: answered`, 'bias', '95 % of errors'])]];
  const found = rates.map((rate) => measureErrors(seed, count, rate));
  found[0].forEach(({ measure, unit }, i) =>
    rows.push([
      ...[measure, unit],
      ...found.flatMap((list) => {
        const { answered, bias, within, low, high } = list[i];
        return [answered, `${bias.toFixed(2)} ± ${within.toFixed(2)}`, `${low.toFixed(1)} to ${high.toFixed(1)}`];
      }),
    ]),
  );
  log(`${count} traces per rate, seeds ${seed} to ${seed + count - 1}. The bias has its 95 % interval:`);
  table(rows);
}
