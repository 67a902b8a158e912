// Copies the golden figures of inpainting's first step from ../shared/golden to test/golden/inpaint: the cases on the
// synthetic texture and on parts of photographs that may be passed on (scikit-image's astronaut, public domain; chelsea and
// retina, CC0).
//   node lab/golden/copy-golden-inpaint.mjs
// An image is { width, height, data }, its bytes (RGB or gray) deflated and in base64.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import path from 'node:path';
import { sharedFolder } from '../../tools/serve.mjs';

const golden = path.join(sharedFolder, 'golden');
const { loadManifest, readFileRecord } = await import(pathToFileURL(path.join(golden, 'load.mjs')).href);
const out = fileURLToPath(new URL('../../test/golden/inpaint/', import.meta.url));

const image = (record) => ({
  width: record.shape[1],
  height: record.shape[0],
  data: deflateSync(readFileRecord(golden, record), { level: 9 }).toString('base64'),
});

const cases = loadManifest(golden)
  .cases.filter((c) => c.group === '20-criminisi' && /inpaint_tex|astronaut|chelsea|retina/.test(c.inputs[0].file))
  .map(({ id, params, tolerance, inputs, expected }) => {
    const { columns, front, chosen, match } = readFileRecord(golden, expected[1]);
    return { id, params, tolerance, image: image(inputs[0]), mask: image(inputs[1]), columns, front, chosen, match };
  });

mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, 'first-step.json'), `[\n${cases.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`);
console.log(`${cases.length} cases`);
