import { readFileSync } from 'node:fs';

/** Rows of a CSV file without quotes, as objects of strings. */
export function readCsv(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i], value])));
}
