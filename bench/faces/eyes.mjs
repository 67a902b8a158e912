// Faces: blinks, gaze and likeness of rendered persons that had no say, as they are fitted. --faces FOLDER [--persons 80]
import path from 'node:path';
import { figuresOf } from '../../tools/faces/eyes/figures.mjs';
import { argument } from '../parts/kept-result.mjs';
import { Report } from '../parts/report.mjs';

export default async function eyes(given) {
  const { args, log, shared } = given;
  const folder = argument(args, '--faces');
  if (!folder || !shared)
    return log('needs ../shared/data/ict, and --faces FOLDER: where npm run train:eyes keeps its persons');
  const report = new Report(given);
  await figuresOf(
    folder,
    Number(argument(args, '--persons') ?? 80),
    path.join(shared, 'data/ict/ict-face.bin'),
    report,
  );
  report.finish('docs/models.md', 'eyes faces', 'eyes faces');
}
