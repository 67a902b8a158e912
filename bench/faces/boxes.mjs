// Faces: how the boxes of dlib's landmark model lie to those of the detector (dlibBox in src/models/landmark-models.ts).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../tools/setup.mjs';
import { landmarkModel } from './parts/data.mjs';
import { grayFrames } from './parts/video.mjs';
import { median } from '../parts/numbers.mjs';

export default async function ({ shared, importTs, log, table }) {
  const dat = landmarkModel();
  if (!shared || !dat) return log("needs ../shared/data/faces and the model of Debian's libdlib-data");
  const library = await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const model = library.readLandmarks(dat);
  const engine = await library.createEngine();
  const rows = [['recording', 'frames', 'x', 'y', 'size']];
  const all = [];
  for (const [file, width, height, every] of [
    ['franck.webm', 360, 288, 250],
    ['cap12_edit.webm', 400, 300, 66],
  ]) {
    const frames = grayFrames(path.join(shared, 'data/faces/videos', file), { width, height, every, most: 20 });
    if (!frames) return log('needs ffmpeg');
    const own = [];
    for (const frame of frames) {
      const [face] = (await engine.detectFaces(frame)).sort((a, b) => b.width - a.width);
      if (!face) continue;
      const plane = runtime.plane(width, height, 'u8', frame.data);
      // Three rounds: where it ends does not depend on where it begins.
      let box = face;
      for (let i = 0; i < 3 && box; i++) {
        const [shape] = library.driveNow(runtime, (scope) => library.fitLandmarks(scope, plane, [box], model));
        box = library.boxOfShape(shape, model);
      }
      plane.dispose();
      const middle = (b) => [b.x + b.width / 2, b.y + b.height / 2];
      const [[u, v], [x, y]] = [middle(box), middle(face)];
      own.push([(u - x) / face.width, (v - y) / face.height, box.width / face.width]);
    }
    all.push(...own);
    rows.push([file, own.length, ...[0, 1, 2].map((k) => median(own.map((r) => r[k])).toFixed(3))]);
  }
  rows.push(['both', all.length, ...[0, 1, 2].map((k) => median(all.map((r) => r[k])).toFixed(3))]);
  table(rows);
  await engine.dispose();
  runtime.dispose();
}
