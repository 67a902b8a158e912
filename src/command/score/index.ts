/** `foveola score RESULTS ANNOTATIONS`: the accuracy tables of this project for a person's own annotations. */
import path from 'node:path';
import { FoveolaError } from '../../node/index.ts';
import type { Entry } from '../entry.ts';
import { Manifest } from '../manifest.ts';
import { bad, parsed } from '../plan.ts';
import { readRows } from '../rows.ts';
import { printable, printLine } from '../terminal.ts';
import { scoreOptions } from '../usage.ts';
import { isFile } from '../whole-files.ts';
import { annotations, type Annotation } from './annotations.ts';
import * as boxes from './boxes.ts';
import * as masks from './masks.ts';
import * as pupils from './pupils.ts';

/** How one kind of result is measured: `T` the counts of one input, which can be added up. */
interface Measure<T> {
  head: string[];
  score(folder: string, entry: Entry, truth: Annotation, first: number): Promise<T>;
  add(a: T, b: T): T;
  row(name: string, score: T): string[];
}

/** The first file of a result that has such a name. */
function outputOf(folder: string, { name, outputs, hashes }: Entry, ending: RegExp): string {
  const index = outputs.findIndex((output) => ending.test(output));
  const file = path.join(folder, outputs[index] ?? '');
  if (index < 0 || !isFile(file, hashes[index]!))
    throw bad(`${name}: its result is not there, or is not the file that is listed. Do its analysis again.`);
  return file;
}

const tableOf = async (folder: string, entry: Entry) => readRows(outputOf(folder, entry, /\.(csv|jsonl?|parquet)$/));

const pupilMeasure: Measure<pupils.PupilScore> = {
  head: pupils.head,
  score: async (folder, entry, { rows }, first) => pupils.scorePupils(await tableOf(folder, entry), rows, first),
  add: pupils.addPupils,
  row: pupils.pupilRow,
};
const boxMeasure: Measure<boxes.BoxScore> = {
  head: boxes.head,
  score: async (folder, entry, { rows }, first) => boxes.scoreBoxes(await tableOf(folder, entry), rows, first),
  add: boxes.addBoxes,
  row: boxes.boxRow,
};
const maskMeasure: Measure<masks.MaskScore> = {
  head: masks.head,
  async score(folder, entry, { mask }) {
    if (!mask) throw bad(`${entry.name}: the annotations of vessels are masks, images of the same name.`);
    return masks.scoreMasks(outputOf(folder, entry, /vessels\.png$/), mask);
  },
  add: masks.addMasks,
  row: masks.maskRow,
};
const measures: Partial<Record<Entry['analysis'], Measure<never>>> = {
  pupil: pupilMeasure as Measure<never>,
  faces: boxMeasure as Measure<never>,
  track: boxMeasure as Measure<never>,
  vessels: maskMeasure as Measure<never>,
};

/** Columns side by side, the first to the left. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, i) => (i ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  '))
    .join('\n');
}

/** The exit code. @throws {FoveolaError} (rejects) 'invalid-argument' */
export async function score(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args, scoreOptions);
  const [folder, place, ...more] = positionals;
  if (folder === undefined || place === undefined || more.length)
    throw bad('foveola score needs two places: RESULTS ANNOTATIONS.');
  const { entries } = await Manifest.read(folder);
  if (!entries.length)
    throw bad(`${folder} has no results: there is no list foveola.jsonl in it. Name the folder that --out named.`);
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
    throw bad(`Nothing in ${place} belongs to a result in ${folder}: annotations have the names of the inputs.`);
  if (scored)
    console.log('\nShares with their 95 % interval (Wilson). A frame on which nothing is found counts as a miss.');
  return failed ? (scored ? 2 : 1) : 0;
}
