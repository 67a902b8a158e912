// Constants by which the field of view is found, by photographs whose field is known, dark ones, and parts without a surround.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SETS } from '../../vessels/parts/sets.mjs';
import { wholeImages } from './photographs.mjs';
import { at } from './lines.mjs';

/** Exposures: as a linear camera gives them, rounded. */
const EXPOSURES = [1, 0.25, 0.1, 0.05];
/** Of a picture's middle, which has no surround: its side by that of the picture's shorter one. */
const MIDDLE = 0.5;
/** Gray levels that a sensor has of its own in the dark. */
const FLOOR = [0, 3];

export const about = (photographs) =>
  `${photographs.length} photographs whose field of view was marked (${[...new Set(photographs.map(({ set }) => set))].join(', ')}), at ${EXPOSURES.join(', ')} of their ` +
  `exposure, with ${FLOOR.join(' and ')} gray levels more, whole and their middles alone. Worth: overlap of the field with the marked one (intersection by union), and in a ` +
  'middle the share that counts as inside, mean of both. Groups: photographs.';

export const constants = at('src/vessels/segment', [
  ['field-of-view.ts', 'BEGIN = 0.15', 0.1, 0.2],
  ['field-of-view.ts', 'LEAST = 20', 14, 28],
  ['field-of-view.ts', 'BLACK = 0.75', 0.6, 0.9],
  ['field-of-view.ts', 'SOME = 4', 3, 6],
]);

export async function prepare({ shared, openBrowser }) {
  if (!shared || !existsSync(path.join(shared, 'data/fundus'))) return null;
  const list = SETS.flatMap(({ name, photographs, half }) =>
    photographs.filter(({ field }) => field).map(({ image, field }) => ({ set: name, half, image, field })),
  );
  const files = list.flatMap(({ image, field, half }) =>
    [image, field].map((file) => ({ file: path.join(shared, 'data/fundus', file), half })),
  );
  const images = await wholeImages(files, openBrowser);
  return list.map(({ set, image }, i) => ({ set, name: image, image: images[2 * i], field: images[2 * i + 1] }));
}

function exposed({ width, height, data }, exposure, floor) {
  const dark = data.map((v, k) => (k % 4 === 3 ? v : Math.round(v * exposure) + floor));
  return { width, height, data: dark };
}

function middleOf({ width, height, data }) {
  const side = Math.round(MIDDLE * Math.min(width, height));
  const [left, top] = [(width - side) >> 1, (height - side) >> 1];
  const out = new Uint8ClampedArray(4 * side * side);
  for (let y = 0; y < side; y++)
    out.set(data.subarray(4 * ((top + y) * width + left), 4 * ((top + y) * width + left + side)), 4 * y * side);
  return { width: side, height: side, data: out };
}

function overlap(field, marked) {
  let [both, any] = [0, 0];
  for (let i = 0; i < field.length; i++) {
    const [a, b] = [field[i] > 0, marked[4 * i] > 127];
    both += Number(a && b);
    any += Number(a || b);
  }
  return both / any;
}

/** By photograph: pictures, their overlap, middles, and their share inside. */
export async function measure({ importTs }, photographs) {
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  for (const { name, image, field } of photographs) {
    const counts = (groups[name] = { pictures: 0, overlap: 0, middles: 0, inside: 0 });
    const middle = middleOf(image);
    for (const exposure of EXPOSURES)
      for (const floor of FLOOR) {
        const { fieldOfView } = await engine.vessels(exposed(image, exposure, floor));
        counts.pictures++;
        counts.overlap += overlap(fieldOfView.data, field.data);
        const whole = (await engine.vessels(exposed(middle, exposure, floor))).fieldOfView.data;
        counts.middles++;
        counts.inside += whole.reduce((sum, v) => sum + Number(v > 0), 0) / whole.length;
      }
  }
  await engine.dispose();
  return groups;
}

export const worth = ({ pictures, overlap: own, middles, inside }) => (own / pictures + inside / middles) / 2;
export const figures = ({ pictures, overlap: own, middles, inside }) =>
  `overlap ${(own / pictures).toFixed(4)} of ${pictures} pictures, ${(inside / middles).toFixed(4)} of ${middles} middles inside`;
