// Converts a model to the compact form, from the sources: npm run lab -- convert-model --help
// The npm package has it built, as the command foveola-convert-model.
import { importTs } from '../tools/import-ts.mjs';

const { command } = await importTs('lab/convert-model.ts');
process.exitCode = command(process.argv.slice(2));
