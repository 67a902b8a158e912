// What is fitted to the eyes of rendered persons, and how well that holds for persons that had no say.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importTs } from '../../../tools/import-ts.mjs';
import { generator } from '../../../tools/random.mjs';
import { root } from '../../../tools/setup.mjs';
import { imageOf, readFaces } from '../../landmarks/dataset.mjs';
import { boxOf, jittered } from '../../landmarks/shapes.mjs';
import { blinks } from './blinks.mjs';
import { gazes } from './gazes.mjs';
import { resemblances } from './resemblances.mjs';
import { personsOf } from './persons.mjs';

/** The pictures are also looked at smaller: most eyes on the web are. */
const SHARES = [1, 0.7, 0.5];

/** Every face at every size, as the library sees it: boxes as the detector's. */
export function look(library, runtime, model, faces, shares = SHARES) {
  const random = generator(6);
  return faces.flatMap(({ record, image, points }, index) =>
    shares
      .map((share) => {
        const source = runtime.plane(image.width, image.height, 'u8', image.data);
        const plane = library.driveNow(runtime, (scope) =>
          library.reduceTo(scope, source, Math.round(share * image.width)),
        );
        const box = jittered(boxOf(points.map((v) => (v + 0.5) * share - 0.5)), random);
        const [{ shape, confidence }] = library.driveNow(runtime, (scope) =>
          library.fitPoints(scope, plane, [box], model, new Set(), true),
        );
        const view = library.viewOf(runtime.arena, plane);
        const pose = library.poseOf(shape);
        const seen = pose && {
          ...{ index, share, record, landmarks: shape, confidence, pose, width: library.eyeWidth(pose) },
          measures: library.measuresIn(pose, shape, confidence),
          irises: library.outlinesOf(shape, pose).map((eye) => library.irisOf(view, eye)),
          signature: library.signatureOf(view, library.boxAround(shape, model)),
        };
        plane.dispose();
        if (source !== plane) source.dispose();
        return seen;
      })
      .filter(Boolean),
  );
}

/** Persons of whom there is one picture each, of `npm run lab -- render-faces`: for the gaze alone. */
function strangers(folder) {
  if (!folder) return [];
  const faces = readFaces(folder);
  return faces.records.map((record, i) => {
    const { width, height, data } = imageOf(faces, i);
    const image = { width, height, data: new Uint8Array(data) };
    return { record: { ...record, person: 100_000 + i }, image, points: faces.shapes.slice(136 * i, 136 * (i + 1)) };
  });
}

/**
 * @param faces  a folder of rendered faces as well, or none
 * @param report { heading, table, line }: where it is printed
 * @returns the numbers of src/faces/eye-table.ts
 */
export async function figuresOf(folder, { persons, faces: more, faceModel }, report) {
  const faces = [...(await personsOf(folder, persons, faceModel)), ...strangers(more)];
  const library = await importTs('lab/faces/eyes/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const model = library.readLandmarks(new Uint8Array(readFileSync(path.join(root, 'models/landmarks-network.bin'))));
  const seen = look(library, runtime, model, faces);
  runtime.dispose();
  report.line(`${faces.filter(({ record }) => record.moment).length} pictures of ${persons} rendered persons, and for the gaze one each of ${faces.filter(({ record }) => !record.moment).length} others; each at ${SHARES.join(', ')} of its size; landmarks-network in boxes as the detector's.`); // prettier-ignore
  const print = (heading, rows, ...lines) => {
    report.heading(heading);
    report.table(rows);
    lines.forEach((line) => report.line(line));
  };
  return { ...gazes(library, seen, print), ...blinks(library, seen, print), ...resemblances(library, seen, print) };
}
