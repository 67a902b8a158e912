// The annotated faces of ../shared/data/faces, decoded, with the boxes that count as truth.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeImages } from '../../../tools/decode-images.mjs';

/** Like the boxes of frontal detectors: 1.05 x the mean side of the landmarks' box, 9 % of it higher. */
export function idealBox(points) {
  const [xs, ys] = [0, 1].map((k) => points.map((p) => p[k]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = (1.05 * (right - left + bottom - top)) / 2;
  return { x: (left + right - side) / 2, y: (top + bottom - side) / 2 - 0.09 * side, width: side, height: side };
}

/** Faces of people in these pictures that nobody annotated: middle and side over the picture's longest side, by eye. */
const BESIDE = {
  '2993039649_1.jpg': [[0.791, 0.53, 0.36]],
  '3213155161_2.jpg': [[0.145, 0.527, 0.136]],
  '3214097106_1.jpg': [[0.807, 0.498, 0.292]],
  '3004338997_1.jpg': [[0.17, 0.39, 0.339]],
  '170817766_1.jpg': [[0.166, 0.283, 0.222]],
  '815038_1.jpg': [[0.113, 0.343, 0.186]],
  '3532475790_1.jpg': [[0.541, 0.212, 0.092]],
  'breakingbad.jpg': [[0.384, 0.159, 0.136]],
  'einstein.jpg': [[0.16, 0.638, 0.055]],
};

/** [{ set, name, width, height, data, faces: [{ box, points? }], beside: [box] }] */
export async function annotatedFaces(shared, openBrowser) {
  const folder = path.join(shared, 'data/faces');
  if (!existsSync(folder)) return null;
  const json = (file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  const entries = ['helen', 'afw', 'menpo'].flatMap((set) =>
    json(`${set}/landmarks.json`).map(({ image, points68 }) => ({
      set,
      file: path.join(folder, set, image),
      faces: [{ box: idealBox(points68), points: points68.flat() }],
    })),
  );
  for (const { image, hand_boxes: boxes } of json('dlib-examples/faces.json'))
    entries.push({
      set: 'dlib-examples',
      file: path.join(folder, 'dlib-examples', image),
      faces: boxes.map(({ left, top, width, height }) => ({ box: { x: left, y: top, width, height } })),
    });
  const images = await decodeImages(
    entries.map(({ file }) => file),
    openBrowser,
  );
  return entries.map(({ set, file, faces }, i) => {
    const name = path.basename(file);
    const longest = Math.max(images[i].width, images[i].height);
    const beside = (BESIDE[name] ?? []).map(([x, y, side]) => {
      const [width, height] = [side * longest, side * longest];
      return { x: x * longest - width / 2, y: y * longest - height / 2, width, height };
    });
    return { set, name, faces, beside, ...images[i] };
  });
}

/** Photographs without faces of ../shared/data, as `annotatedFaces` has those with faces. */
export async function faceless(shared, openBrowser) {
  const files = ['filters/images', 'filters/inpainting', 'fundus/drive', 'fundus/chase', 'fundus/stare'].flatMap(
    (folder) => {
      const at = path.join(shared, 'data', folder);
      const names = existsSync(at) ? readdirSync(at).sort() : [];
      return names
        .filter((name) => /\.(jpg|png)$/i.test(name) && !/mask|fov|manual|HO|_ah|_vk/.test(name))
        .map((name) => path.join(at, name));
    },
  );
  const images = await decodeImages(files, openBrowser);
  return images.map((image, i) => ({
    set: 'faceless',
    name: path.basename(files[i]),
    faces: [],
    beside: [],
    ...image,
  }));
}

/**
 * Mean distance of the points `from` to `to` over the distance of the outer eye corners, and the thesis's measure (its
 * equation 5.2).
 */
export function errors(shape, points, [from, to] = [0, 68]) {
  const eyes = Math.hypot(points[72] - points[90], points[73] - points[91]);
  let [sum, squares] = [0, 0];
  for (let k = 2 * from; k < 2 * to; k += 2) {
    const d = Math.hypot(shape[k] - points[k], shape[k + 1] - points[k + 1]);
    sum += d;
    squares += d * d;
  }
  return { nme: sum / (to - from) / eyes, thesis: Math.sqrt(squares) / ((to - from) * eyes) };
}

/** The 68-point model of Debian's libdlib-data, or the one that FOVEOLA_LANDMARKS names; null without. */
export function landmarkModel() {
  const file = process.env.FOVEOLA_LANDMARKS ?? '/usr/share/dlib/shape_predictor_68_face_landmarks.dat';
  return existsSync(file) ? new Uint8Array(readFileSync(file)) : null;
}
