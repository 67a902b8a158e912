// What a benchmark prints, and the same as a part of docs/ when it is run with --write: between the lines
// `<!-- bench: key -->` and `<!-- /bench -->` of a page stands what the command of that key printed last.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { refreshPage } from '../../lab/papers/page.mjs';
import { writeFigures } from '../../tools/docs/figures.mjs';
import { root } from '../../tools/setup.mjs';
import { table } from './table.mjs';

const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');

const text = (cell) =>
  typeof cell === 'number' && !Number.isInteger(cell) ? cell.toPrecision(3) : String(cell ?? '').replaceAll('|', '\\|');

/** A number with so many decimals; a dash for what is not there. */
export const fixed = (value, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits) : '-');

const judged = (words, value, digits, limit, good) =>
  `Wanted, ${words}: ${limit}. ${fixed(value, digits)}: ${good ? 'reached' : 'NOT reached'}.`;
/** A line on a figure that may not be over what is wanted, */
export const atMost = (words, value, limit, digits = 2) =>
  judged(words, value, digits, `at most ${limit}`, value <= limit);
/** or not under it. */
export const atLeast = (words, value, limit, digits = 2) =>
  judged(words, value, digits, `at least ${limit}`, value >= limit);

function markdown(rows) {
  const line = (row) => `| ${row.map(text).join(' | ')} |`;
  return [line(rows[0]), `|${rows[0].map(() => ' --- |').join('')}`, ...rows.slice(1).map(line)].join('\n');
}

/** Puts `body` between the markers of `key`. A page without the marker is an error: nothing is written silently. */
export function writeBlock(file, key, body) {
  const at = path.join(root, file);
  const before = readFileSync(at, 'utf8');
  const open = `<!-- bench: ${key} -->`;
  const close = '<!-- /bench -->';
  const start = before.indexOf(open);
  const end = before.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`${file} has no lines ${open} and ${close}.`);
  const after = `${before.slice(0, start + open.length)}\n\n${body.trim()}\n\n${before.slice(end)}`;
  writeFileSync(at, after);
}

export class Report {
  #parts = [];
  #given;
  #start = load();

  constructor(given) {
    this.#given = given;
  }

  heading(words) {
    console.log(`\n-- ${words}\n`);
    this.#parts.push(`### ${words}`);
  }

  line(words) {
    console.log(words);
    this.#parts.push(words);
  }

  table(rows) {
    console.log(`${table(rows)}\n`);
    this.#parts.push(markdown(rows));
  }

  list(lines) {
    for (const words of lines) console.log(`  ${words}`);
    if (lines.length) this.#parts.push(lines.map((words) => `- ${words}`).join('\n'));
  }

  /** Prints the machine's load and, with --write, brings the page up to date. */
  finish(file, key, command) {
    const { args, machine, run } = this.#given;
    const words = `load average (1, 5, 15 min) ${this.#start} before, ${load()} after`;
    console.log(`\n${words}`);
    if (!args.includes('--write')) return;
    // A result of another machine is only printed here.
    const where = args.includes('--result')
      ? 'measured on the machine that the text names and printed on another: '
      : '';
    const shown = `\`${run} -- ${command}\`, ${where}${machine.replace(/\s*\n/g, '; ').replace(/ {2,}/g, ' ')}; ${words}.`;
    writeBlock(file, key, [shown, ...this.#parts].join('\n\n'));
    console.log(`written to ${file}`);
    writeFigures(); // pages that show figures of these tables
    refreshPage();
  }
}
