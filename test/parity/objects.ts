/** What the stages of objects are compared with: made-up targets on a texture that moves, and ferns that know something. */
import { fernTable } from '../../src/objects/model.ts';
import { scanningGrid } from '../../src/objects/windows.ts';
import { generator, type MakeInput, type Params } from './cases.ts';
import { flowMakers } from './flow.ts';

const [frame, next] = [flowMakers['flow/dense 0']!, flowMakers['flow/dense 1']!];

const windowGrid: MakeInput = (width, height, i) => {
  const target = { width: 9 + ((5 * i) % 23), height: 9 + ((7 * i) % 19) };
  return scanningGrid(i % 3 === 2 ? 'release' : 'paper', target, { width, height }, 8);
};

const posteriors: MakeInput = (_width, _height, i) => {
  const random = generator(i + 7);
  return Float32Array.from({ length: 10 << 13 }, () => random());
};

/** Boxes of about one size inside the image, as large as there is room for: x, y, width, height of each. */
const boxes =
  (count: number): MakeInput =>
  (width, height, i) => {
    const random = generator(i + 3);
    const [w, h] = [Math.min(width, 14 + ((5 * i) % 23)), Math.min(height, 12 + ((7 * i) % 19))];
    const [x, y] = [random() * (width - w), random() * (height - h)];
    const near = (at: number, most: number) => Math.max(0, Math.min(most, at + 3 * random() - 1.5));
    const places = [
      [x, y],
      [near(x, width - w), near(y, height - h)],
      [width - w, 0],
    ];
    return Float64Array.from(places.slice(0, count).flatMap((place) => [...place, w, h]));
  };

/** Patches of zero mean and unit norm, 240 floats each. */
const patches =
  (seed: number): MakeInput =>
  (_width, _height, i) => {
    const random = generator(i + seed);
    const list = new Float32Array(240 * ((i * seed) % 5));
    for (let at = 0; at < list.length; at += 240) {
      const values = Array.from({ length: 225 }, () => random() - 0.5);
      const mean = values.reduce((sum, v) => sum + v, 0) / 225;
      const norm = Math.hypot(...values.map((v) => v - mean));
      list.set(
        values.map((v) => (v - mean) / norm),
        at,
      );
    }
    return list;
  };

/** Boxes around a few places, some of them the track's. */
const detections: MakeInput = (width, height, i) => {
  const [x = 0, y = 0, w = 0, h = 0] = boxes(1)(width, height, i, generator(0)) as Float64Array;
  const random = generator(i + 11);
  const list = Array.from({ length: i % 7 }, (_, k) => {
    const shift = k % 3 === 0 ? 2 : 60 * (1 + (i % 2 ? 0 : k % 3));
    const relative = random();
    return [x + shift * random(), y + random(), w, h * (1 + random() / 9), relative, relative * random()];
  });
  return Float64Array.from(list.flat());
};

export const objectMakers: Readonly<Record<string, MakeInput>> = {
  'window-grid': windowGrid,
  'objects/detection 2': (_width, _height, i) => fernTable(i + 1),
  'objects/detection 3': posteriors,
  'objects/median-flow 0': frame,
  'objects/median-flow 1': next,
  'objects/median-flow 2': boxes(1),
  'objects/learning 0': frame,
  'objects/learning 1': next,
  'objects/learning 2': boxes(3),
  'objects/filter-integration 0': frame,
  'objects/filter-integration 1': next,
  'objects/filter-integration 2': boxes(1),
  'objects/filter-integration 3': detections,
  'objects/filter-integration 4': next,
  'objects/filter-integration 5': frame,
  'objects/integration 0': frame,
  'objects/integration 1': (width, height, i, random) =>
    i % 4 === 3 ? new Float64Array(0) : boxes(1)(width, height, i, random),
  'objects/integration 2': patches(3),
  'objects/integration 3': patches(7),
  'objects/integration 4': detections,
};

export const settleObjects: Readonly<Record<string, (params: Params, i: number) => Params>> = {
  'objects/detection': (params, i) => ({
    ...params,
    leastVariance: [200, 0, 1000, 4000][i % 4]!,
    fernThreshold: 0.4 + 0.05 * (i % 5),
  }),
  'objects/median-flow': (params, i) => ({
    ...params,
    flowPoints: 3 + (i % 5),
    flowWindow: [15, 5, 9, 21][i % 4]!,
    flowLevels: i % 4,
    flowResidual: i % 3 ? 10 : 2,
  }),
  'objects/filter-integration': (params, i) => ({
    ...params,
    ...{ flowPoints: 4 + (i % 3), flowWindow: [15, 9, 5][i % 3]!, flowLevels: i % 3, flowResidual: 10 },
    ...{ minConfidence: 0.1 + 0.1 * (i % 5), nearestThreshold: 0.4, colored: i % 2 === 1 },
  }),
  'objects/learning': (params, i) => ({
    ...params,
    seed: i + 1,
    minSize: 8 + (i % 5),
    candidates: 5 + (i % 20),
    ...{ positives: 2 + (i % 6), negatives: 2 + (i % 9), firstWarps: i % 5, warps: i % 4, noise: i % 6 },
    ...{ fernThreshold: 0.1 + 0.1 * (i % 4), nearestThreshold: 0.55, validThreshold: 0.6 },
    ...{ sameThreshold: 0.9, negativeOverlap: 0.3, corrected: i % 3 === 2 },
  }),
  'objects/integration': (params, i) => ({ ...params, nearestThreshold: 0.3, validThreshold: 0.4 + 0.03 * (i % 7) }),
};
