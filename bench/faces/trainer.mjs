// Faces: a landmark model trained on half of the annotated images, scored on the other half, beside the mean shape.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../tools/setup.mjs';
import { defaults, trainLandmarks } from '../../tools/train/train.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { detectAll } from './parts/boxes.mjs';
import { annotatedFaces, errors } from './parts/data.mjs';
import { mean, overlap } from '../parts/numbers.mjs';

export default async function (given) {
  const { shared, openBrowser, importTs, log } = given;
  const all = shared && (await annotatedFaces(shared, openBrowser));
  if (!all) return log('needs ../shared/data/faces');
  const report = new Report(given);
  const library = await importTs('bench/faces/parts/library.ts');
  const engine = await library.createEngine();
  const images = all.filter(({ faces }) => faces[0].points);
  const boxes = await detectAll(engine, images, { minScore: 0.1 });
  await engine.dispose();
  const faces = images.flatMap(({ set, faces: [{ points, box }] }, image) => {
    const [own] = boxes[image].sort((a, b) => overlap(b, box) - overlap(a, box));
    return own && overlap(own, box) > 0.4 ? [{ set, image, points, box: own }] : [];
  });
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.st.wasm')));
  const runtime = await library.Runtime.create({ module });
  report.line(
    `${faces.length} of ${images.length} annotated faces are found by the detector, whose boxes are those of the model; every second one is learned from. Settings: the trainer's own (${Object.entries(
      defaults,
    )
      .filter(([name]) => name !== 'threads')
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}).`,
  );
  const rows = [['learned from', 'scored on', 'NME of the mean shape', 'of the model', 'share']];
  const parts = [0, 1].map((odd) => faces.filter((_, i) => i % 2 === odd));
  for (const [from, on] of [parts, parts.toReversed()]) {
    const model = await trainLandmarks(images, from);
    const packed = library.readLandmarks(library.packLandmarks(model, '8-bit'));
    const scored = on.map(({ image, box, points }) => {
      const { width, height, data } = images[image];
      const plane = runtime.plane(width, height, 'u8', data);
      const [shape] = library.driveNow(runtime, (scope) => library.fitLandmarks(scope, plane, [box], packed));
      plane.dispose();
      const still = model.mean.map((v, k) => (k % 2 ? box.y + v * (box.height - 1) : box.x + v * (box.width - 1)));
      return { own: errors(shape, points).nme, still: errors(still, points).nme };
    });
    const [own, still] = [mean(scored.map((s) => s.own)), mean(scored.map((s) => s.still))];
    rows.push([`${from.length} faces`, `${on.length} others`, fixed(still, 4), fixed(own, 4), fixed(own / still, 3)]);
  }
  report.table(rows);
  report.line('Wanted: at most 0.6 times the mean shape.');
  runtime.dispose();
  report.finish('docs/accuracy.md', 'trainer faces', 'trainer faces');
}
