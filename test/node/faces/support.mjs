// What the tests of faces share: a runtime on the single-thread kernels, golden files, small made-up cascades.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { importTs } from '../../../tools/import-ts.mjs';
export { generator } from '../../../tools/random.mjs';
import { sharedFolder } from '../../../tools/serve.mjs';
import { root } from '../../../tools/setup.mjs';
import { readGrayPng } from '../../support/png-reader.mjs';

export const shared = existsSync(sharedFolder) ? sharedFolder : null;
/** A face, gray, 512x512. */
export const portrait = () => readGrayPng(path.join(root, 'test/media/portrait.png'));

/** A cascade by the name of its XML file, which ../shared has; else the shipped one, made from the same file. */
export const cascadeNamed = (name) =>
  shared
    ? library.readCascadeXml(readFileSync(`${shared}/data/faces/models/${name}`, 'utf8'))
    : library.readCascade(modelFile(name.replace('haarcascade_', '').replace('.xml', '.bin')));

export const modelFile = (name) => new Uint8Array(readFileSync(path.join(root, 'models', name)));

export const library = await importTs('test/node/faces/library.ts');

export async function makeRuntime(options = {}) {
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  return library.Runtime.create({ ...options, module });
}

const arrays = { u8: Uint8Array, i8: Int8Array };
/** A record of test/golden: figures, deflated samples in base64, or the portrait, which is not written twice. */
const ownRecord = (record) =>
  record.data
    ? new arrays[record.dtype](inflateSync(Buffer.from(record.data, 'base64')))
    : 'shape' in record
      ? portrait().data
      : record;

/** All golden cases, or without ../shared those of the portrait in test/media. */
export async function golden() {
  if (!shared) {
    const own = (name) => JSON.parse(readFileSync(path.join(root, `test/golden/faces/${name}.json`), 'utf8'));
    return { cases: [...own('portrait'), ...own('cascades')], read: ownRecord };
  }
  const folder = path.join(shared, 'golden');
  const { loadManifest, readFileRecord } = await import(pathToFileURL(path.join(folder, 'load.mjs')).href);
  return { cases: loadManifest(folder).cases, read: (record) => readFileRecord(folder, record) };
}

export const copiedGolden = JSON.parse(readFileSync(path.join(root, 'test/golden/faces/cases.json'), 'utf8'));

/** A small landmark model that is trained on rendered faces, and four others of them with their 68 points, known exactly. */
export const trainedLandmarks = () => new Uint8Array(readFileSync(path.join(root, 'test/media/landmarks.bin')));
export function renderedFaces() {
  const sheet = readGrayPng(path.join(root, 'test/media/faces.png'));
  const points = JSON.parse(readFileSync(path.join(root, 'test/media/faces.json'), 'utf8'));
  const size = sheet.height;
  return points.map((truth, n) => {
    const at = (i) => Math.floor(i / size) * sheet.width + n * size + (i % size);
    const data = Uint8Array.from({ length: size * size }, (_, i) => sheet.data[at(i)]);
    return { image: { width: size, height: size, data }, points: truth };
  });
}

/** Made-up cascades and images. */
export const { randomCascade, randomImage } = library;
