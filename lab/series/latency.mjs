// Bias of the pupil's latency and coverage of its 95 % interval, on the seeds for choosing and on others.
//   npm run lab -- latency series [--traces 200: of each kind of onset] [--seed 1: first of the others] [--only others]
import { importTs } from '../../tools/import-ts.mjs';
import { rangeOfPercent } from '../../bench/parts/intervals.mjs';

/** First seed for choosing. */
const CHOOSING = 1_000_000;
const rates = [30, 60, 120];
/** Target, per cent. */
const COVERAGE = [93, 97];

export default async function ({ args, log, table }) {
  const option = (name, otherwise) => Number(args[args.indexOf(name) + 1] ?? otherwise) || otherwise;
  const count = args.includes('--traces') ? option('--traces', 200) : 200;
  const seed = args.includes('--seed') ? option('--seed', 1) : 1;
  const { latencyFigures } = await importTs('lab/series/parts/latencies.ts');
  const sets = [['choosing', CHOOSING], ['others', seed]].filter(([name]) => !args.includes('--only') || args.includes(name)); // prettier-ignore
  const rows = [['seeds', 'rate', 'onset', 'answered', 'bias: median', 'mean', 'error: 90 %', 'width', 'covered, %', '95 %']]; // prettier-ignore
  const lines = [];
  for (const rate of rates)
    for (const [name, first] of sets)
      for (const { kind, traces, answered, mean, bias, tenth, covered, width } of latencyFigures(first, count, rate)) {
        const ms = [bias, mean, tenth, width].map((value) => value.toFixed(1));
        const percent = (100 * covered) / answered;
        rows.push([name, `${rate} Hz`, kind, `${answered} of ${traces}`, ...ms, percent.toFixed(1), rangeOfPercent(percent, answered)]); // prettier-ignore
        if (kind !== 'all') continue;
        const met = percent >= COVERAGE[0] && percent <= COVERAGE[1];
        lines.push(`latency coverage, ${rate} Hz, seeds ${name}: ${percent.toFixed(1)} %, ${met ? 'met' : 'NOT met'}; bias ${bias.toFixed(1)} ms`); // prettier-ignore
      }
  log(
    `\n${count} traces of each onset (weak: a quarter of each); seeds of others: ${seed} and following. Times in ms:`,
  );
  table(rows);
  log(`Target: coverage of all 93 to 97 %.\n${lines.join('\n')}`);
}
