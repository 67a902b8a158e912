// What a tree comes to on a system's data, in a process of its own: its sources are those of the folder that this file lies in.
// With the file that was changed, a system may leave out what the change does not reach.
//   node bench/constants/parts/measure.mjs pupil DATA RESULT FILE
import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { importTs } from '../../../tools/import-ts.mjs';
import { root } from '../../../tools/setup.mjs';

const [system, data, result, file] = process.argv.slice(2);
const { measure } = await import(`./${system}.mjs`);
writeFileSync(result, JSON.stringify(await measure({ importTs, root }, deserialize(readFileSync(data)), file)));
process.exit(0); // whatever an engine still has open
