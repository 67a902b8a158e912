// Learns the confidence of a landmark model and writes it into the model: npm run lab -- train-landmarks --confidence FACES model.bin
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readFaces } from './dataset.mjs';
import { judgeDefaults, trainConfidence } from './confidence.mjs';
import { along } from './samples.mjs';
import { similarity } from './shapes.mjs';

/** Of each direction of the shape space how much the square of a way along it counts: by how far faces lie along it. */
function weightsOf(faces, space) {
  const { values } = faces;
  const squares = new Float64Array(space.size);
  const [own, ways] = [new Float32Array(values), new Float32Array(space.size)];
  for (let n = 0; n < faces.count; n++) {
    const shape = faces.shapes.subarray(n * values, (n + 1) * values);
    const [a, b, x, y] = similarity(space.mean, shape);
    for (let k = 0; k < values; k += 2) {
      const [u, v] = [shape[k] - x, shape[k + 1] - y];
      own[k] = (a * u + b * v) / (a * a + b * b);
      own[k + 1] = (a * v - b * u) / (a * a + b * b);
    }
    along(space, own, ways);
    ways.forEach((way, d) => (squares[d] += way * way));
  }
  const least = squares.reduce((a, b) => Math.max(a, b)) / 1e4;
  return Float32Array.from(squares, (sum) => faces.count / Math.max(sum, least) / space.size);
}

/** Mean, basis, and where the feature pixels of the last cascade hang. */
function spaceOf({ payload, points, cascades, pixels }) {
  const view = new DataView(payload.buffer, payload.byteOffset);
  const floats = (at, length) => Float32Array.from({ length }, (_, k) => view.getFloat32(at + 4 * k, true));
  const [mean, anchors, deltas, patch] = [32, 36, 40, 60].map((at) => view.getUint32(at, true));
  const size = view.getUint32(patch + 8, true);
  const basis = patch + 32 + ((4 * cascades + 15) & ~15);
  const last = (cascades - 1) * pixels;
  return {
    ...{ pixels, size, mean: floats(mean, 2 * points), basis: floats(basis, 2 * points * size) },
    anchors: Array.from({ length: pixels }, (_, i) => view.getUint16(anchors + 2 * (last + i), true)),
    deltas: floats(deltas + 8 * last, 2 * pixels),
  };
}

/**
 * @param library  lab/landmarks/judge-library.ts
 * @returns the bytes of the model with its confidence
 */
export async function judgeModel(library, kernels, faces, bytes, options, report) {
  const { Runtime, driveNow, fitFaces, openLandmarks, withConfidence } = library;
  const runtime = await Runtime.create({ module: await WebAssembly.compile(kernels) });
  try {
    const model = openLandmarks(bytes);
    if (!model.patched) throw new Error('Only models of our own, with a patch, have a confidence.');
    const space = spaceOf(model);
    const weights = weightsOf(faces, space);
    // The weights are among what the confidence is computed from: first with trees that say nothing.
    const nothing = { trees: 1, depth: 1, weights, splitPixels: [0, 0], thresholds: [0], leaves: [0, 0] };
    const plain = openLandmarks(withConfidence(model, nothing));
    const fit = ({ width, height, data }, boxes) => {
      const plane = runtime.plane(width, height, 'u8', new Uint8Array(data));
      const fits = driveNow(runtime, (scope) => fitFaces(scope, plane, boxes, plain, { numbers: true }));
      plane.dispose();
      return fits;
    };
    return withConfidence(model, trainConfidence(faces, { ...space, weights }, fit, options, report));
  } finally {
    runtime.dispose();
  }
}

/** Without the first ones: those may be kept for tests. */
function fromOn({ count, side, values, gray, shapes, records }, first) {
  const rest = { count: count - first, side, values, records: records.slice(first) };
  return { ...rest, gray: gray.subarray(first * side * side), shapes: shapes.subarray(first * values) };
}

/** @param given  { library, kernels } */
export async function judgeCommand(args, { library, kernels }) {
  const names = [...Object.keys(judgeDefaults), 'seed'];
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries([...names, 'faces', 'from', 'to'].map((name) => [name, { type: 'string' }])),
  });
  const [folder, file] = positionals;
  if (!file) throw new Error('Name a folder of faces that the model has not learned from, and the model.');
  const given = Object.fromEntries(names.filter((name) => values[name]).map((name) => [name, Number(values[name])]));
  const faces = fromOn(readFaces(folder, values.faces ? Number(values.faces) : undefined), Number(values.from ?? 0));
  const bytes = await judgeModel(library, kernels, faces, new Uint8Array(readFileSync(file)), given);
  const to = values.to ?? file;
  writeFileSync(to, bytes);
  console.log(`${to}: ${bytes.length} bytes`);
}
