/** `foveola score RESULTS ANNOTATIONS`: the accuracy tables of this project for the user's own annotations. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { FoveolaError } from '../../node/index.ts';
import { readRows, type Row } from '../rows.ts';
import type { Entry } from '../entry.ts';
import { Manifest } from '../manifest.ts';
import { bad, parsed } from '../plan.ts';
import { printable, printLine } from '../progress.ts';
import { scoreOptions } from '../usage.ts';
import { isFile } from '../whole-files.ts';
import {
  addBoxes,
  addMasks,
  boxHead,
  boxRow,
  maskHead,
  maskRow,
  scoreBoxes,
  scoreMasks,
  type BoxScore,
  type MaskScore,
} from './accuracy.ts';
import * as pupils from './pupils.ts';

// Compares the user's annotations with the results of the same inputs.

/** Columns that name the input, if one file contains the annotations of several. */
const fileColumns = ['file', 'filename', 'image', 'name', 'input'];

/** The annotations of one input: rows of a table, or the path of a mask. */
interface Annotation {
  rows: Row[];
  mask: string | null;
}

/** Masks. */
const picture = /\.(png|tiff?|gif|bmp|jpe?g|webp)$/i;

const stem = (name: string) => path.basename(name).replace(/\.[^.]+$/, '');

/** By an input's name. Null without annotations. @throws {FoveolaError} (rejects) they may belong to another input */
type AnnotationFinder = (entry: Pick<Entry, 'name'>) => Promise<Annotation | null>;

/**
 * @param place a CSV with a column `file`, a CSV of the only input, or a folder with one file per input: `clip.csv` or
 * `clip.mp4.csv` or `clip/annotations.csv` for clip.mp4, an image of the same name for a mask
 * @param names of all inputs that have results
 * @throws {FoveolaError} (rejects) 'invalid-argument'
 */
export async function annotations(place: string, names: readonly string[]): Promise<AnnotationFinder> {
  const about = await stat(place).catch(() => null);
  if (!about)
    throw new FoveolaError('invalid-argument', `${place} does not exist. Name a CSV or a folder of annotations.`);
  return about.isDirectory() ? inFolder(place, names) : inTable(place, names);
}

const uncertain = (name: string, what: string) =>
  new FoveolaError(
    'invalid-argument',
    `${what} may be the annotation of ${name} or of another input. Name it with the full path, like the results.`,
  );

/**
 * How well a name in a table matches an input: its path, the end of its path, its file name, or its file name without
 * the extension.
 */
function similarity(given: string, name: string): number {
  if (given === name) return 4;
  if (given.endsWith(`/${name}`) || name.endsWith(`/${given}`)) return 3;
  if (path.basename(given) === path.basename(name)) return 2;
  return !path.extname(given) && stem(name) === given ? 1 : 0;
}

async function inTable(file: string, names: readonly string[]): Promise<AnnotationFinder> {
  const rows = await readRows(file);
  const column = fileColumns.find((name) => rows[0] && name in rows[0]);
  if (!column && names.length > 1)
    throw new FoveolaError(
      'invalid-argument',
      `${file} has annotations for one input, but there are ${names.length} results. Add a column 'file' with their names, or use a folder of annotations.`,
    );
  if (!column) return async () => ({ rows, mask: null });
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const given = String(row[column]);
    groups.set(given, [...(groups.get(given) ?? []), row]);
  }
  return async ({ name }) => {
    const own: Row[] = [];
    for (const [given, group] of groups) {
      const like = similarity(given, name);
      const best = Math.max(...names.map((other) => similarity(given, other)));
      if (!like || like < best) continue;
      if (names.some((other) => other !== name && similarity(given, other) === like))
        throw uncertain(name, `'${given}'`);
      own.push(...group);
    }
    return own.length ? { rows: own, mask: null } : null;
  };
}

const SAME_PLACE = 3;

/**
 * How well a file of annotations matches an input. 0: not at all. The same location counts more than the file
 * extension.
 */
function fit(file: string, name: string): number {
  const inside = path.basename(file) === 'annotations.csv';
  const [own, folder] = inside
    ? [path.basename(path.dirname(file)), path.dirname(path.dirname(file))]
    : [path.basename(file).replace(picture.test(file) ? picture : /\.csv$/, ''), path.dirname(file)];
  if (!inside && !/\.csv$/.test(file) && !picture.test(file)) return 0;
  const whole = own === path.basename(name) || path.basename(file) === path.basename(name);
  if (!whole && own !== stem(name)) return 0;
  return Number(whole) + (folder === path.dirname(name) ? SAME_PLACE : 1);
}

async function inFolder(folder: string, names: readonly string[]): Promise<AnnotationFinder> {
  const files = (await readdir(folder, { recursive: true })).map((file) => file.split(path.sep).join('/')).sort();
  return async ({ name }) => {
    const others = names.filter((other) => other !== name);
    const fitting = files
      .map((file) => ({ file, fits: fit(file, name) }))
      .filter(({ file, fits }) => fits && !others.some((other) => fit(file, other) > fits));
    const best = Math.max(...fitting.map(({ fits }) => fits));
    const [own, second] = fitting.filter(({ fits }) => fits === best).map(({ file }) => file);
    if (own === undefined) return null;
    if (others.some((other) => fit(own, other) === best) || (second !== undefined && best < SAME_PLACE))
      throw uncertain(name, path.join(folder, own));
    const whole = path.join(folder, own);
    return own.endsWith('.csv') ? { rows: await readRows(whole), mask: null } : { rows: [], mask: whole };
  };
}

/** How one kind of result is measured. `T`: the counts of one input, which can be added. */
interface Measure<T> {
  head: string[];
  score(folder: string, entry: Entry, truth: Annotation, first: number): Promise<T>;
  add(a: T, b: T): T;
  row(name: string, score: T): string[];
}

/** The first file of a result with this ending. */
function outputOf(folder: string, { name, outputs, hashes }: Entry, ending: RegExp): string {
  const index = outputs.findIndex((output) => ending.test(output));
  const file = path.join(folder, outputs[index] ?? '');
  if (index < 0 || !isFile(file, hashes[index]!))
    throw bad(`${name}: its result is missing or differs from the listed file. Run its analysis again.`);
  return file;
}

const tableOf = async (folder: string, entry: Entry) => readRows(outputOf(folder, entry, /\.(csv|jsonl?|parquet)$/));

const pupilMeasure: Measure<pupils.PupilScore> = {
  head: pupils.head,
  score: async (folder, entry, { rows }, first) => pupils.scorePupils(await tableOf(folder, entry), rows, first),
  add: pupils.addPupils,
  row: pupils.pupilRow,
};
const boxMeasure: Measure<BoxScore> = {
  head: boxHead,
  score: async (folder, entry, { rows }, first) => scoreBoxes(await tableOf(folder, entry), rows, first),
  add: addBoxes,
  row: boxRow,
};
const maskMeasure: Measure<MaskScore> = {
  head: maskHead,
  async score(folder, entry, { mask }) {
    if (!mask) throw bad(`${entry.name}: vessel annotations are mask images with the same name.`);
    return scoreMasks(outputOf(folder, entry, /vessels\.png$/), mask);
  },
  add: addMasks,
  row: maskRow,
};
const measures: Partial<Record<Entry['analysis'], Measure<never>>> = {
  pupil: pupilMeasure as Measure<never>,
  faces: boxMeasure as Measure<never>,
  track: boxMeasure as Measure<never>,
  vessels: maskMeasure as Measure<never>,
};

/** Formats aligned columns, the first one aligned to the left. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, i) => (i ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  '))
    .join('\n');
}

/** Returns the exit code. @throws {FoveolaError} (rejects) 'invalid-argument' */
export async function score(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args, scoreOptions);
  const [folder, place, ...more] = positionals;
  if (folder === undefined || place === undefined || more.length)
    throw bad('foveola score needs RESULTS and ANNOTATIONS.');
  const { entries } = await Manifest.read(folder);
  if (!entries.length)
    throw bad(`${folder} has no results because foveola.jsonl is missing. Name the folder given with --out.`);
  const first = Number(values['first-frame']);
  if (!Number.isInteger(first)) throw bad('--first-frame must be a whole number.');
  const find = await annotations(place, [...new Set(entries.map(({ name }) => name))]);
  let failed = 0;
  let scored = 0;
  for (const [analysis, measure] of Object.entries(measures)) {
    const rows: string[][] = [];
    let sum: never | null = null;
    for (const entry of entries.filter((one) => one.analysis === analysis && one.status === 'done')) {
      try {
        const truth = await find(entry);
        if (!truth) continue;
        const counts = await measure.score(folder, entry, truth, first);
        sum = sum === null ? counts : measure.add(sum, counts);
        rows.push(measure.row(printable(entry.name), counts));
        scored++;
      } catch (error) {
        if (!(error instanceof FoveolaError)) throw error;
        failed++;
        printLine(`${entry.name}: ${error.message}`, process.stderr);
      }
    }
    if (!rows.length) continue;
    console.log(
      `\n${analysis}: ${rows.length} annotated of ${entries.filter((one) => one.analysis === analysis).length}\n`,
    );
    console.log(table([measure.head, ...rows, ...(rows.length > 1 ? [measure.row('all', sum!)] : [])]));
  }
  if (!scored && !failed)
    throw bad(`Nothing in ${place} belongs to a result in ${folder}. Name annotations like the inputs.`);
  if (scored) console.log('\nShares with their 95 % interval (Wilson). A frame without a detection counts as a miss.');
  return failed ? (scored ? 2 : 1) : 0;
}
