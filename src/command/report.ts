/** `foveola report DIR`: one HTML page with plots of a folder of results. */
import path from 'node:path';
import { asFoveolaError, notice, version } from '../node/index.ts';
import type { Entry } from './entry.ts';
import { Manifest } from './manifest.ts';
import { bad, parsed } from './plan.ts';
import { numberOf, readRows, type Row } from './rows.ts';
import { fixed } from './score/accuracy.ts';
import { printable, printLine } from './progress.ts';
import { isFile, WholeFiles } from './whole-files.ts';

// A line over time as SVG. It needs no script, so the page opens anywhere and can be printed.

interface Line {
  name: string;
  unit: string;
  /** Milliseconds. */
  times: readonly number[];
  /** NaN: a gap. */
  values: readonly number[];
}

const WIDTH = 860;
const HEIGHT = 150;
const LEFT = 56;
const BOTTOM = 22;
/** If there are more points than pixels, the minimum and maximum of each pixel are drawn. */
const COLUMNS = WIDTH - LEFT;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

function plot({ name, unit, times, values }: Line): string {
  const known = values.filter((value) => Number.isFinite(value));
  if (!known.length) return `<p>${escaped(name)}: nothing found.</p>`;
  const [low, high] = known.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
  const margin = (high - low) * 0.05 || 1;
  const [bottom, top] = [low - margin, high + margin];
  const [first, last] = [times[0]!, times.at(-1)!];
  const x = (time: number) => LEFT + ((time - first) / (last - first || 1)) * COLUMNS;
  const y = (value: number) => ((top - value) / (top - bottom)) * (HEIGHT - BOTTOM);
  const text = (at: number, value: string, label: string) =>
    `<text x="${at}" y="${value}" class="tick">${escaped(label)}</text>`;
  const ticks = [low, high].map((value) => text(2, (y(value) + 4).toFixed(1), value.toPrecision(4)));
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(`${name}, ${unit}, from ${low.toPrecision(4)} to ${high.toPrecision(4)}`)}">
<path d="M${LEFT} 0V${HEIGHT - BOTTOM}H${WIDTH}" class="axis"/>
<path d="${pathOf(times, values, x, y)}" class="line"/>
${ticks.join('')}${text(LEFT, String(HEIGHT - 4), `${(first / 1000).toFixed(1)} s`)}
<text x="${WIDTH}" y="${HEIGHT - 4}" class="tick" text-anchor="end">${(last / 1000).toFixed(1)} s</text>
<text x="${WIDTH / 2}" y="${HEIGHT - 4}" class="tick" text-anchor="middle">${escaped(`${name}, ${unit}`)}</text>
</svg>`;
}

function pathOf(
  times: readonly number[],
  values: readonly number[],
  x: (time: number) => number,
  y: (value: number) => number,
): string {
  let d = '';
  let pen = false;
  for (let i = 0; i < times.length;) {
    const column = Math.floor(x(times[i]!));
    let [low, high] = [Infinity, -Infinity];
    for (; i < times.length && Math.floor(x(times[i]!)) === column; i++) {
      const value = values[i]!;
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (low > high) pen = false;
    else {
      d += `${pen ? 'L' : 'M'}${column} ${y(high).toFixed(1)}${low < high ? `V${y(low).toFixed(1)}` : pen ? '' : 'h.5'}`;
      pen = true;
    }
  }
  return d;
}

const reportName = 'report.html';

const css = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #ddd}
svg{width:100%;height:auto;display:block}img{max-width:100%;height:auto}.axis{fill:none;stroke:#767676}.line{fill:none;stroke:#0057b8;stroke-width:1}
.tick{font:11px system-ui,sans-serif;fill:#444}.failed{color:#a40000}section{break-inside:avoid;margin:2rem 0}`;

const timesOf = (rows: readonly Row[]) => rows.map((row) => numberOf(row, ['timestamp_ms', 'timestamp']));

/** A column of a table, if it contains numbers. */
function line(rows: readonly Row[], name: string, unit: string, columns: readonly string[]): Line[] {
  const values = rows.map((row) => numberOf(row, columns));
  return values.some(Number.isFinite) ? [{ name, unit, times: timesOf(rows), values }] : [];
}

/** The rows of each pupil, the suffix of its columns, and the person's eye if known. */
function pupilsOf(rows: readonly Row[]): { rows: readonly Row[]; suffix: string; name: string }[] {
  const named = (eye: unknown, pupil: string, many: boolean) =>
    eye === 'left' || eye === 'right' ? `, ${eye} eye` : many ? `, ${pupil}` : '';
  const suffixes = Object.keys(rows[0] ?? {}).flatMap((name) => /^diameter_px(_\w+)$/.exec(name)?.[1] ?? []);
  if (suffixes.length)
    return suffixes.map((suffix) => ({ rows, suffix, name: named(suffix.slice(1), suffix.slice(1), true) }));
  const pupils = [...new Set(rows.map((row) => row['pupil'] ?? 0))];
  return pupils.map((pupil) => {
    const own = rows.filter((row) => (row['pupil'] ?? 0) === pupil);
    return { rows: own, suffix: '', name: named(own[0]?.['eye'], `pupil${String(pupil)}`, pupils.length > 1) };
  });
}

/** The plots of an analysis, from the rows of its table. */
export const lines: Readonly<Record<string, (rows: readonly Row[]) => Line[]>> = {
  pupil: (all) =>
    pupilsOf(all).flatMap(({ rows, suffix, name }) => [
      ...line(rows, `diameter${name}`, 'mm', [`physicalDiameter_mm${suffix}`, 'diameterMm']),
      ...line(rows, `diameter${name}`, 'px', [`diameter_px${suffix}`, 'diameter']),
      ...line(rows, `confidence${name}`, '0 to 1', [`confidence${suffix}`]),
    ]),
  faces: (rows) => line(rows, 'score', '0 to 1', ['score']),
  track: (rows) => [...line(rows, 'confidence', '0 to 1', ['confidence']), ...line(rows, 'box width', 'px', ['width'])],
  flow: (rows) => line(rows, 'speed, median', 'px per frame', ['speed']),
};

/** Link to a file below the page. */
const link = (file: string) => file.split('/').map(encodeURIComponent).join('/');
const said = (text: string) => escaped(printable(text));

/** Anchor of an entry. Its key is not unique, because inputs with the same bytes have the same key. */
const idOf = (index: number) => `input-${index + 1}`;

async function section(folder: string, entry: Entry, index: number): Promise<string> {
  const title = `<h2 id="${idOf(index)}">${said(entry.name)}</h2>`;
  const failed = (message: string) => `<section>${title}<p class="failed">${said(message)}</p></section>`;
  if (entry.error) return failed(entry.error.message);
  const isListed = (file: string) => isFile(path.join(folder, file), entry.hashes[entry.outputs.indexOf(file)]!);
  const table = entry.outputs.find((file) => /\.(csv|jsonl?|parquet)$/.test(file));
  if (table && !isListed(table))
    return failed(`${table} is missing or differs from the listed file. Run the analysis again.`);
  let rows: Row[] = [];
  try {
    if (table && entry.analysis in lines) rows = await readRows(path.join(folder, table));
  } catch (error) {
    return failed(asFoveolaError(error, 'The report').message);
  }
  const plots = (lines[entry.analysis]?.(rows) ?? []).map(plot);
  const pictures = entry.outputs.filter((file) => file.endsWith('.png') && isListed(file));
  const shown = pictures.find((file) => file.includes('overlay')) ?? pictures[0];
  const image = shown ? `<img src="${link(shown)}" alt="${said(`results for ${entry.name}`)}" loading="lazy">` : '';
  const files = entry.outputs.map((file) => `<a href="${link(file)}">${said(path.basename(file))}</a>`);
  return `<section>${title}<p>${files.join(', ')}</p>${plots.join('\n')}${image}</section>`;
}

function overview(entries: readonly Entry[]): string {
  const names = [...new Set(entries.flatMap(({ summary }) => Object.keys(summary)))];
  const head = ['input', 'analysis', 'frames', ...names].map((name) => `<th scope="col">${said(name)}</th>`).join('');
  const rows = entries.map((entry, index) => {
    if (entry.error)
      return `<tr><td>${said(entry.name)}</td><td>${entry.analysis}</td><td class="failed" colspan="${names.length + 1}">${said(entry.error.message)}</td></tr>`;
    const numbers = names.map((name) => `<td>${fixed(entry.summary[name] ?? NaN, 3)}</td>`).join('');
    return `<tr><td><a href="#${idOf(index)}">${said(entry.name)}</a></td><td>${entry.analysis}</td><td>${entry.frames}</td>${numbers}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

/** Returns the exit code. @throws {FoveolaError} (rejects) 'invalid-argument' */
export async function report(args: readonly string[]): Promise<number> {
  const { positionals } = parsed(args, {});
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length) throw bad('foveola report needs one folder of results.');
  const { entries } = await Manifest.read(folder);
  if (!entries.length)
    throw bad(`${folder} has no results because foveola.jsonl is missing. Name the folder given with --out.`);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const done = entries.filter(({ status }) => status === 'done');
  const frames = done.reduce((sum, entry) => sum + entry.frames, 0);
  const files = new WholeFiles(folder);
  await files.write(
    reportName,
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>foveola: ${entries.length} results</title><style>${css}</style></head><body>
<h1>Results of foveola ${escaped(version)}</h1>
<p>${notice} ${done.length} inputs done, ${entries.length - done.length} failed, ${frames} frames.</p>
${overview(entries)}
${(await Promise.all(entries.map((entry, index) => section(folder, entry, index)))).join('\n')}
</body></html>
`,
  );
  await files.replace();
  printLine(path.join(folder, reportName));
  return 0;
}
