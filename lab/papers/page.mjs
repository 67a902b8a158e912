// The rows as lab/results/papers.md: a table per paper, with the figures as they are kept now.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../tools/setup.mjs';
import { countStates, keptFigures, readPapers, STATES } from './rows.mjs';

export const PAGE = 'lab/results/papers.md';

const code = (text) => `\`${text}\``;
const cell = (text) => text.replaceAll('|', '\\|');
const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;

/** 'circle: 1163; ellipse: 1303', and why. */
const resultOf = ({ figures = {}, why }, figure) =>
  [Object.entries(figures).map(([name, kept]) => `${name}: ${figure(kept)}`).join('; '), why].filter(Boolean).join('. '); // prettier-ignore

const filesOf = ({ sources, tests = [] }) =>
  [sources.map(code).join(', '), tests.length ? `tests ${tests.map(code).join(', ')}` : ''].filter(Boolean).join('; ');

function section({ paper, title, rows }, figure) {
  const head = ['row', 'content', 'state', 'figure, or the reason', 'command', 'files'];
  return [
    `## ${paper}: ${title}`,
    [
      line(head),
      line(head.map(() => '---')),
      ...rows.map((row) =>
        line([row.row, row.what, row.state, resultOf(row, figure), row.command ? code(row.command) : '', filesOf(row)]),
      ),
    ].join('\n'),
  ].join('\n\n');
}

/** The whole page. */
export function pageOf(papers, figure = keptFigures()) {
  const counts = papers.map(({ paper, title, rows }) =>
    line([paper, title, String(rows.length), ...countStates(rows).map(([, count]) => String(count))]),
  );
  const all = papers.flatMap(({ rows }) => rows);
  const head = ['paper', 'title', 'rows', ...STATES];
  return `${[
    '# The papers, row by row',
    'Written by `npm run lab -- papers --write` from `lab/papers/rows`. Every section, algorithm, table and figure of the five papers is a ' +
      'row. `whole`: built, tested and, if it is a measurement, measured. `bounded`: impossible in a page or without the authors’ material, ' +
      'for the stated reason. `partial` and `missing`: the reason says what would complete the row. Figures are read from the long tables ' +
      'and from the results of other machines in this folder.',
    [
      line(head),
      line(head.map(() => '---')),
      ...counts,
      line(['all', '', String(all.length), ...countStates(all).map(([, count]) => String(count))]),
    ].join('\n'),
    ...papers.map((paper) => section(paper, figure)),
  ].join('\n\n')}\n`;
}

/** Writes the page; a figure that a new table no longer has is reported, and the page stays as it was. */
export function refreshPage(log = console.log) {
  try {
    writeFileSync(path.join(root, PAGE), pageOf(readPapers()));
  } catch (error) {
    log(`${PAGE} is not up to date: ${error.message}`);
  }
}
