// Copies the golden figures of the image stages, of edges and of the Hessian from ../shared/golden to
// test/golden/<capability>, for clones without that folder: cases whose inputs are synthetic (noise, ramps, constants,
// drawn masks and eyes).
// Photographs are not copied; their cases are tested where ../shared is there.
//   node tools/copy-golden.mjs [image | edges | vessels]
// cases.json has the manifest's cases; a file record becomes { dtype, shape, offset } into data.bin, one deflate stream.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import path from 'node:path';
import { sharedFolder } from './serve.mjs';

const capability = process.argv[2] ?? 'image';
const groups = {
  image: /^(01-gray|02-gaussian|03-median|04-morph|05-gradient|09-integral|11a-pyrdown|16-components|18-scan)$/,
  edges: /^(06-canny|07-hough-lines|08-hough-circles)$/,
  vessels: /^10-hessian$/,
}[capability];
const synthetic =
  /^(const|noise|sat|bin|ramp|checker|tiny|row|col_|px|rgba_(noise|corners|7x5|1x1|31x1)|eye_synth|antidiagonal|comb|spiral|eye_dark|synth_)/;
const maximum = 1.2e6;
/** Of the Hessian what the tests compare: floats hardly deflate. */
const wanted = (c) =>
  c.group !== '10-hessian' ||
  (/^(hessian_eigen|hessian_eigen_gradgrad|vesselness)$/.test(c.op) && !/eye_synth/.test(c.id));
const compared = (r) => !/^L/.test(r.name ?? '');

const golden = path.join(sharedFolder, 'golden');
const { loadManifest, readFileRecord } = await import(pathToFileURL(path.join(golden, 'load.mjs')).href);
const out = fileURLToPath(new URL(`../test/golden/${capability}/`, import.meta.url));

const chunks = [];
const offsets = new Map();
let size = 0;
function record(r) {
  if (!r.file || r.file.endsWith('.json')) {
    const value = r.file ? { json: JSON.parse(readFileSync(path.join(golden, r.file), 'utf8')) } : r;
    return { ...(r.name ? { name: r.name } : {}), ...value };
  }
  if (!offsets.has(r.file)) {
    const { buffer, byteOffset, byteLength } = readFileRecord(golden, r);
    const padded = new Uint8Array(Math.ceil(byteLength / 8) * 8);
    padded.set(new Uint8Array(buffer, byteOffset, byteLength));
    offsets.set(r.file, size);
    chunks.push(padded);
    size += padded.length;
  }
  return { ...(r.name ? { name: r.name } : {}), dtype: r.dtype, shape: r.shape, offset: offsets.get(r.file) };
}

const cases = loadManifest(golden)
  .cases.filter((c) => groups.test(c.group) && c.op !== 'canny_steps' && wanted(c))
  .filter((c) => c.inputs.every((r) => !r.file || synthetic.test(path.basename(r.file))))
  .map((c) => ({
    ...c,
    reference: undefined,
    inputs: c.inputs.map(record),
    expected: c.expected.filter(compared).map(record),
  }));

const data = deflateSync(Buffer.concat(chunks), { level: 9 });
if (data.length > maximum) throw new Error(`${data.length} bytes of figures; at most ${maximum} are wanted`);
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, 'data.bin'), data);
writeFileSync(path.join(out, 'cases.json'), `[\n${cases.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`);
console.log(`${cases.length} cases, ${size} bytes of figures in ${data.length}`);
