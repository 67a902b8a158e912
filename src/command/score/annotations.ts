/** A person's annotations beside the results of the same inputs. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { FoveolaError } from '../../node/index.ts';
import { readRows, type Row } from '../rows.ts';
import type { Entry } from '../entry.ts';

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

/** By an input's name; null without annotations. @throws {FoveolaError} (rejects) they may belong to another input */
export type AnnotationFinder = (entry: Pick<Entry, 'name'>) => Promise<Annotation | null>;

/**
 * @param place a CSV with a column `file`, a CSV of the only input, or a folder with one file an input: `clip.csv` or
 * `clip.mp4.csv` or `clip/annotations.csv` for clip.mp4, an image of the same name for a mask
 * @param names of all inputs that have results
 * @throws {FoveolaError} (rejects) 'invalid-argument'
 */
export async function annotations(place: string, names: readonly string[]): Promise<AnnotationFinder> {
  const about = await stat(place).catch(() => null);
  if (!about)
    throw new FoveolaError('invalid-argument', `${place} is not there. Name a CSV or a folder of annotations.`);
  return about.isDirectory() ? inFolder(place, names) : inTable(place, names);
}

const uncertain = (name: string, what: string) =>
  new FoveolaError(
    'invalid-argument',
    `${what} may be the annotation of ${name} or of another input. Name it by the whole path, as the results are.`,
  );

/** How well a name in a table stands for an input: its path, the end of its path, its file name, or that without the ending. */
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
      `${file} has annotations of one input, and there are ${names.length} results. Add a column 'file' with their names, or give a folder of annotations.`,
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

/** How well a file of annotations fits an input; 0: not at all. The same place counts more than the ending of the name. */
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
