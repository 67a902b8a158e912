// Copies the golden figures of rectangle grouping, of similarity transforms and of detection in test/media/portrait.png (numbers,
// no pictures) from ../shared/golden to test/golden/faces, for clones without that folder.
//   node tools/copy-golden-faces.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import { sharedFolder } from './serve.mjs';

const golden = path.join(sharedFolder, 'golden');
const { loadManifest } = await import(pathToFileURL(path.join(golden, 'load.mjs')).href);
const out = fileURLToPath(new URL('../test/golden/faces/', import.meta.url));
const json = (record) => JSON.parse(readFileSync(path.join(golden, record.file), 'utf8'));
const cases = loadManifest(golden)
  .cases.filter((c) => c.op === 'group_rectangles_neighbours' || c.op === 'similarity')
  .map((c) => ({ id: c.id, op: c.op, params: c.params, input: json(c.inputs[0]), expected: json(c.expected[0]) }));
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, 'cases.json'), `[\n${cases.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`);
console.log(`${cases.length} cases`);
const portrait = loadManifest(golden)
  .cases.filter((c) => c.op === 'haar_detect' && c.id.startsWith('12-haar/astronaut_512'))
  .map((c) => ({
    id: c.id,
    op: c.op,
    params: c.params,
    inputs: [{ shape: [512, 512] }],
    expected: [json(c.expected[0])],
  }));
writeFileSync(path.join(out, 'portrait.json'), `[\n${portrait.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`);
console.log(`${portrait.length} cases of the portrait`);
