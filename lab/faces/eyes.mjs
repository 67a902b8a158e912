// Faces: blinks, gaze and resemblance of rendered persons that had no say, as they are fitted. --persons FOLDER [--faces FACES]
import path from 'node:path';
import { figuresOf } from './eyes/figures.mjs';
import { argument } from '../../bench/parts/kept-result.mjs';
import { Report } from '../../bench/parts/report.mjs';

export default async function eyes(given) {
  const { args, log, shared } = given;
  const folder = argument(args, '--persons');
  if (!folder || !shared)
    return log('needs ../shared/data/ict, and --persons FOLDER: where npm run lab -- train-eyes keeps its persons');
  const report = new Report(given);
  const faceModel = path.join(shared, 'data/ict/ict-face.bin');
  await figuresOf(folder, { persons: 60, faces: argument(args, '--faces'), faceModel }, report);
  report.finish('lab/results/models.md', 'eyes faces', 'eyes faces');
}
