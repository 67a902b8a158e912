// Copies the golden figures of the image stages, of edges, of the Hessian and of tracked points from ../shared/golden to
// test/golden/<capability>, for clones without that folder: cases whose inputs are synthetic (noise, ramps, constants,
// drawn masks and eyes) or parts of photographs that may be passed on (test/media/LICENSES.md). Of the latter, exact figures
// become their hash, others each 29th of them. Other photographs are not copied; their cases are tested where ../shared is there.
//   node lab/golden/copy-golden.mjs [image | edges | vessels | flow]
// cases.json has the manifest's cases; a file record becomes { dtype, shape, offset } into data.bin, one deflate stream.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import path from 'node:path';
import { sharedFolder } from '../../tools/serve.mjs';

const capability = process.argv[2] ?? 'image';
const groups = {
  image: /^(01-gray|02-gaussian|03-median|04-morph|05-gradient|09-integral|11a-pyrdown|16-components|18-scan)$/,
  edges: /^(06-canny|07-hough-lines|08-hough-circles)$/,
  vessels: /^10-hessian$/,
  flow: /^11b-pyrlk$/,
}[capability];
const synthetic =
  /^(const|noise|sat|bin|ramp|checker|tiny|row|col_|px|rgba_(noise|corners|7x5|1x1|31x1)|eye_synth|antidiagonal|comb|spiral|eye_dark|synth_)/;
/** Parts of scikit-image's camera, retina, chelsea and brick, all CC0. */
const free = /^(camera_(161x119|shift_)|retina_g_151x133|rgba_chelsea_165x121|brick_128)/;
/** A prime, so that no column is taken alone. */
const EVERY = 29;
const maximum = 1.2e6;
/** Of the Hessian what the tests compare: floats hardly deflate. */
const wanted = (c) =>
  c.group !== '10-hessian' ||
  (/^(hessian_eigen|hessian_eigen_gradgrad|vesselness|vesselness_skimage)$/.test(c.op) && !/eye_synth/.test(c.id));
/** Inputs of floats hardly deflate either. */
const bulky = (c) => c.inputs.some((r) => /_f32in/.test(r.file) && free.test(path.basename(r.file)));
const compared = (r) => !/^L/.test(r.name ?? '');

const golden = path.join(sharedFolder, 'golden');
const { loadManifest, readFileRecord } = await import(pathToFileURL(path.join(golden, 'load.mjs')).href);
const out = fileURLToPath(new URL(`../../test/golden/${capability}/`, import.meta.url));

const chunks = [];
const offsets = new Map();
let size = 0;

/** Where the samples are in data.bin. */
function placed(key, { buffer, byteOffset, byteLength }) {
  if (!offsets.has(key)) {
    const padded = new Uint8Array(Math.ceil(byteLength / 8) * 8);
    padded.set(new Uint8Array(buffer, byteOffset, byteLength));
    offsets.set(key, size);
    chunks.push(padded);
    size += padded.length;
  }
  return offsets.get(key);
}

const named = (r, rest) => ({ ...(r.name ? { name: r.name } : {}), ...rest });
function record(r) {
  if (!r.file || r.file.endsWith('.json')) {
    const value = r.file ? { json: JSON.parse(readFileSync(path.join(golden, r.file), 'utf8')) } : r;
    return named(r, value);
  }
  return named(r, { dtype: r.dtype, shape: r.shape, offset: placed(r.file, readFileRecord(golden, r)) });
}

/** A result on a photograph, small. */
function figures(r, c) {
  const { dtype, shape, sha256 } = r;
  // A correlation asks for all samples; those of points are few.
  if (!r.file || r.file.endsWith('.json') || /^(vesselness_skimage|pyrlk)$/.test(c.op)) return record(r);
  // The tests hold votes to be exact.
  if (!c.tolerance.maxAbs || dtype === 'i32') return named(r, { dtype, shape, sha256 });
  const samples = readFileRecord(golden, r).filter((_, i) => i % EVERY === 0);
  return named(r, { dtype, shape, every: EVERY, offset: placed(`${r.file} ${EVERY}`, samples) });
}

const cases = loadManifest(golden)
  .cases.filter((c) => groups.test(c.group) && c.op !== 'canny_steps' && wanted(c))
  .filter((c) => !bulky(c))
  .map((c) => ({ c, photograph: c.inputs.some((r) => r.file && free.test(path.basename(r.file))) }))
  .filter(({ c, photograph }) => photograph || c.inputs.every((r) => !r.file || synthetic.test(path.basename(r.file))))
  .map(({ c, photograph }) => ({
    ...c,
    reference: undefined,
    inputs: c.inputs.map(record),
    expected: c.expected.filter(compared).map((r) => (photograph ? figures(r, c) : record(r))),
  }));

const data = deflateSync(Buffer.concat(chunks), { level: 9 });
if (data.length > maximum) throw new Error(`${data.length} bytes of figures; at most ${maximum} are wanted`);
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, 'data.bin'), data);
writeFileSync(path.join(out, 'cases.json'), `[\n${cases.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`);
console.log(`${cases.length} cases, ${size} bytes of figures in ${data.length}`);
