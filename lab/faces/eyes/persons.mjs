// Rendered persons whose lids and gaze are known, kept in a folder: a run that was ended goes on.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { importTs } from '../../../tools/import-ts.mjs';

/**
 * Renders what is missing of `count` persons. @returns [{ record, image, points }], one person after the other
 */
export async function personsOf(folder, count, model) {
  const { MOMENTS, PERSONS, Renderer, readModel, readShard, renderPersons } =
    await importTs('lab/faces/eyes/rendering.ts');
  mkdirSync(folder, { recursive: true });
  let renderer = null;
  const faces = [];
  for (let first = 0; first < count; first += PERSONS) {
    const file = path.join(folder, `persons-${String(first).padStart(5, '0')}.bin`);
    if (!existsSync(file)) {
      renderer ??= new Renderer(readModel(readFileSync(model)));
      const part = `${file}.${process.pid}.part`;
      writeFileSync(part, renderPersons(renderer, first));
      renameSync(part, file);
      console.log(`${first + PERSONS} of ${count} persons rendered`);
    }
    const { side, records, pictures, points } = readShard(readFileSync(file));
    records.slice(0, MOMENTS * (count - first)).forEach((record, i) => {
      const data = pictures.subarray(i * side * side, (i + 1) * side * side);
      const image = { width: side, height: side, data };
      faces.push({ record: { ...record, moment: true }, image, points: points.slice(136 * i, 136 * (i + 1)) });
    });
  }
  return faces;
}
