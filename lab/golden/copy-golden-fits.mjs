// Copies the golden figures of the circle and ellipse fits from ../shared/golden to test/golden/pupil: all cases, as
// their points are drawn by a generator or by hand.
//   node lab/golden/copy-golden-fits.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import { sharedFolder } from '../../tools/serve.mjs';

const golden = path.join(sharedFolder, 'golden');
const { loadManifest, readFileRecord } = await import(pathToFileURL(path.join(golden, 'load.mjs')).href);
const out = fileURLToPath(new URL('../../test/golden/pupil/', import.meta.url));

const cases = loadManifest(golden)
  .cases.filter((c) => c.group === '15a-circle' || c.group === '15b-ellipse')
  .map((c) => {
    const { points } = readFileRecord(golden, c.inputs[0]);
    const answer = readFileRecord(golden, c.expected[0]);
    return { id: c.id, tolerance: c.tolerance, points, expected: answer.circle ?? answer.ellipse ?? null };
  });

mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, 'fits.json'), `[\n${cases.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`);
console.log(`${cases.length} cases`);
