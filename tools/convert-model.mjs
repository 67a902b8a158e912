// Converts a model to the compact form:
//   npm run convert:model -- cascade.xml cascade.bin
//   npm run convert:model -- shape_predictor.dat landmarks.bin [--form exact|16-bit|8-bit] [--notice licence.txt]
// The licence notice at the head of an XML file goes along; a .dat file has none, so give the one it came with.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importTs } from './import-ts.mjs';
import { main } from './setup.mjs';

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { form: { type: 'string', default: '8-bit' }, notice: { type: 'string' } },
  });
  const [from, to] = positionals;
  if (!to) throw new Error('Two files are needed: npm run convert:model -- model.xml model.bin');
  if (!['exact', '16-bit', '8-bit'].includes(values.form)) throw new Error('--form is exact, 16-bit or 8-bit.');
  const { convertModel } = await importTs('src/models/convert.ts');
  const notice = values.notice ? readFileSync(values.notice, 'utf8') : '';
  const bytes = convertModel(new Uint8Array(readFileSync(from)), values.form, notice);
  writeFileSync(to, bytes);
  console.log(`${to}: ${bytes.length} bytes`);
});
