// Figures of the pages of docs/, copied from the long tables that the benchmarks write, so that no figure is typed twice. Between `<!-- figures` and `-->` stands a table whose cells name figures, and behind it, up to
// `<!-- /figures -->`, the same table with them. In braces: {page > key of the bench > heading > row > column}, without the
// heading where the table is the first of its block. Each name may be the beginning of the only one that fits; a row is named
// by more than its first cell as `detector & set`. {page > key > heading > line > words # words}: the number at # in a line.
// {page > key > machine}: the day and the machine.
//   node tools/docs/figures.mjs --write     brings the pages up to date
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../fingerprint.mjs';
import { root } from '../setup.mjs';

const fileOf = (page) => `lab/results/${page}.md`;
const block = /<!-- figures\n([^]*?)\n-->\n[^]*?<!-- \/figures -->/g;

const cellsOf = (line) =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** The parts of a page that benchmarks wrote: by key, the lines of the text and the lines under each heading. */
export function benchBlocks(markdown) {
  const blocks = new Map();
  for (const [, key, body] of markdown.matchAll(/<!-- bench: (.*?) -->\n([^]*?)<!-- \/bench -->/g)) {
    const parts = [{ heading: '', lines: [] }];
    for (const line of body.split('\n'))
      if (line.startsWith('### ')) parts.push({ heading: line.slice(4), lines: [] });
      else if (line) parts.at(-1).lines.push(line);
    blocks.set(key, parts);
  }
  return blocks;
}

/** The one thing that has this name, or begins with it. */
function only(list, name, nameOf, what) {
  const exact = list.filter((one) => nameOf(one) === name);
  const found = exact.length ? exact : list.filter((one) => nameOf(one).startsWith(name));
  if (found.length === 0) throw new Error(`there is no ${what} '${name}'; there are: ${list.map(nameOf).join('; ')}`);
  if (found.length > 1 && !exact.length) throw new Error(`'${name}' begins more than one ${what}`);
  return found[0];
}

function cellOf(lines, row, column) {
  const rows = lines.filter((line) => line.startsWith('|') && !/^\|[ -]*---/.test(line)).map(cellsOf);
  const [head] = rows;
  if (!head) throw new Error('there is no table');
  const names = row.split(' & ');
  const labelOf = (cells) => cells.slice(0, names.length).join(' & ');
  const fits = (cells) =>
    names.every((name, i) => (i === names.length - 1 ? cells[i] === name : cells[i]?.startsWith(name)));
  const found = names.length > 1 ? rows.find(fits) : only(rows.slice(1), row, labelOf, 'row');
  if (!found) throw new Error(`there is no row '${row}'`);
  const at = head.indexOf(only(head.slice(1), column, (name) => name, 'column'));
  return found[at].replaceAll('\\|', '|');
}

function numberIn(lines, words) {
  const escaped = words.split('#').map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const found = new RegExp(escaped.join('\\s*(-?[\\d.]*\\d)\\s*')).exec(lines.join('\n'));
  if (!found) throw new Error(`no line has '${words}'`);
  return found[1];
}

function machineOf([{ lines }]) {
  const measured = lines.map((line) => /^Measured (\S+) at \S+ on: (.*?)\. Printed/.exec(line)).find(Boolean);
  if (measured) return `${measured[2]}, ${measured[1]}`;
  const [, date, cpu] = /date (\S+) .*?; CPU (.*?);/.exec(lines[0]);
  return `${cpu}, ${date}`;
}

/** Answers names like 'accuracy > hard pupil > robust, seed 20 > center px'. */
export function figureReader(read = (file) => readFileSync(path.join(root, file), 'utf8')) {
  const pages = {};
  return (name) => {
    const [page, key, ...rest] = name.split(' > ').map((part) => part.trim());
    try {
      pages[page] ??= benchBlocks(read(fileOf(page)));
      const parts = pages[page].get(key);
      if (!parts) throw new Error(`there is no block '${key}'`);
      if (rest[0] === 'machine') return machineOf(parts);
      const [column, row, heading = ''] = rest.reverse();
      const { lines } = heading ? only(parts, heading, (part) => part.heading, 'heading') : parts[0];
      return row === 'line' ? numberIn(lines, column) : cellOf(lines, row, column);
    } catch (error) {
      throw new Error(`figure {${name}}: ${error.message}`);
    }
  };
}

/** The page with every such table as the long tables are now. */
export const withFigures = (markdown, figure = figureReader()) =>
  markdown.replace(block, (_, template) => {
    const table = template.replace(/\{([^}]+)\}/g, (__, name) => figure(name));
    return `<!-- figures\n${template}\n-->\n\n${table}\n\n<!-- /figures -->`;
  });

/** Pages whose figures are not those of the long tables: [{ file, text }], with the text that they should have. */
export function staleFigures() {
  const figure = figureReader();
  return filesBelow(root, ['docs'], (name) => name.endsWith('.md')).flatMap((file) => {
    const before = readFileSync(path.join(root, file), 'utf8');
    const text = withFigures(before, figure);
    return text === before ? [] : [{ file, text }];
  });
}

/** Brings them up to date, and says which. */
export function writeFigures(log = console.log) {
  for (const { file, text } of staleFigures()) {
    writeFileSync(path.join(root, file), text);
    log(`figures written to ${file}`);
  }
}

if (process.argv[1] === import.meta.filename && process.argv.includes('--write')) writeFigures();
