// Every row of the five papers: its state, sources, tests, command and figure; fails if a named file does not exist.
//   --write: lab/results/papers.md; --state partial,missing: only these rows
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { argument } from '../bench/parts/kept-result.mjs';
import { table } from '../bench/parts/table.mjs';
import { main, root } from '../tools/setup.mjs';
import { PAGE, pageOf, refreshPage } from './papers/page.mjs';
import { allFaults, countStates, keptFigures, readPapers, STATES } from './papers/rows.mjs';

function print(papers, states) {
  const figure = keptFigures();
  for (const { paper, title, rows } of papers) {
    console.log(`\n== ${paper}, ${title}\n`);
    for (const row of rows.filter(({ state }) => states.includes(state))) {
      console.log(`${row.state.padEnd(8)} ${row.row}: ${row.what}`);
      for (const [name, kept] of Object.entries(row.figures ?? {}))
        console.log(`           ${name}: ${figure(kept)}   {${kept}}`);
      if (row.why) console.log(`           ${row.why}`);
      if (row.command) console.log(`           ${row.command}`);
    }
  }
  const all = papers.flatMap(({ rows }) => rows);
  console.log(
    `\n${table([
      ['paper', 'rows', ...STATES],
      ...[...papers, { paper: 'all', rows: all }].map(({ paper, rows }) => [
        paper,
        rows.length,
        ...countStates(rows).map(([, count]) => count),
      ]),
    ])}`,
  );
}

async function run() {
  const args = process.argv.slice(2);
  const papers = readPapers();
  const faults = allFaults(papers);
  if (faults.length) throw new Error(`Rows that do not hold:\n${faults.join('\n')}`);
  print(papers, argument(args, '--state')?.split(',') ?? STATES);
  const file = path.join(root, PAGE);
  if (args.includes('--write')) refreshPage();
  else if (readFileSync(file, 'utf8') !== pageOf(papers)) console.log(`\n${PAGE} is stale: add --write.`);
}

await main(run);
