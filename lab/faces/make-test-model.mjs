// Writes test/media/face-model.bin.gz: the face model of ../shared/data/ict with everything but its shapes' differences, so
// that a face looks the same whoever it is and whatever it does. The renderer's tests need no more, and it is a twentieth.
//   node lab/faces/make-test-model.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, sharedFolder } from '../../tools/serve.mjs';

const bytes = readFileSync(path.join(sharedFolder, 'data/ict/ict-face.bin'));
const begin = 12 + bytes.readUInt32LE(8);
const { sections } = JSON.parse(bytes.toString('utf8', 12, begin));
const [, , shape, offset] = sections.find(([name]) => name === 'deltas');
bytes.fill(0, begin + offset, begin + offset + 2 * shape.reduce((a, b) => a * b));
writeFileSync(path.join(root, 'test/media/face-model.bin.gz'), gzipSync(bytes, { level: 9 }));
