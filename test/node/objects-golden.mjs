// Golden figures of the detector's pieces: those of test/golden/objects always, all of ../shared/golden where it is there.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { sharedFolder } from '../../tools/serve.mjs';
import { root } from '../../tools/setup.mjs';
import { readGrayPng } from '../support/png-reader.mjs';

const arrays = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, f32: Float32Array };
/** Of samples in one stream, each so-manieth of a shape may be there. */
const samples = ({ dtype, shape, every = 1, offset }, buffer) =>
  new arrays[dtype](buffer, offset, Math.ceil(shape.reduce((a, b) => a * b) / every));

function own() {
  const folder = path.join(root, 'test/golden/objects');
  const list = (name) => JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  const { buffer } = Uint8Array.from(inflateSync(readFileSync(path.join(folder, 'data.bin'))));
  const part = ({ media, x, y, shape: [height, width] }) => {
    const picture = readGrayPng(path.join(root, 'test/media', media));
    const at = (i) => picture.width * (y + Math.floor(i / width)) + x + (i % width);
    return Uint8Array.from({ length: width * height }, (_, i) => picture.data[at(i)]);
  };
  const inflated = ({ dtype, data }) =>
    new arrays[dtype](Uint8Array.from(inflateSync(Buffer.from(data, 'base64'))).buffer);
  return {
    cases: [...list('cases'), ...list('median-flow')],
    read: (record) =>
      record.json ?? (record.media ? part(record) : record.data ? inflated(record) : samples(record, buffer)),
    tracksOf: ({ tracks }) => tracks,
  };
}

async function shared() {
  const folder = path.join(sharedFolder, 'golden');
  if (!existsSync(path.join(folder, 'manifest.json'))) return [];
  const { loadManifest, readFileRecord } = await import(pathToFileURL(path.join(folder, 'load.mjs')).href);
  const { cases } = loadManifest(folder);
  const tracksOf = ({ id }) => {
    const from = cases.find((one) => one.id === id.replace('_medianflow', ''));
    return [...from.inputs, ...from.expected];
  };
  return [{ cases, read: (record) => readFileRecord(folder, record), tracksOf }];
}

/** { cases, read(record), tracksOf(case of median flow) } of each. */
export const goldens = async () => [own(), ...(await shared())];
