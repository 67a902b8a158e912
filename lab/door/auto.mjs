// Door: 'auto' beside the better of both sides after ten calls, three engines turn about in one page. --rounds N, --only NAME
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON)
import { readResult } from '../../bench/parts/kept-result.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { onDoorPage, option, packDoor } from '../../bench/door/parts/door-bench.mjs';

/** What 'auto' may take of the better side's time. */
const MOST = 1.1;

export default async function auto(given) {
  const { args, root } = given;
  const rounds = Number(option(args, '--rounds', 40));
  if (args.includes('--pack')) return packDoor(root, option(args, '--pack'), { paired: rounds });
  const file = option(args, '--result');
  const report = new Report(given);
  const result = file
    ? readResult(file, report)
    : await onDoorPage(given, 'paired', rounds, option(args, '--only', ''));
  report.line(
    `${result.gpu ?? 'No GPU'}${result.softwareGpu ? ": software, for which 'auto' is WASM and compares nothing" : ''}. Milliseconds, ` +
      `medians of ${rounds} calls of each engine turn about, one thread, after ten of each that do not count; trials of the other side are inside.`,
  );
  const over = [];
  report.table([
    ['call', 'WASM', 'GPU', "'auto'", 'better side', "'auto' / better", "'auto' on the GPU"],
    ...Object.entries(result.rows).map(([name, { wasm, gpu, auto: own, onGpu, rounds: count }]) => {
      const better = Math.min(wasm, gpu);
      if (own > MOST * better) over.push(name);
      const times = [wasm, gpu, own].map((ms) => fixed(ms, 2));
      return [
        name,
        ...times,
        wasm <= gpu ? 'WASM' : 'GPU',
        fixed(own / better, 2),
        onGpu === null ? '-' : `${onGpu} of ${count}`,
      ];
    }),
  ]);
  report.line(`Wanted: at most ${MOST} times the better side. Missed: ${over.join(', ') || 'none'}.`);
  report.finish(
    'lab/results/performance.md',
    file ? 'hardware auto' : 'auto door',
    `auto door${file ? ` --result ${file}` : ''}`,
  );
}
