// Converts a model to the compact form: `npm run convert:model -- cascade.xml cascade.bin`.
// The licence notice at the head of an XML file goes along.
import { readFileSync, writeFileSync } from 'node:fs';
import { importTs } from './import-ts.mjs';
import { main } from './setup.mjs';

await main(async () => {
  const [from, to] = process.argv.slice(2);
  if (!to) throw new Error('Two files are needed: npm run convert:model -- model.xml model.bin');
  const { convertModel } = await importTs('src/models/convert.ts');
  const bytes = convertModel(new Uint8Array(readFileSync(from)));
  writeFileSync(to, bytes);
  console.log(`${to}: ${bytes.length} bytes`);
});
