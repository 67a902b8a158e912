// Copies the golden figures of rectangle grouping, of similarity transforms, of detection in test/media/portrait.png and of
// the cascades' stages in a part of it (48 x 48) from ../shared/golden to test/golden/faces, for clones without that folder.
//   node lab/golden/copy-golden-faces.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import path from 'node:path';
import { sharedFolder } from '../../tools/serve.mjs';

const golden = path.join(sharedFolder, 'golden');
const { loadManifest, readFileRecord } = await import(pathToFileURL(path.join(golden, 'load.mjs')).href);
const out = fileURLToPath(new URL('../../test/golden/faces/', import.meta.url));
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
const packed = (record) => {
  const { buffer, byteOffset, byteLength } = readFileRecord(golden, record);
  const data = deflateSync(new Uint8Array(buffer, byteOffset, byteLength), { level: 9 }).toString('base64');
  return { dtype: record.dtype, shape: record.shape, data };
};
const cascades = loadManifest(golden).cases.flatMap((c) => {
  const { id, op, params, inputs, expected, tolerance, model } = c;
  if (op === 'haar_model') return [{ id, op, inputs: [{ file: path.basename(inputs[0].file) }], model }];
  if (op !== 'haar_stage_map' || !inputs[0].derivedFrom.includes('astronaut')) return [];
  const results = [packed(expected[0]), json(expected[1])];
  return [{ id, op, params, tolerance, inputs: [packed(inputs[0])], expected: results }];
});
writeFileSync(path.join(out, 'cascades.json'), `[\n${cascades.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`);
console.log(`${cascades.length} cases of cascades`);
