// Rows of other detectors on the same sets: the tables of peers.md, which lies beside the media. Read, not repeated
// here: whoever measures them again changes that file alone.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** heading of a set -> [{ detector, cells: numbers }]; empty where there is no such file. */
export function peerTables(shared) {
  const file = shared && path.join(shared, 'peers.md');
  const tables = new Map();
  if (!file || !existsSync(file)) return tables;
  const text = readFileSync(file, 'utf8');
  for (const part of text.split(/^### /m).slice(1)) {
    const rows = part
      .split(/^## /m)[0]
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.includes('---'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.replaceAll('*', '').trim()),
      );
    const [head, ...body] = rows;
    if (head?.[0] !== 'detector') continue;
    tables.set(
      part.split('\n')[0],
      body.map(([detector, ...cells]) => ({ detector, cells: cells.map(Number) })),
    );
  }
  return tables;
}

/** Starburst, PuRe and the best of all in each column, for the set whose heading begins so. */
export function peersOf(tables, heading) {
  const rows = [...tables].find(([name]) => name.startsWith(heading))?.[1];
  if (!rows) return [];
  const of = (detector) => rows.find((row) => row.detector === detector);
  const best = rows[0].cells.map((_, i) => Math.max(...rows.map(({ cells }) => cells[i]).filter(Number.isFinite)));
  best[best.length - 1] = NaN; // the least time says nothing beside the best of something else
  return [
    { detector: 'peer: Starburst', cells: of('Starburst').cells },
    { detector: 'peer: PuRe', cells: of('PuRe').cells },
    { detector: `best of ${rows.length} peers, each column`, cells: best.map((v) => (Number.isFinite(v) ? v : NaN)) },
  ];
}
