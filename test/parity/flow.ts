/** What the stages of flow are compared with: a texture that moves by parts of a pixel. */
import { texture } from '../flow/texture.ts';
import { generator, type MakeInput, type Params } from './cases.ts';

const frame =
  (second: boolean): MakeInput =>
  (width, height, i) => {
    const shift = second ? ([9 + ((5 * i) % 23), -7 - ((3 * i) % 17)] as const) : ([0, 0] as const);
    return { ...texture(width, height, i, ...shift), format: 'u8' };
  };

/** Some points, also outside of the frame, and where the search for them starts. */
const points =
  (start: boolean): MakeInput =>
  (width, height, i) => {
    if (start && i % 2 === 0) return new Float32Array(0);
    const random = generator(i);
    const list = Float32Array.from({ length: 24 }, (_, k) => random() * ((k % 2 ? height : width) + 6) - 3);
    if (start) return list.map((v) => v + 2 * random() - 1);
    list[5] = NaN;
    return list;
  };

const stages = ['flow/dense', 'flow/windows', 'flow/refine', 'flow/maps', 'flow/track-points'];

export const flowMakers: Readonly<Record<string, MakeInput>> = {
  ...Object.fromEntries(stages.flatMap((name) => [0, 1].map((k) => [`${name} ${k}`, frame(k === 1)]))),
  'flow/track-points 2': points(false),
  'flow/track-points 3': points(true),
};

/** Few iterations: where a texture says little, each one multiplies the rounding of the one before. */
const settle = (params: Params, i: number): Params => ({
  ...params,
  window: [21, 5, 9, 3, 15, 7][i % 6]!,
  iterations: 1 + (i % 3),
  minEigenvalue: i % 5 === 4 ? 0.05 : 1e-4,
  maxForwardBackward: i % 2 ? 0.5 : 0,
});

export const settleFlow: Readonly<Record<string, (params: Params, i: number) => Params>> = {
  'flow/dense': settle,
  // Each manner by turns, and each with the check and without.
  'flow/maps': (params, i) => ({
    ...settle(params, i),
    window: [5, 7, 9][i % 3]!,
    variant: i % 4 === 3 ? 'paper' : 'default',
    refine: i % 8 > 5,
    maxForwardBackward: i % 3 ? 0.5 : 0,
  }),
  'flow/windows': (params, i) => ({ ...settle(params, i), window: [5, 7, 3][i % 3]! }),
  'flow/refine': (params, i) => ({ ...settle(params, i), window: [7, 9, 5][i % 3]! }),
};
