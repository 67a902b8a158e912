/** The command `foveola-convert-model` of the package, and `npm run lab -- convert-model` of the repository. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { convertModel } from '../src/models/convert.ts';

const usage = `Converts a model to the compact form that foveola loads:
  foveola-convert-model cascade.xml cascade.bin
  foveola-convert-model shape_predictor.dat landmarks.bin [--form exact|16-bit|8-bit] [--notice license.txt]

--form     how exactly the numbers of a landmark model are kept; 8-bit if not given
--notice   the license of a .dat file, which has none inside; that at the head of an XML file goes along by itself`;

const forms = ['exact', '16-bit', '8-bit'] as const;

function read(file: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file));
  } catch (cause) {
    throw new Error(`${file} cannot be read (${(cause as NodeJS.ErrnoException).code}). Check the path.`, { cause });
  }
}

function convert(args: string[]): string {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      form: { type: 'string', default: '8-bit' },
      notice: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return usage;
  const [from, to, ...more] = positionals;
  if (from === undefined || to === undefined || more.length) throw new Error(`Two files are needed.\n\n${usage}`);
  const form = forms.find((name) => name === values.form);
  if (!form) throw new Error(`--form is exact, 16-bit or 8-bit, not '${values.form}'.`);
  const notice = values.notice === undefined ? '' : new TextDecoder().decode(read(values.notice));
  const bytes = convertModel(read(from), form, notice);
  writeFileSync(to, bytes);
  return `${to}: ${bytes.length} bytes`;
}

/** Runs the command; returns its exit code. */
export function command(args: string[]): number {
  try {
    console.log(convert(args));
    return 0;
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
}
