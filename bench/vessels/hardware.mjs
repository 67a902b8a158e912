// Vessels on the GPU: upload and eigenvalues, eigenvalues alone and read-back apart, against the paper's GPUs.
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON)
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packPage } from '../parts/pack-page.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { openTimes } from './parts/time-bench.mjs';

const ENTRY = { entry: 'bench/vessels/parts/time-page.ts', name: 'vesselTimes', title: 'hardware vessels' };
/** Milliseconds of paper 003: GTX 950 and GTX 960; the HRF image on the latter. */
const PAPER = { '700x605': '27.2 / 17', '3504x2336': '170' };
const argument = (args, name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

export default async function hardware(given) {
  const { args, log } = given;
  const folder = argument(args, '--pack');
  if (folder) {
    await packPage(path.resolve(folder), ENTRY);
    return log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
  }
  const file = argument(args, '--result');
  const result = file
    ? JSON.parse(
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .at(-1),
      )
    : await (
        await openTimes(given)
      )('measure');
  const report = new Report(given);
  const { machine, ...cases } = result;
  report.line(`${machine.renderer}${machine.software ? ': software, which says only that everything runs' : ''}.`);
  const rows = [
    [
      'image',
      'upload and eigenvalues, ms',
      'eigenvalues alone',
      'GPU clock',
      'read-back',
      'WASM, one thread',
      "the paper's GPUs",
    ],
  ];
  for (const [name, { gpu, wasm }] of Object.entries(cases))
    rows.push([
      name,
      ...[
        gpu['upload and eigenvalues'],
        gpu['eigenvalues alone'],
        gpu['GPU clock'],
        gpu['read-back'],
        wasm.eigenvalues,
      ].map((v) => fixed(v, 2)),
      name.endsWith('sigma 2') ? (PAPER[name.split(',')[0]] ?? '') : '',
    ]);
  report.table(rows);
  report.finish('docs/performance.md', 'hardware vessels', 'hardware vessels');
}
