/** Text of CSV tables: fields, lines and the formats. Everything that writes a CSV uses this file. */
import { FoveolaError } from '../runtime/error.ts';

/**
 * 'plain': starts with the column names. 'comments': lines that start with `# ` contain the metadata, followed by the
 * plain table. 'excel': for Excel in countries with a decimal comma: semicolons, decimal commas, a byte order mark.
 * 'pupilext': exactly the columns that PupilEXT writes. Only for pupil recordings.
 */
export const csvFormats = ['plain', 'comments', 'excel', 'pupilext'] as const;
export type CsvFormat = (typeof csvFormats)[number];

export interface CsvOptions {
  /** Default: 'plain'. */
  format?: CsvFormat;
}

/** Throws 'invalid-argument'. */
export function checkFormat(format: unknown, allowed: readonly CsvFormat[] = csvFormats): asserts format is CsvFormat {
  if (!allowed.includes(format as CsvFormat))
    throw new FoveolaError(
      'invalid-argument',
      `exportCsv: format must be ${allowed.map((name) => `'${name}'`).join(' or ')}, not ${String(format)}.`,
    );
}

/** Formats of a table that is not a pupil recording. */
export const tableFormats = csvFormats.slice(0, 3);

/** A value of a table. Null: unknown, an empty field. */
export type Field = string | number | boolean | null;

/** A number with a maximum number of decimal places. Null if it is unknown. */
export const rounded = (value: number, digits: number): number | null =>
  Number.isFinite(value) ? Number(value.toFixed(digits)) : null;

/** Quotes for a separator of `,` or `;`. A quoted `#` does not start a comment. */
export const quoted = (text: string) => (/[",;#\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
/** Quotes external text (file names, labels). Spreadsheets would treat text that starts like a formula as one. */
export const textField = (text: string) => quoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** The lines of a table, each ending with \n. */
export const csvLines = (rows: readonly (readonly Field[])[], format: CsvFormat = 'plain'): string =>
  rows
    .map((fields) => `${fields.map((field) => fieldOf(field, format)).join(format === 'excel' ? ';' : ',')}\n`)
    .join('');

function fieldOf(field: Field, format: CsvFormat): string {
  if (typeof field === 'string') return textField(field);
  const text = field === null ? '' : String(Number(field));
  return format === 'excel' ? text.replace('.', ',') : text;
}

/** The text before the first row: metadata lines for 'comments', the column names. */
export const csvStart = (names: readonly string[], format: CsvFormat, comments: () => readonly string[]): string =>
  (format === 'excel' ? '\uFEFF' : '') +
  (format === 'comments'
    ? comments()
        .map((line) => `# ${oneLine(line)}\n`)
        .join('')
    : '') +
  csvLines([names], format);

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ');
/** `textField` for part of a metadata line. Spreadsheets split these lines at commas, as if they were rows. */
export const inert = (text: string) => oneLine(text).replace(/(^|[,;\t]\s*)(?=[=+\-@])/g, "$1'");
export const inertJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? inert(part) : part));
