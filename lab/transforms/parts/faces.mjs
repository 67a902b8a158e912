// Faces: those found at overlap 0.5, other boxes an image, and the error of the shipped landmarks from the own boxes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { poisson, widest, widestOf } from '../../../bench/parts/intervals.mjs';
import { mean, overlap } from '../../../bench/parts/numbers.mjs';
import { errors, idealBox } from '../../../bench/faces/parts/data.mjs';
import { place, placeBox, readPicture, sourceOf } from './pictures.mjs';

const LONGEST = 640;
/** Which point of a mirrored face is which of the face. */
const MIRROR = [
  ...[16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17],
  ...[27, 28, 29, 30, 35, 34, 33, 32, 31, 45, 44, 43, 42, 47, 46, 39, 38, 37, 36, 41, 40],
  ...[54, 53, 52, 51, 50, 49, 48, 59, 58, 57, 56, 55, 64, 63, 62, 61, 60, 67, 66, 65],
];

function entries(shared) {
  const folder = path.join(shared, 'data/faces');
  const json = (file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  const own = ['helen', 'afw'].flatMap((set) =>
    json(`${set}/landmarks.json`)
      .filter((_, i) => i % 4 === 0)
      .map(({ image, points68 }) => ({
        file: path.join(folder, set, image),
        faces: [{ box: idealBox(points68), points: points68 }],
      })),
  );
  const others = json('dlib-examples/faces.json').map(({ image, hand_boxes: boxes }) => ({
    file: path.join(folder, 'dlib-examples', image),
    faces: boxes.map(({ left, top, width, height }) => ({ box: { x: left, y: top, width, height } })),
  }));
  return [...own, ...others];
}

const enlarged = (k, { box, points }) => ({
  box: Object.fromEntries(Object.entries(box).map(([key, v]) => [key, k * v])),
  points: points?.map(([x, y]) => [k * (x + 0.5) - 0.5, k * (y + 0.5) - 0.5]),
});

function shapeIn(map, points) {
  const mirror = map[0] * map[4] - map[1] * map[3] < 0;
  return points.flatMap((_, k) => place(map, ...points[mirror ? MIRROR[k] : k]));
}

export async function faces({ shared, engine }) {
  const images = [];
  for (const { file, faces: list } of entries(shared)) {
    const picture = await readPicture(file, { longest: LONGEST });
    images.push({ picture, faces: list.map((face) => enlarged(picture.scale, face)) });
  }
  const count = images.reduce((sum, one) => sum + one.faces.length, 0);
  const [recalls, others] = [[], []];
  return {
    title: `Faces: ${count} in ${images.length} photographs of helen, afw and dlib’s examples, at most ${LONGEST} px`,
    about:
      'Percent found at overlap 0.5; boxes that no annotated face has, an image; mean error of the points from the own ' +
      'boxes, percent of the distance of the outer eye corners, of the faces found',
    columns: ['found', 'other boxes', 'points, %'],
    colors: true,
    intervals: () => [
      `Found: ${widest(recalls)}`,
      `Other boxes an image, exact interval (Poisson) where it is widest, ${widestOf(others, 2)}.`,
    ],
    async measure(change) {
      let [found, other] = [0, 0];
      const nme = [];
      for (const [i, { picture, faces: list }] of images.entries()) {
        const { picture: changed, map } = await change(picture, i);
        const source = sourceOf(changed);
        const left = new Set(await engine.detectFaces(source));
        for (const { box, points } of list) {
          const wanted = placeBox(map, box);
          const [best] = [...left].sort((a, b) => overlap(b, wanted) - overlap(a, wanted));
          if (!best || overlap(best, wanted) < 0.5) continue;
          left.delete(best);
          found++;
          if (!points) continue;
          const [shape] = await engine.landmarks(source, [best]);
          nme.push(100 * errors(shape, shapeIn(map, points)).nme);
        }
        other += left.size;
      }
      recalls.push([found, count]);
      others.push([`${other} in ${images.length}`, poisson(other).map((v) => v / images.length)]);
      return [
        { value: (100 * found) / count, unit: 'points' },
        { value: other / images.length, unit: 'boxes' },
        { value: mean(nme), unit: 'error' },
      ];
    },
  };
}
