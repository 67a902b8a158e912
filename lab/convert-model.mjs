// Converts a model to the compact form, from the sources: npm run convert:model -- --help
// The npm package has it built, as the command foveola-convert-model.
import { importTs } from './import-ts.mjs';

const { command } = await importTs('tools/convert-model.ts');
process.exitCode = command(process.argv.slice(2));
