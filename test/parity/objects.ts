/** What the stages of objects are compared with: windows for a made-up target, and ferns that know something. */
import { fernTable } from '../../src/objects/ferns.ts';
import { scanningGrid } from '../../src/objects/grid.ts';
import { generator, type MakeInput, type Params } from './cases.ts';

const windowGrid: MakeInput = (width, height, i) => {
  const target = { width: 9 + ((5 * i) % 23), height: 9 + ((7 * i) % 19) };
  return scanningGrid(i % 3 === 2 ? 'release' : 'paper', target, { width, height }, 8);
};

const posteriors: MakeInput = (_width, _height, i) => {
  const random = generator(i + 7);
  return Float32Array.from({ length: 10 << 13 }, () => random());
};

export const objectMakers: Readonly<Record<string, MakeInput>> = {
  'window-grid': windowGrid,
  'objects/detection 2': (_width, _height, i) => fernTable(i + 1),
  'objects/detection 3': posteriors,
};

export const settleObjects: Readonly<Record<string, (params: Params, i: number) => Params>> = {
  'objects/detection': (params, i) => ({
    ...params,
    leastVariance: [200, 0, 1000, 4000][i % 4]!,
    fernThreshold: 0.4 + 0.05 * (i % 5),
  }),
};
