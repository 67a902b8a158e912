// The rows of the five papers: one per section, algorithm, table and figure, in one file per paper in rows/. A row names
// its sources, its tests, the command that prints its figure, and the place of the figure. A row without a figure, or
// one that is not whole, has a reason in `why`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { benches } from '../../bench/run.mjs';
import { figureReader } from '../../tools/docs/figures.mjs';
import { root } from '../../tools/setup.mjs';

/** States of a row: done, impossible here for a stated reason, done in part, not done. */
export const STATES = ['whole', 'bounded', 'partial', 'missing'];
const FOLDER = 'lab/papers/rows';
const RESULTS = 'lab/results';

/** [{ paper, title, rows }] in the order of the papers. */
export const readPapers = () =>
  readdirSync(path.join(root, FOLDER))
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(root, FOLDER, file), 'utf8')));

/** The figure of a kept result at names like 'ladder, everything on > fps'. */
function valueIn(result, names) {
  let value = result;
  for (const name of names) {
    if (value === null || typeof value !== 'object' || !(name in value)) throw new Error(`it has no '${name}'`);
    value = value[name];
  }
  if (value === null || typeof value === 'object') throw new Error('it is not a figure');
  return typeof value === 'number' && !Number.isInteger(value) ? String(Number(value.toPrecision(4))) : String(value);
}

/** Answers names as figureReader() does, and of results of other machines: 'ladder-h200 > rate circle, depth 1 > fps'. */
export function keptFigures() {
  const figure = figureReader();
  const kept = {};
  return (name) => {
    const [page, ...names] = name.split(' > ').map((part) => part.trim());
    const file = path.join(root, RESULTS, `${page}.json`);
    if (!existsSync(file)) return figure(name);
    try {
      kept[page] ??= JSON.parse(readFileSync(file, 'utf8')).result;
      return valueIn(kept[page], names);
    } catch (error) {
      throw new Error(`figure {${name}}: ${error.message}`);
    }
  };
}

/** Names of all commands that a row can name: 'npm run lab -- paper pupil'. */
function commands() {
  const names = (folder) => benches(folder).map(({ name }) => `npm run ${folder} -- ${name}`);
  return new Set([...names('bench'), ...names('lab'), 'npm run lab -- papers']);
}

const bare = (command) => command.replace(/ --(result|write|quick).*/, '');

/** Faults of a row, in words. */
export function faultsOf(row, { figure = keptFigures(), known = commands() } = {}) {
  const faults = [];
  const { sources = [], tests = [], command, figures = {}, why, state } = row;
  if (!row.row || !row.what) faults.push('has no name');
  if (!STATES.includes(state)) faults.push(`has the state '${state}'`);
  if (!sources.length) faults.push('names no source');
  for (const file of [...sources, ...tests])
    if (!existsSync(path.join(root, file))) faults.push(`names ${file}, which does not exist`);
  for (const file of tests) if (!/\.test\.(ts|mjs)$/.test(file)) faults.push(`names ${file}, which is not a test`);
  if (command && !known.has(bare(command))) faults.push(`names '${command}', which is not a command`);
  const result = /--result (\S+)/.exec(command ?? '')?.[1];
  if (result && !existsSync(path.join(root, result))) faults.push(`names ${result}, which does not exist`);
  if (!command && Object.keys(figures).length) faults.push('has figures and no command that prints them');
  for (const name of Object.values(figures))
    try {
      figure(name);
    } catch (error) {
      faults.push(error.message);
    }
  if (state !== 'whole' && !why) faults.push(`is ${state} and does not say why`);
  if (!Object.keys(figures).length && !why) faults.push('has no figure and does not say why');
  if (state === 'whole' && !tests.length) faults.push('is whole without a test');
  return faults;
}

/** Of all rows: ['paper 000, figure 6 names ..., which does not exist']. */
export function allFaults(papers = readPapers()) {
  const given = { figure: keptFigures(), known: commands() };
  const faults = [];
  for (const { paper, rows } of papers) {
    const seen = new Set();
    for (const row of rows) {
      const name = `${row.row}: ${row.what}`;
      if (seen.has(name)) faults.push(`paper ${paper}, ${name} is there twice`);
      seen.add(name);
      for (const fault of faultsOf(row, given)) faults.push(`paper ${paper}, ${row.row} ${fault}`);
    }
  }
  return faults;
}

export const countStates = (rows) => STATES.map((state) => [state, rows.filter((row) => row.state === state).length]);
