// Vessels: Dice and accuracy of the mask, brought back to the photograph's own pixels, and widths against those found in it.
import path from 'node:path';
import { bootstrap, widestOf } from '../../../bench/parts/intervals.mjs';
import { mean, median } from '../../../bench/parts/numbers.mjs';
import { inverse, place, readPicture, same, scaleOf, sourceOf } from './pictures.mjs';
import { SETS } from '../../../bench/vessels/parts/sets.mjs';

/** One each of DRIVE, STARE and CHASE. */
const TAKEN = [
  [0, 0],
  [1, 1],
  [2, 0],
];
const LONGEST = 640;

/** Widths at the points of the middle lines, in a picture of the photograph's own pixels. */
function widthsOf(segments, map, { width, height }) {
  const [back, scale] = [inverse(map), scaleOf(map)];
  const at = new Float32Array(width * height);
  for (const { points, widths } of segments ?? [])
    widths.forEach((value, k) => {
      const [x, y] = place(back, points[2 * k], points[2 * k + 1]).map(Math.round);
      if (x >= 0 && y >= 0 && x < width && y < height && value > 0) at[y * width + x] = value / scale;
    });
  return at;
}

/** Ratios of the widths where both have a middle line, at most two pixels apart. */
function ratios(own, first, { width, height }) {
  const list = [];
  for (let y = 2; y < height - 2; y++)
    for (let x = 2; x < width - 2; x++) {
      const before = first[y * width + x];
      if (!before) continue;
      let near = 0;
      for (let d = 0; d < 25 && !near; d++) near = own[(y + (((d / 5) | 0) - 2)) * width + x + (d % 5) - 2];
      if (near) list.push(near / before);
    }
  return list;
}

function broughtBack(mask, map, { width, height }) {
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = place(map, x, y).map(Math.round);
      if (u >= 0 && v >= 0 && u < mask.width && v < mask.height) out[y * width + x] = mask.data[v * mask.width + u];
    }
  return out;
}

export async function vessels({ shared, engine, importTs }) {
  const { count } = await importTs('bench/vessels/parts/page.ts');
  const folder = path.join(shared, 'data/fundus');
  const photographs = [];
  for (const [set, k] of TAKEN) {
    const { image, truth, field } = SETS[set].photographs[k];
    const read = (file, gray) => readPicture(path.join(folder, file), { gray, longest: LONGEST });
    const [picture, manual] = [await read(image, false), await read(truth, true)];
    const options = { scales: 'all', measures: true };
    const found = await engine.vessels(sourceOf(picture), options);
    photographs.push({
      picture,
      manual: manual.data,
      field: field ? (await read(field, true)).data : found.fieldOfView.data,
      first: widthsOf(found.segments, same, picture),
      options,
    });
  }
  const intervals = { Dice: [], accuracy: [] };
  return {
    title: `Vessels: ${TAKEN.map(([set]) => SETS[set].name).join(', ')}, at most ${LONGEST} px`,
    about:
      'Dice and accuracy in percent against the first observer in the field of view; median of the widths by those of ' +
      'the same places as it is, times the scale',
    columns: ['Dice', 'accuracy', 'width ratio'],
    colors: true,
    intervals: () => [
      `Bootstrap over the ${photographs.length} photographs, so few that it is rough, 95 %, where it is widest: ` +
        `${Object.values(intervals).map((list) => widestOf(list, 1)).join('; ')}.`, // prettier-ignore
    ],
    async measure(change) {
      const [dice, accuracy, widths] = [[], [], []];
      for (const [i, { picture, manual, field, first, options }] of photographs.entries()) {
        const { picture: changed, map } = await change(picture, i);
        const { mask, segments } = await engine.vessels(sourceOf(changed), options);
        const counted = count(broughtBack(mask, map, picture), manual, field);
        dice.push(100 * counted.dice);
        accuracy.push(100 * counted.accuracy);
        widths.push(median(ratios(widthsOf(segments, map, picture), first, picture)));
      }
      intervals.Dice.push([`Dice ${mean(dice).toFixed(1)}`, bootstrap(dice)]);
      intervals.accuracy.push([`accuracy ${mean(accuracy).toFixed(1)}`, bootstrap(accuracy)]);
      return [
        { value: mean(dice), unit: 'points' },
        { value: mean(accuracy), unit: 'points' },
        { value: mean(widths), unit: 'ratio' },
      ];
    },
  };
}
