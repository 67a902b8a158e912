// Faces: points of small faces, by the pixels between the outer corners of the eyes: photographs of helen and afw made smaller. [quick]
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generator } from '../../tools/random.mjs';
import { boxOf, jittered } from '../landmarks/shapes.mjs';
import { rangeOfShare } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { annotatedFaces, errors } from '../../bench/faces/parts/data.mjs';
import { fitter } from '../../bench/faces/parts/fits.mjs';

const PIXELS = [60, 40, 28, 24, 20, 16, 14, 12, 10];
/** Boxes of every face, as wrong as the detector's. */
const BOXES = 3;
/** Points lie well up to this error, and are trusted from this confidence on (src/faces/head.ts). */
const [WELL, TRUSTED] = [0.1, 0.5];

export default async function small(given) {
  const { log, openBrowser, root, shared } = given;
  const annotated = shared && (await annotatedFaces(shared, openBrowser));
  if (!annotated) return log('needs ../shared/data/faces');
  const photographs = annotated.filter(({ set }) => ['helen', 'afw'].includes(set));
  const library = await fitter(given);
  const model = library.readLandmarks(new Uint8Array(readFileSync(path.join(root, 'models/landmarks-68.bin'))));
  const random = generator(4);
  const report = new Report(given);
  const rows = [['px between the eyes', 'fits', 'mean error', 'lie well', '95 %', 'trusted', 'of these lie well']];
  for (const pixels of PIXELS) {
    const fits = [];
    for (const { width, height, data, faces } of photographs) {
      const { points } = faces[0];
      const scale = Math.min(1, pixels / Math.hypot(points[72] - points[90], points[73] - points[91]));
      const image = library.smaller({ width, height, data }, Math.round(scale * Math.max(width, height)));
      const truth = points.map((v) => (v + 0.5) * scale - 0.5);
      const boxes = Array.from({ length: BOXES }, () => jittered(boxOf(truth), random));
      for (const { shape, confidence } of library.fits(image, boxes, model))
        fits.push({ nme: errors(shape, truth).nme, trusted: confidence >= TRUSTED });
    }
    const well = (list) => list.filter(({ nme }) => nme <= WELL).length;
    const trusted = fits.filter((fit) => fit.trusted);
    rows.push([
      pixels,
      fits.length,
      fixed(fits.reduce((sum, { nme }) => sum + nme, 0) / fits.length, 4),
      fixed(well(fits) / fits.length, 3),
      rangeOfShare(well(fits), fits.length),
      fixed(trusted.length / fits.length, 3),
      fixed(well(trusted) / trusted.length, 3),
    ]);
  }
  library.dispose();
  report.table(rows);
  report.line(
    `${photographs.length} photographs, ${BOXES} boxes each, as wrong as the detector's. Lie well: within ${WELL} of the outer eye corners' distance in the mean; ` +
      `trusted: a confidence of ${TRUSTED} and more. Wilson's intervals; fits of one face hang together, so that they are a little narrow.`,
  );
  report.finish('lab/results/accuracy.md', 'small faces', 'small faces');
}
