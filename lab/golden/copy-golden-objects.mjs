// Copies the golden figures of median flow (points, their tracks and the box that follows from them; no pictures) from
// ../shared/golden to test/golden/objects, for clones without that folder.
//   node lab/golden/copy-golden-objects.mjs
// Lists of numbers are deflated and in base64.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import path from 'node:path';
import { sharedFolder } from '../../tools/serve.mjs';

const golden = path.join(sharedFolder, 'golden');
const { loadManifest, readFileRecord } = await import(pathToFileURL(path.join(golden, 'load.mjs')).href);
const out = fileURLToPath(new URL('../../test/golden/objects/', import.meta.url));
const { cases } = loadManifest(golden);

/** Of the points the grid of 10 by 10 in the box; corners and edges come after it. */
const POINTS = 100;
const packed = (record) => {
  const all = readFileRecord(golden, record);
  const { buffer, byteOffset, byteLength } = all.subarray(0, POINTS * (record.shape[1] ?? 1));
  const data = deflateSync(new Uint8Array(buffer, byteOffset, byteLength), { level: 9 }).toString('base64');
  return { name: record.name, dtype: record.dtype, data };
};
const tracked = cases
  .filter(({ op }) => op === 'median_flow')
  .map(({ id, op, params, expected }) => {
    const from = cases.find((one) => one.id === id.replace('_medianflow', ''));
    const wanted = ['points', 'next', 'status', 'backwardStatus', 'fbError', 'ncc10x10'];
    const tracks = [...from.inputs, ...from.expected].filter(({ name }) => wanted.includes(name)).map(packed);
    const { box } = JSON.parse(readFileSync(path.join(golden, expected[0].file), 'utf8'));
    return { id, op, params, tracks, expected: [{ json: { box } }] };
  });
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, 'median-flow.json'), `[\n${tracked.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`);
console.log(`${tracked.length} cases`);
