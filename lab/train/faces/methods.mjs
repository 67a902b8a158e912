// The network, the cascades and both (the default), as measure.mjs and heads.mjs call them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importTs } from '../../../tools/import-ts.mjs';
import { root } from '../../../tools/setup.mjs';

export const lib = await importTs('lab/train/faces/measure-library.ts');
const file = (name) => new Uint8Array(readFileSync(path.join(root, name)));
const module = await WebAssembly.compile(file('dist/kernels.wasm'));
const runtime = await lib.Runtime.create({ module });
const network = lib.readNetwork(file(process.env.MODEL ?? 'models/faces.bin'));
const [cascade, second] = ['frontalface_alt', 'frontalface_alt2'].map((name) => lib.readCascade(file(`models/${name}.bin`))); // prettier-ignore
const judge = lib.readJudge(file('models/face-judge.bin'));
export const methods = {
  network: (scope, plane, values) => lib.networkFaces(scope, plane, network, values),
  cascades: (scope, plane, values) => lib.findFaces(scope, plane, cascade, second, values, judge),
  *default(scope, plane, values) {
    const found = yield* methods.cascades(scope, plane, values);
    yield* lib.addNetworkFaces(scope, plane, { network, cascades: [cascade, second, judge] }, found, values);
    return found;
  },
};

/** Faces that a method finds in a picture of gray levels, and its seconds of one thread. */
export async function faces(method, { width, height, data }, given) {
  const { variant: _, cascade: __, verifier: ___, judged: ____, ...values } = lib.resolveDetection(given);
  const plane = runtime.plane(width, height, 'u8', data);
  const before = process.cpuUsage();
  const found = await lib.drive(runtime, (scope) => methods[method](scope, plane, values), { side: 'wasm' });
  const seconds = process.cpuUsage(before).user / 1e6;
  plane.dispose();
  return { found, seconds };
}
