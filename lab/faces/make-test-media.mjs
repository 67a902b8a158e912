// Writes test/media/faces.png and faces.json: four rendered faces with their 68 points. The face model is not part of the project: ICT Face Model Light, in the compact form of
// ../shared/data/ict, MIT license, which goes with the files as test/media/ict-face.LICENSE.txt.
//   node lab/faces/make-test-media.mjs
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { importTs } from '../../tools/import-ts.mjs';
import { root, sharedFolder } from '../../tools/serve.mjs';
import { generator } from '../../tools/random.mjs';
import { readModel, renderFace } from './ict-face.mjs';

const [SHOWN, SIZE] = [4, 160];

const { crc32 } = await importTs('src/runtime/crc32.ts');
/** Gray of 8 bits, each row the difference to that above it. */
function png({ width, height, data }) {
  const chunk = (type, content) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    check.writeUInt32BE(crc32(body) >>> 0);
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    rows[y * (width + 1)] = 2;
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] = data[y * width + x] - (y ? data[(y - 1) * width + x] : 0);
  }
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), ...parts]);
}

const ict = path.join(sharedFolder, 'data/ict');
const model = readModel(path.join(ict, 'ict-face.bin'));
const random = generator(2024);
const shown = Array.from({ length: SHOWN }, () => renderFace(model, random, { size: SIZE }));

const out = (name) => path.join(root, 'test/media', name);
const sheet = { width: SHOWN * SIZE, height: SIZE, data: new Uint8Array(SHOWN * SIZE * SIZE) };
for (const [i, { image }] of shown.entries())
  for (let y = 0; y < SIZE; y++)
    sheet.data.set(image.data.subarray(y * SIZE, (y + 1) * SIZE), y * sheet.width + i * SIZE);
writeFileSync(out('faces.png'), png(sheet));
const rounded = shown.map(({ points }) => points.map((v) => Math.round(100 * v) / 100));
writeFileSync(out('faces.json'), `[\n${rounded.map((points) => JSON.stringify(points)).join(',\n')}\n]\n`);
copyFileSync(path.join(ict, 'ict-face.LICENSE.txt'), out('ict-face.LICENSE.txt'));
