// Faces: what scores of boxes and confidences of landmarks are worth, on rendered faces that no model has learned from: --faces FOLDER
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asIs, fitLine, lossLine, RELIABILITY, reliabilityRows, scoreFigures } from './judge/scores.mjs';
import { generator } from '../../tools/random.mjs';
import { imageOf, readFaces } from '../landmarks/dataset.mjs';
import { boxOf, jittered } from '../landmarks/shapes.mjs';
import { argument } from '../../bench/parts/kept-result.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { annotatedFaces, errors, faceless } from '../../bench/faces/parts/data.mjs';
import { fitter } from '../../bench/faces/parts/fits.mjs';

/** Boxes of every face, as wrong as the detector's. */
const DRAWS = 5;
/** Points lie well up to this error. */
const WELL = 0.1;

/** Fits of every face of a folder: [{ person, score: confidence, right: whether the points lie well }]. */
function landmarkRows(folder, library, model) {
  const faces = readFaces(folder);
  const random = generator(3);
  return faces.records.flatMap((_, person) => {
    const points = faces.shapes.subarray(136 * person, 136 * (person + 1));
    const { data, ...size } = imageOf(faces, person);
    const boxes = Array.from({ length: DRAWS }, () => jittered(boxOf(points), random));
    const fits = library.fits({ ...size, data: new Uint8Array(data) }, boxes, model);
    return fits.map(({ shape, confidence }) => ({
      person,
      score: confidence,
      right: errors(shape, points).nme <= WELL,
    }));
  });
}

async function landmarks(given, folder, report) {
  report.heading('Landmarks: confidence');
  const library = await fitter(given);
  const losses = [['numbers', 'fits', 'mean distance of bands from what is right', 'mean log loss']];
  for (const name of ['landmarks-68']) {
    const model = library.readLandmarks(new Uint8Array(readFileSync(path.join(given.root, `models/${name}.bin`))));
    const rows = landmarkRows(folder, library, model);
    const { heldOut, slope, constant } = fitLine(rows);
    if (name === 'landmarks-68') report.table([RELIABILITY, ...reliabilityRows(name, asIs(rows))]);
    losses.push(lossLine(name, asIs(rows)));
    losses.push(lossLine(`${name}, by a line on log odds (${fixed(slope, 2)}, ${fixed(constant, 2)}), persons held out`, heldOut)); // prettier-ignore
  }
  library.dispose();
  report.table(losses);
  report.line(
    `Right: the points lie within ${WELL} of the outer eye corners' distance in the mean. ${DRAWS} boxes a face, as the detector's; fits of one face hang together, so that intervals are a little narrow.`,
  );
}

export default async function confidence(given) {
  const { args, log, openBrowser, shared } = given;
  const folder = argument(args, '--faces');
  if (!folder) return log('needs --faces FOLDER: npm run lab -- render-faces FOLDER --seed 31 --count 1500');
  const report = new Report(given);
  const photographs = shared && [...(await annotatedFaces(shared, openBrowser)), ...(await faceless(shared, openBrowser))]; // prettier-ignore
  report.heading('Boxes: score');
  await scoreFigures(given, folder, report, photographs);
  report.line(
    'Renders: a face each in two of three procedural pictures of 360 pixels, 24 to 120 pixels large. Right: overlap from 0.5 on. The line was ' +
      'not fitted to the photographs; faces that nobody annotated count as right.',
  );
  await landmarks(given, folder, report);
  report.finish('lab/results/accuracy.md', 'confidence faces', 'confidence faces --faces FOLDER');
}
