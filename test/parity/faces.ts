/** What the stages of faces are compared with: made-up cascades, landmark models, boxes and windows. */
import { openLandmarks, packLandmarks } from '../../src/models/landmarks.ts';
import { texture } from '../flow/texture.ts';
import { randomCascade, randomImage, randomJudge, randomLandmarks } from '../faces/made-up.ts';
import { unpacked } from '../reference/faces-detector.ts';
import type { ReferenceImage } from '../reference/image.ts';
import { generator, type MakeInput, type Params } from './cases.ts';

const image: MakeInput = (width, height, i) => ({ ...randomImage(generator(i), width, height), format: 'u8' });
/** Every second one dark. */
const dimmed: MakeInput = (width, height, i, random) => {
  const made = image(width, height, i, random) as ReferenceImage;
  return i % 2 ? { ...made, data: Uint8Array.from(made.data, (v) => v >> 3) } : made;
};

const cascade: MakeInput = (_width, _height, i) =>
  randomCascade(generator(i + 40), { trees: i % 2 === 1, stages: i % 3 === 2 ? 16 : 4 });

const landmarks: MakeInput = (_width, _height, i) => {
  const model = randomLandmarks(generator(i));
  const packed = openLandmarks(packLandmarks(model, 'exact'));
  unpacked.set(packed, model);
  return packed;
};

/** Some boxes, also over the border: x, y, width, height of each. */
const boxes: MakeInput = (width, height, i, random) =>
  Float64Array.from({ length: 4 * (i % 4) }, (_, k) =>
    k % 4 < 2 ? Math.round(random() * (k % 2 ? height : width)) - 5 : 12 + Math.round(random() * 40),
  );

/** A texture that moves by some pixels. */
const frame =
  (second: boolean): MakeInput =>
  (width, height, i) => ({
    ...texture(width, height, i, second ? 9 + ((5 * i) % 23) : 0, second ? -7 - ((3 * i) % 17) : 0),
    format: 'u8',
  });

/** Squares, also over the border. */
const squares: MakeInput = (width, height, i, random) =>
  Float64Array.from(
    Array.from({ length: 1 + (i % 3) }, () => {
      const side = 20 + 30 * random();
      return [random() * width - side / 2, random() * height - side / 2, side, side];
    }).flat(),
  );

/** Eyes of any turn, with lids that bulge unevenly (no two places are quite alike), also over the border: 15 numbers of each. */
const eyes: MakeInput = (width, height, i, random) =>
  Float64Array.from(
    Array.from({ length: 1 + (i % 3) }, () => {
      const [x, y, size, turn] = [random() * width, random() * height, 6 + 40 * random(), 7 * random()];
      const lids = [0, 1, 2, 3, 4, 5].flatMap((k) => {
        const angle = Math.PI + (k * Math.PI) / 3 + 0.2 * random();
        const [u, v] = [0.5 * Math.cos(angle), (0.12 + 0.1 * random()) * Math.sin(angle)];
        return [
          x + size * (u * Math.cos(turn) - v * Math.sin(turn)),
          y + size * (u * Math.sin(turn) + v * Math.cos(turn)),
        ];
      });
      return [...lids, size, x + size * random(), y + size * random()];
    }).flat(),
  );

/** Windows of three sizes around few places. */
const windows: MakeInput = (width, height, i, random) => {
  const list: number[] = [];
  for (let n = 0; n < (width * height) % 90; n++) {
    const side = [20, 22, 40][Math.floor(random() * 3)]!;
    const place = 60 * Math.floor(random() * (1 + (i % 4)));
    list.push(place + Math.floor(random() * 6), place + Math.floor(random() * 6), side, side);
  }
  return Int32Array.from(list);
};

export const faceMakers: Readonly<Record<string, MakeInput>> = {
  cascade,
  'cascade[]': () => [],
  'judge[]': (_width, _height, i) => [randomJudge(generator(i + 60))],
  landmarks,
  'faces/cascade 0': dimmed,
  'faces/detect 0': image,
  'faces/confirmation 0': dimmed,
  'faces/confirmation 2': boxes,
  'faces/iris 0': image,
  'faces/iris 1': eyes,
  'faces/judge 0': image,
  'faces/judge 2': squares,
  'faces/landmarks 0': image,
  'faces/landmarks 2': boxes,
  'faces/follow 0': frame(false),
  'faces/follow 1': frame(true),
  'faces/follow 3': squares,
  'faces/grouping 0': windows,
};

/** The image is scaled: scaling the classifier rounds, which test/faces compares by shares. */
const settle = (params: Params, i: number): Params => ({
  ...params,
  scaling: 'image',
  scaleFactor: 1.2 + 0.1 * (i % 3),
  step: i % 3,
  minSize: 0,
  maxSize: 0,
});

export const settleFaces: Readonly<Record<string, (params: Params, i: number) => Params>> = {
  'faces/cascade': (params, i) => ({ ...settle(params, i), faint: i % 4 !== 3 }),
  'faces/detect': (params, i) => ({ ...settle(params, i), maxSide: 0, minNeighbors: i % 3, tracked: false }),
  'faces/grouping': (params, i) => ({ ...params, minNeighbors: i % 4 }),
  'faces/resize': (params, i) => ({ ...params, longest: 1 + ((17 * i) % 90) }),
};
