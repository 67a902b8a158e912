// Fits the limits and weights of the measures of eyes: npm run lab -- train-eyes FOLDER [--persons 60] [--faces FACES] [--face-model ict-face.bin] [--write]
// FOLDER keeps rendered persons (lab/faces/eyes/moments.ts) whose lids and gaze are known; what is missing is rendered. FACES are
// others for the gaze (npm run lab -- render-faces) that landmarks-network has not learned from. Prints
// how often eyes are called shut, how far the gaze is off, by eye width and by clearness of the iris, and how well a face is distinguished from
// another; all of persons that the numbers were not fitted to (five folds), with what it is in-sample beside it. --write writes
// src/faces/eye-table.ts. `npm run lab -- eyes faces` prints the same for docs/models.md.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../bench/parts/table.mjs';
import { figuresOf } from './faces/eyes/figures.mjs';
import { sharedFolder } from '../tools/serve.mjs';
import { main, root } from '../tools/setup.mjs';

const words = (
  table,
) => `/** Constants of the eye measures, fitted to rendered faces and written by \`npm run lab -- train-eyes\`. */
// prettier-ignore
export const eyeTable = {
  /** Height of an eye divided by its width. Below this, it counts as closed if nothing else is known about it. */
  closed: ${table.closed},
  /** Mean height of both eyes, relative to their open height. Below this, they are shut. */
  shut: ${table.shut},
  /** Minimum correlation of an iris with its disc. */
  clearness: ${table.clearness},
  /** Minimum gray value below the eye, relative to the nose. Darker eyes have dark glasses. */
  bare: ${table.bare},
  /** Weights of the gaze to the right of the image, and up (gaze.ts). */
  across: [${table.across.join(', ')}],
  up: [${table.up.join(', ')}],
  /** Minimum width of an eye in pixels. */
  width: ${table.width},
  /** Minimum similarity of a face that has returned. */
  like: ${table.like},
};
`;

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      persons: { type: 'string', default: '60' },
      faces: { type: 'string' },
      'face-model': { type: 'string', default: path.join(sharedFolder, 'data/ict/ict-face.bin') },
      write: { type: 'boolean' },
    },
  });
  const [folder] = positionals;
  if (!folder) throw new Error('Name a folder that keeps the rendered persons: npm run lab -- train-eyes FOLDER');
  const fitted = await figuresOf(
    folder,
    { persons: Number(values.persons), faces: values.faces, faceModel: values['face-model'] },
    {
      heading: (text) => console.log(`\n${text}\n`),
      table: (rows) => console.log(table(rows)),
      line: (text) => console.log(text),
    },
  );
  console.log(`\n${words(fitted)}`);
  if (values.write) writeFileSync(path.join(root, 'src/faces/eye-table.ts'), words(fitted));
});
