// Faces: a landmark model trained on half of the annotated images, scored on the other half, beside the mean shape.
import { importTrainer } from '../train-landmarks.mjs';
import { cropFaces } from '../landmarks/crops.mjs';
import { generator } from '../../tools/random.mjs';
import { boxOf, jittered } from '../landmarks/shapes.mjs';
import { bootstrap, range } from '../../bench/parts/intervals.mjs';
import { mean } from '../../bench/parts/numbers.mjs';
import { atMost, fixed, Report } from '../../bench/parts/report.mjs';
import { annotatedFaces, errors } from '../../bench/faces/parts/data.mjs';
import { fitter, inBox } from '../../bench/faces/parts/fits.mjs';

const options = { cascades: 10, trees: 100, depth: 4, boxes: 60, held: 0 };

export default async function (given) {
  const { shared, openBrowser, log } = given;
  const all = shared && (await annotatedFaces(shared, openBrowser));
  if (!all) return log('needs ../shared/data/faces');
  const report = new Report(given);
  const { detectorBox, packLandmarks, trainLandmarks } = await importTrainer();
  const faces = all.filter(({ faces }) => faces[0].points);
  report.line(
    `${faces.length} annotated faces, every second one is learned from; boxes as wrong as the detector's. Settings: ${Object.entries(
      options,
    )
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}.`,
  );
  let most = 0;
  const rows = [['learned from', 'scored on', 'NME of the mean shape', 'of the model', 'share', '95 %']];
  const parts = [0, 1].map((odd) => faces.filter((_, i) => i % 2 === odd));
  const { readLandmarks, fit, dispose } = await fitter(given);
  for (const [from, on] of [parts, parts.toReversed()]) {
    const crops = cropFaces(from.map((image) => ({ image, points: image.faces[0].points })));
    const model = readLandmarks(packLandmarks(await trainLandmarks(crops, { ...options, box: detectorBox }), '8-bit'));
    const random = generator(1);
    const scored = on.map((image) => {
      const { points } = image.faces[0];
      const box = jittered(boxOf(points), random);
      const [shape] = fit(image, [box], model);
      return { own: errors(shape, points).nme, still: errors(inBox(model.mean, box), points).nme };
    });
    const [own, still] = [mean(scored.map((s) => s.own)), mean(scored.map((s) => s.still))];
    most = Math.max(most, own / still);
    const shareOf = (faces) => mean(faces.map((s) => s.own)) / mean(faces.map((s) => s.still));
    rows.push([
      `${from.length} faces`,
      `${on.length} others`,
      fixed(still, 4),
      fixed(own, 4),
      fixed(own / still, 3),
      range(bootstrap(scored, shareOf), 3),
    ]);
  }
  report.table(rows);
  report.line('95 %: bootstrap over the faces that are scored.');
  report.line(atMost('times the mean shape', most, 0.6, 3));
  dispose();
  report.finish('lab/results/accuracy.md', 'trainer faces', 'trainer faces');
}
