/** Reads tables from files: results in each of their formats, and annotations as CSV. */
import Papa from 'papaparse';
import { FoveolaError } from '../node/index.ts';
import { stampOf, textAt } from './whole-files.ts';

export type Row = Readonly<Record<string, unknown>>;

/**
 * Rows of a CSV, JSON, JSON lines or Parquet file. Numbers are numbers, and empty cells are null.
 * @throws {FoveolaError} (rejects) 'invalid-argument': the file cannot be read, or is not such a table
 */
export async function readRows(file: string): Promise<Row[]> {
  try {
    return await rowsOf(file);
  } catch (cause) {
    if (cause instanceof FoveolaError) throw cause;
    throw new FoveolaError('invalid-argument', `${file} is not a readable table (${(cause as Error).message}).`, {
      cause,
    });
  }
}

async function rowsOf(file: string): Promise<Row[]> {
  if (file.endsWith('.parquet')) {
    stampOf(file);
    const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet');
    return parquetReadObjects({ file: await asyncBufferFromFile(file) });
  }
  const text = await textAt(file);
  if (file.endsWith('.json')) {
    const { rows = [] } = JSON.parse(text) as { rows?: Row[] };
    return rows;
  }
  if (file.endsWith('.jsonl'))
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
      .filter((row) => !('header' in row));
  return csvRows(text);
}

/** Maximum columns of a table. No annotation has a tenth of them, and each becomes a name in every row. */
const MOST_COLUMNS = 4096;

function csvRows(text: string): Row[] {
  const columns = (Papa.parse<string[]>(text, { comments: '#', skipEmptyLines: true, preview: 1 }).data[0] ?? [])
    .length;
  if (columns > MOST_COLUMNS)
    throw new FoveolaError(
      'invalid-argument',
      `The table has ${columns} columns. The maximum is ${MOST_COLUMNS}. Keep only the annotation columns.`,
    );
  const { data } = Papa.parse<Record<string, unknown>>(text, {
    header: true,
    comments: '#',
    skipEmptyLines: true,
    transformHeader: (name) => name.trim(),
    transform: (cell) => cell.trim(),
  });
  return data.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [
        name,
        cell === '' ? null : Number.isFinite(Number(cell)) ? Number(cell) : cell,
      ]),
    ),
  );
}

/** The number of a row's frame, counted from 0. If it is missing, the number of the row. */
export const frameOf = (row: Row, index: number, first = 0): unknown =>
  typeof row['frame'] === 'number' ? row['frame'] - first : index;

/** The first number in these columns, otherwise NaN. */
export function numberOf(row: Row, names: readonly string[]): number {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'number') return value;
  }
  return NaN;
}
