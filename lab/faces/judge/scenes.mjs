// Rendered faces laid on procedural pictures: where the detector meets a face, and what is none.
import { generator } from '../../../tools/random.mjs';
import { imageOf, readFaces } from '../../landmarks/dataset.mjs';
import { shrink } from './pictures.mjs';
import { boxOf } from './samples.mjs';

const SIDE = 360;
/** Sides of faces, pixels. */
const [SMALLEST, FACTOR] = [24, 5];
/** Share of a rendered picture's side over which it goes over into what is behind it. */
const SOFT = 0.06;

/** Procedural pictures, gray; what the renderer has behind its faces, as a camera shows it. */
async function backdrops(importTs) {
  const { paintBackdrop } = await importTs('lab/faces/render/backdrop.ts');
  const { drawCamera, drawLight } = await importTs('lab/faces/render/light-settings.ts');
  const { Random } = await importTs('lab/eyes/random.ts');
  return (seed) => {
    const { gamma, noise } = drawCamera(new Random(seed, 7));
    const planes = paintBackdrop(SIDE, SIDE, 1, drawLight(new Random(seed, 6)));
    const linear = planes[1];
    const usual = linear.reduce((sum, v) => sum + v, 0) / linear.length;
    const random = generator(seed);
    const level = 0.05 + 0.35 * random();
    const grain = () => noise * (random() + random() + random() - 1.5) * 2;
    return linear.map((v) => 255 * Math.pow(Math.min(1, (level * v) / usual), 1 / gamma) + grain());
  };
}

/**
 * A face of every person of a folder in a picture of its own: [{ person, width, height, data, faces: [{ box }] }], one after the
 * other; every third picture has no face.
 */
export async function* scenesOf(folder, importTs, seed = 5) {
  const paint = await backdrops(importTs);
  const faces = readFaces(folder);
  const random = generator(seed);
  for (let person = 0; person < faces.count; person++) {
    const out = paint(faces.records[person].seed + 1);
    const scene = { person, width: SIDE, height: SIDE, faces: [], beside: [] };
    if (person % 3 !== 2) {
      const whole = boxOf(Array.from(faces.shapes.subarray(136 * person, 136 * (person + 1))));
      const side = Math.round((faces.side * SMALLEST * Math.pow(FACTOR, random())) / whole.width);
      const small = shrink(imageOf(faces, person), side, side);
      const [left, top] = [0, 0].map(() => Math.round(random() * (SIDE - side)));
      lay(out, small, left, top);
      const share = side / faces.side;
      const box = { x: left + share * whole.x, y: top + share * whole.y, width: share * whole.width, height: share * whole.height }; // prettier-ignore
      scene.faces.push({ box });
    }
    yield { ...scene, data: Uint8Array.from(out, (v) => Math.max(0, Math.min(255, Math.round(v)))) };
  }
}

function lay(out, { width, data }, left, top) {
  for (let j = 0; j < width; j++)
    for (let i = 0; i < width; i++) {
      const edge = Math.min(i, j, width - 1 - i, width - 1 - j) + 0.5;
      const share = Math.min(1, edge / (SOFT * width));
      const k = (top + j) * SIDE + left + i;
      out[k] += share * (data[j * width + i] - out[k]);
    }
}
