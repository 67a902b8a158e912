/** A person's annotations beside the results of the same inputs. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { FoveolaError } from '../../node/index.ts';
import { readRows, type Row } from '../rows.ts';
import type { Entry } from '../manifest.ts';

/** Columns that name the input, where one file has the annotations of several. */
const fileColumns = ['file', 'filename', 'image', 'name', 'input'];

/** The annotations of one input: rows of a table, or the path of a mask. */
export interface Annotation {
  rows: Row[];
  mask: string | null;
}

/** Masks. */
const picture = /\.(png|tiff?|gif|bmp|jpe?g|webp)$/i;

const stem = (name: string) => path.basename(name).replace(/\.[^.]+$/, '');

/** By an input's name; null where there are none for it. */
export type AnnotationFinder = (entry: Pick<Entry, 'name'>) => Promise<Annotation | null>;

/**
 * @param place a CSV with a column `file`, a CSV of the only input, or a folder with one file an input: `clip.csv` or
 * `clip.mp4.csv` or `clip/annotations.csv` for clip.mp4, an image of the same name for a mask
 * @throws {FoveolaError} (rejects) 'invalid-argument'
 */
export async function annotations(place: string, inputs: number): Promise<AnnotationFinder> {
  const about = await stat(place).catch(() => null);
  if (!about)
    throw new FoveolaError('invalid-argument', `${place} is not there. Name a CSV or a folder of annotations.`);
  return about.isDirectory() ? inFolder(place) : inTable(place, inputs);
}

async function inTable(file: string, inputs: number): Promise<AnnotationFinder> {
  const rows = await readRows(file);
  const column = fileColumns.find((name) => rows[0] && name in rows[0]);
  if (!column && inputs > 1)
    throw new FoveolaError(
      'invalid-argument',
      `${file} has annotations of one input, and there are ${inputs} results. Add a column 'file' with their names, or give a folder of annotations.`,
    );
  return async ({ name }) => {
    const own = column ? rows.filter((row) => same(String(row[column]), name)) : rows;
    return own.length ? { rows: own, mask: null } : null;
  };
}

const same = (given: string, name: string) =>
  given === name || path.basename(given) === path.basename(name) || (!path.extname(given) && stem(name) === given);

async function inFolder(folder: string): Promise<AnnotationFinder> {
  const files = await readdir(folder, { recursive: true });
  return async ({ name }) => {
    const fitting = (file: string) =>
      [`${path.basename(name)}.csv`, `${stem(name)}.csv`].includes(path.basename(file)) ||
      (path.basename(file) === 'annotations.csv' && path.basename(path.dirname(file)) === stem(name)) ||
      (stem(file) === stem(name) && picture.test(file));
    const own = files.filter(fitting);
    // The nearest to the same place below the folder.
    const beside = own.find((file) => path.dirname(file) === path.dirname(name)) ?? own[0];
    if (beside === undefined) return null;
    const whole = path.join(folder, beside);
    return beside.endsWith('.csv') ? { rows: await readRows(whole), mask: null } : { rows: [], mask: whole };
  };
}
