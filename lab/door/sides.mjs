// Backends: the predicted time of a call before it is measured, fitted to stored figures and compared with them. --write: into src/runtime/backend-costs.ts
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readResult } from '../../bench/parts/kept-result.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { ROWS } from '../../bench/door/parts/door-scene.js';

/** The result that is fitted to, of a graphics card with dedicated memory. Integrated devices have no result. */
export const KEPT = 'lab/results/door-h100.json';
export const FILE = 'src/runtime/backend-costs.ts';
const [OPEN, CLOSE] = ['  // bench: sides door', '  // /bench'];

/** Names of the table's rows as calls, and bytes of the result per pixel of the sources. */
const CALLS = {
  gaussian: ['gaussian', 1],
  'top-hat 19': ['morphology', 1],
  'median 7': ['median', 1],
  canny: ['canny', 1],
  'integral uint32': ['integral', 4],
  eigenvalues: ['hessianEigenvalues', 8],
  'dense flow': ['opticalFlow', 6.5],
  faces: ['detectFaces', 0],
  inpaint: ['inpaint', 4],
  vessels: ['vessels', 2],
};
/** Calls with two sources. */
const TWO = new Set(['opticalFlow', 'inpaint']);

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const round = (value) => Number(value.toPrecision(2));

/** The rows that are calls: { call, mega, out, row }, mega: millions of pixels of all sources. */
const rowsOf = (result) =>
  ROWS.filter(([name]) => CALLS[name]).map(([name, width, height]) => {
    const [call, out] = CALLS[name];
    const mega = ((TWO.has(call) ? 2 : 1) * width * height) / 1e6;
    return { call, out, mega, title: `${name} ${width}x${height}`, row: result[`${name} ${width}x${height}`] };
  });

/**
 * Calls on the GPU: { call, ms, mega, up, down } in megabytes. With samples in and out, minus the call overhead: the time that the
 * call of the WASM
 * backend needs in addition to its kernel. For calls whose result stayed there, the time that 'auto' noted: the shortest
 * of each, since the others were fetched or compiled.
 */
function observed(result) {
  const full = rowsOf(result['gpu-1'].rows).map(({ call, out, mega, title, row }) => {
    const { samples, handles } = result['wasm-1'].rows[title].worker;
    return { call, ms: row.worker.samples - (samples - handles), mega, up: mega, down: out * mega };
  });
  const sizes = Object.fromEntries(
    rowsOf(result['wasm-1'].rows).map(({ call, mega }) => [`${call} ${Math.round(Math.log2(1e6 * mega))}`, mega]),
  );
  const kept = Object.entries(result['auto-1'].columns.worker.profile.calls).flatMap(([key, { gpu }]) => {
    const [, call, size, place] = /^(\w+) .* 2\^(\d+) (arena|both)$/.exec(key) ?? [];
    const mega = sizes[`${call} ${size}`];
    const ms = Math.min(...gpu);
    const whole = full.find((one) => one.call === call && one.mega === mega)?.ms;
    return ms < whole && gpu.length > 1 ? { call, ms, mega, up: place === 'arena' ? mega : 0, down: 0 } : [];
  });
  return [...full, ...kept];
}

/** Least squares of relative differences without negative coefficients, one after the other until nothing changes. */
function fit(rows, names) {
  const found = Object.fromEntries(names.map((name) => [name, 0]));
  for (let round = 0; round < 20_000; round++)
    for (const name of names) {
      let [above, below] = [0, 0];
      for (const { ms, terms } of rows) {
        if (!terms[name]) continue;
        const rest = ms - Object.entries(terms).reduce((sum, [one, x]) => sum + found[one] * x, 0);
        const x = terms[name];
        above += ((rest + found[name] * x) * x) / ms ** 2;
        below += (x / ms) ** 2;
      }
      found[name] = Math.max(0, above / below);
    }
  return found;
}

/** Costs of a class of devices: see backend-costs.ts. */
export function costsOf(result) {
  const seen = observed(result);
  const calls = [...new Set(seen.map(({ call }) => call))];
  const gpu = fit(
    seen.map(({ call, ms, mega, up, down }) => ({ ms, terms: { fence: 1, up, down, [call]: mega } })),
    ['fence', 'up', 'down', ...calls],
  );
  const one = rowsOf(result['wasm-1'].rows);
  const wasm = fit(
    one.map(({ call, mega, row }) => ({ ms: row.worker.handles, terms: { [call]: mega } })),
    calls,
  );
  const spread = ['wasm-4', 'wasm-8'].flatMap((run) =>
    one.map(
      ({ title, row }) =>
        Math.log(row.worker.handles / result[run].rows[title].worker.handles) / Math.log(Number(run.slice(5))),
    ),
  );
  return {
    fence: round(gpu.fence),
    up: round(gpu.up),
    down: round(gpu.down),
    spread: round(median(spread)),
    calls: Object.fromEntries(
      one.map(({ call, out }) => [call, [round(wasm[call]), round(gpu[call]), out]]), //
    ),
  };
}

/** The lines of the file that hold them. */
export const linesOf = ({ calls, ...shared }) =>
  `${OPEN}\n${Object.entries(shared)
    .map(([name, value]) => `  ${name}: ${value},\n`)
    .join('')}  calls: {\n${Object.entries(calls)
    .map(([name, list]) => `    ${name}: [${list.join(', ')}],\n`)
    .join('')}  },\n${CLOSE}`;

/** Prediction for a row of the table, or null. `predict`: from steps, pixels and place. */
export function predictedRow(row, predict) {
  const [, name, width, height] = /^(.+) (\d+)x(\d+)/.exec(row);
  const [call] = CALLS[name] ?? CALLS[`${name} uint32`] ?? [];
  if (!call) return null;
  return predict([call], (TWO.has(call) ? 2 : 1) * width * height, 'gray');
}

/** For a result with its WASM and GPU rows: measured times next to predicted times. */
function compared(report, file, result, predict) {
  const rows = [['call', 'WASM: kept', 'predicted', 'GPU: kept', 'predicted', 'faster', 'predicted']];
  const side = (wasm, gpu) => (gpu < wasm ? 'GPU' : 'WASM');
  const wrong = [];
  for (const [title, { worker }] of Object.entries(result['wasm-1'].rows)) {
    const found = predictedRow(title, predict);
    if (!found) continue;
    const wasm = worker.handles;
    const gpu = result['gpu-1'].rows[title].worker.samples - (worker.samples - worker.handles);
    const sides = [side(wasm, gpu), side(found.wasm, found.gpu)];
    if (sides[0] !== sides[1]) wrong.push(title);
    rows.push([title, ...[wasm, found.wasm, gpu, found.gpu].map((ms) => fixed(ms, 1)), ...sides]);
  }
  report.table(rows);
  report.line(`${file}, one thread, ms without the door. Predicted on the slower side: ${wrong.join(', ') || 'none'}.`);
}

export default async function sides(given) {
  const { args, root, importTs } = given;
  const report = new Report({ ...given, args: [...args, '--result'] }); // all of it was measured on other machines
  if (args.includes('--write')) {
    const at = path.join(root, FILE);
    const text = readFileSync(at, 'utf8');
    const [start, end] = [text.indexOf(OPEN), text.indexOf(CLOSE)];
    const lines = linesOf(costsOf(readResult(KEPT)));
    writeFileSync(at, text.slice(0, start) + lines + text.slice(end + CLOSE.length));
  }
  const { predict } = await importTs('src/runtime/backend-costs.ts');
  for (const file of ['lab/results/door-h100.json', 'lab/results/door-h200.json']) {
    const result = readResult(file, report);
    const renderer = result['gpu-1'].columns.worker.gpu;
    compared(report, file, result, (...call) => predict(renderer, 1, ...call));
  }
  report.finish('lab/results/performance.md', 'sides door', 'sides door');
}
