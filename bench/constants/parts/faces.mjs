// Constants by which faces are found, by photographs with annotated faces and by others without any.
import { scoreBoxes } from '../../faces/parts/boxes.mjs';
import { annotatedFaces, faceless } from '../../faces/parts/data.mjs';
import { at } from './lines.mjs';

export const about = (images) =>
  `${images.length} photographs (helen, afw, dlib-examples and others without a face), default settings, images searched at 640 pixels, ` +
  'smallest face 30. Worth: recall at IoU 0.5, less the other boxes an image (faces that nobody annotated left out). Groups: photographs.';

export const constants = [
  ...at('src/faces', [
    ['parameters.ts', 'minScore: number({\n    default: 0.5', 0.3, 0.4, 0.6, 0.7],
    ['parameters.ts', 'WORTH_ASKING = 1', 0, 2],
    ['confirmation.ts', 'SIZES = 7', 5, 9],
    ['confirmation.ts', 'SMALLEST = 0.84', 0.78, 0.9],
    ['confirmation.ts', 'STEP = 1.06', 1.04, 1.08],
    ['confirmation.ts', 'SAME = 0.5', 0.4, 0.6],
    ['judge.ts', 'SIZES = [0.84', 0.77, 0.9],
    ['judge.ts', 'SIZES = [0.84, 1.19', 1.12, 1.28],
    ['judge.ts', 'LARGER = 1.09', 1.03, 1.15],
    ['judge.ts', 'HIGHER = 0.07', 0.04, 0.1],
    ['flat-windows.ts', 'LEVELS = 10', 7, 14],
    ['flat-windows.ts', 'usual: 32', 24, 42],
    ['flat-windows.ts', 'usual: 32, noise: 2', 1, 3],
  ]),
  ...at('assembly/faces', [
    ['judge.ts', 'CLIP: f32 = 0.2', 0.15, 0.27],
    ['judge.ts', 'FLAT: f32 = 400', 280, 560],
  ]),
];

export async function prepare({ shared, openBrowser }) {
  const images = shared && (await annotatedFaces(shared, openBrowser));
  return images && [...images, ...(await faceless(shared, openBrowser))];
}

/** By photograph: faces, found, other boxes. */
export async function measure({ importTs }, images) {
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  for (const image of images) {
    const scale = Math.max(1, Math.max(image.width, image.height) / 640);
    const { width, height, data } = image;
    const boxes = await engine.detectFaces({ width, height, data }, { minSize: 30 * scale });
    const [{ faces, found, other, beside }] = Object.values(scoreBoxes([image], [boxes]));
    groups[`${image.set} ${image.name}`] = { images: 1, faces, found, other: other - beside };
  }
  await engine.dispose();
  return groups;
}

export const worth = ({ images, faces, found, other }) => found / faces - other / images;
export const figures = ({ images, faces, found, other }) =>
  `${found} of ${faces} faces, ${(other / images).toFixed(3)} other boxes an image (${images} images)`;
