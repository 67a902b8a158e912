/** Working plane, levels, components and results at full size, one pixel after the other. */
import type { PlaneFormat } from '../../src/runtime/plane.ts';
import { components } from './components.ts';
import { type Reference, clamp, make, type ReferenceImage, type ReferenceValue } from './image.ts';

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** As `make`, of any numbers: NaN where rounding decides between two answers. */
function openly(width: number, height: number, format: PlaneFormat, sample: (x: number, y: number) => number) {
  const data = Float64Array.from({ length: width * height }, (_, i) => sample(i % width, Math.floor(i / width)));
  return { width, height, format, data } as unknown as ReferenceImage;
}

/** 255 or 0; NaN where the value is too near to the level. */
const isAbove = (value: number, level: number, near: number) =>
  Math.abs(value - level) < near ? NaN : value > level ? 255 : 0;

/** Between the samples of a plane; (u, v) in samples, clamped to the plane. */
export function between(
  { width, height, data }: Pick<ReferenceImage, 'width' | 'height' | 'data'>,
  u: number,
  v: number,
) {
  const [x, y] = [clamp(u, 0, width - 1), clamp(v, 0, height - 1)];
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, bottom] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const row = (k: number) => (1 - (x - left)) * data[k * width + left]! + (x - left) * data[k * width + right]!;
  return (1 - (y - top)) * row(top) + (y - top) * row(bottom);
}

/** The four samples of pixel (x, y), or the one four times. */
const channels = ({ width, format, data }: ReferenceImage, x: number, y: number) =>
  format === 'rgba8'
    ? Array.from(data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4))
    : new Array<number>(4).fill(data[y * width + x]!);

/** The largest of the mean channels over every (block / 4)-th row of a block. */
export function blockBrightness([source]: readonly ReferenceImage[], { block }: { block: number }): ReferenceImage[] {
  const { width, height } = source!;
  const skip = Math.max(1, Math.floor(block / 4));
  return [
    make(Math.ceil(width / block), Math.ceil(height / block), 'f32', (bx, by) => {
      const pixels: number[][] = [];
      for (let y = by * block; y < Math.min(height, (by + 1) * block); y += skip)
        for (let x = bx * block; x < Math.min(width, (bx + 1) * block); x++) pixels.push(channels(source!, x, y));
      return Math.max(...[0, 1, 2].map((c) => sum(pixels.map((pixel) => pixel[c]!)) / pixels.length));
    }),
  ];
}

/** Green, or gray. */
export function blockMeans(
  [source]: readonly ReferenceImage[],
  { block, channel }: { block: number; channel?: 'red' | 'green' },
): ReferenceImage[] {
  const { width, height } = source!;
  return [
    make(Math.floor(width / block), Math.floor(height / block), 'f32', (bx, by) => {
      let total = 0;
      for (let y = by * block; y < (by + 1) * block; y++)
        for (let x = bx * block; x < (bx + 1) * block; x++)
          total += channels(source!, x, y)[channel === 'red' ? 0 : 1]!;
      return total / block ** 2;
    }),
  ];
}

export function fieldMask([mask, plane]: readonly ReferenceImage[], { ratio }: { ratio: number }): ReferenceImage[] {
  const at = (i: number) => (i + 0.5) * ratio - 0.5;
  // Of coordinates in 32-bit floats, up to some ten thousand.
  return [openly(plane!.width, plane!.height, 'u8', (x, y) => isAbove(between(mask!, at(x), at(y)), 0.5, 0.01))];
}

type Grid = { width: number; height: number; data: Float64Array };

/** Sums over squares of 2 reach + 1 cells. */
function windowed({ width, height, data }: Grid, reach: number): Grid {
  const out = Float64Array.from(data, (_, i) => {
    let total = 0;
    for (let y = Math.floor(i / width) - reach; y <= Math.floor(i / width) + reach; y++)
      for (let x = (i % width) - reach; x <= (i % width) + reach; x++)
        if (x >= 0 && y >= 0 && x < width && y < height) total += data[y * width + x]!;
    return total;
  });
  return { width, height, data: out };
}

/** Percent above the background, of which nothing counts that is a tenth above it; see src/vessels/segment/contrast.ts. */
export function contrast([source, mask]: readonly ReferenceImage[], { cell }: { cell: number }): ReferenceImage[] {
  const { width, height, data } = source!;
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  const overCells = (value: (x: number, y: number) => number): Grid => {
    const cells = new Float64Array(columns * rows);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        if (mask!.data[y * width + x]) cells[Math.floor(y / cell) * columns + Math.floor(x / cell)]! += value(x, y);
    return { width: columns, height: rows, data: cells };
  };
  const counts = overCells(() => 1);
  /** Means of the cells around each, and what lies between the centers of the cells. */
  const local = (value: (x: number, y: number) => number, smooth: (grid: Grid) => Grid, otherwise: number) => {
    const [totals, numbers] = [smooth(overCells(value)), smooth(counts)];
    const means = totals.data.map((total, i) => (numbers.data[i]! > 0.5 ? total / numbers.data[i]! : otherwise));
    const grid = { ...totals, data: Float32Array.from(means) };
    return (x: number, y: number) => between(grid, (x + 0.5) / cell - 0.5, (y + 0.5) / cell - 0.5);
  };
  const wide = (grid: Grid) => windowed(windowed(grid, 3), 3);
  const gray = (x: number, y: number) => data[y * width + x]!;
  const level = sum(Array.from(overCells(gray).data)) / Math.max(1, sum(Array.from(counts.data)));
  const first = local(gray, wide, level);
  const cut = (x: number, y: number) => Math.min(gray(x, y), 1.1 * first(x, y));
  const second = local(cut, wide, level);
  const percent = (x: number, y: number) =>
    (125 * (cut(x, y) - second(x, y))) / (Math.max(second(x, y), 1) + 0.25 * level);
  const near = local(percent, (grid) => windowed(grid, 1), 0);
  return [make(width, height, 'f32', (x, y) => (mask!.data[y * width + x] ? percent(x, y) : near(x, y)))];
}

/** The level that parts a histogram best: the largest variance between the two parts (Otsu 1979). */
function parted(counts: readonly number[]): number {
  const mean = (list: readonly number[], first: number) =>
    sum(list.map((n, i) => n * (first + i))) / Math.max(1, sum(list));
  let [best, level] = [0, 0];
  for (let v = 0; v < counts.length; v++) {
    const [below, above] = [counts.slice(0, v + 1), counts.slice(v + 1)];
    const between = sum(below) * sum(above) * (mean(below, 0) - mean(above, v + 1)) ** 2;
    if (between > best * (1 + 1e-12)) [best, level] = [between, v];
  }
  return level;
}

/** Otsu's level, what a tenth exceed and the median, from 4096 bins up to the largest value. */
export function responseLevels([source, mask]: readonly ReferenceImage[]): ReferenceValue[] {
  const values = Array.from(source!.data).filter((_, i) => mask!.data[i]);
  const top = Math.max(0, ...values);
  if (!top) return [new Float64Array(3)];
  // Values are put into bins in 32-bit floats.
  const scale = Math.fround(4096 / top);
  const bins = values.map((v) => clamp(Math.floor(Math.fround(v * scale)), 0, 4095)).sort((a, b) => a - b);
  const share = (part: number) => bins[Math.ceil(part * bins.length) - 1]! + 1;
  const end = share(0.995);
  const coarse = new Array<number>(256).fill(0);
  for (const bin of bins) coarse[Math.min(255, Math.floor((bin * 256) / end))]!++;
  const width = top / 4096;
  return [Float64Array.of(((parted(coarse) + 1) / 256) * end * width, share(0.9) * width, share(0.5) * width)];
}

/** Components above a level that are strong, large and elongated enough, and their area, width and height. */
export function clean([source, rules]: readonly [ReferenceImage, Float64Array]): ReferenceValue[] {
  const { width, height, data } = source;
  const [level, strong, area, fill] = rules as unknown as [number, number, number, number];
  const mask = make(width, height, 'u8', (x, y) => (data[y * width + x]! > Math.fround(level) ? 255 : 0));
  const [labels, number] = components([mask]);
  const members = Array.from({ length: number!.data[0]! }, (): number[] => []);
  labels!.data.forEach((label, i) => label && members[label - 1]!.push(i));
  const sides = (list: readonly number[]) => {
    const [xs, ys] = [list.map((i) => i % width), list.map((i) => Math.floor(i / width))];
    return [Math.max(...xs) - Math.min(...xs) + 1, Math.max(...ys) - Math.min(...ys) + 1] as const;
  };
  const stays = members.map(
    (list) =>
      Math.max(...list.map((i) => data[i]!)) > strong &&
      list.length >= area &&
      list.length <= fill * Math.max(...sides(list)) ** 2,
  );
  const kept = members.filter((_, n) => stays[n]);
  return [
    make(width, height, 'f32', (x, y) => {
      const label = labels!.data[y * width + x]!;
      return label && !stays[label - 1] ? 0 : data[y * width + x]!;
    }),
    Uint32Array.from(kept.flatMap((list) => [list.length, ...sides(list)])),
  ];
}

const enlarged = (plane: ReferenceImage, block: number, i: number, width: number) =>
  between(plane, ((i % width) + 0.5) / block - 0.5, (Math.floor(i / width) + 0.5) / block - 0.5);

export function fullSizeMasks([response, field, geometry]: readonly [
  ReferenceImage,
  ReferenceImage,
  Float64Array,
]): ReferenceValue[] {
  const [width, height, block, fieldBlock, level] = geometry as unknown as [number, number, number, number, number];
  const masks = [
    [response, block, level],
    [field, fieldBlock, 0.5],
  ] as const;
  const [mask, inside] = masks.map(([plane, side, limit]) =>
    Float64Array.from({ length: width * height }, (_, i) => isAbove(enlarged(plane, side, i, width), limit, 1e-5)),
  ) as [Float64Array, Float64Array];
  // NaN where any of the pixels is open.
  const count = (list: Float64Array) => list.reduce((n, v, i) => n + Number(v * inside[i]!) / 255 ** 2, 0);
  const total = count(inside);
  return [mask, inside, total === 0 ? 0 : count(mask) / total];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'vessels/block-brightness': blockBrightness,
  'vessels/block-brightness-rgba': blockBrightness,
  'vessels/block-means': blockMeans,
  'vessels/block-means-rgba': blockMeans,
  'vessels/field-mask': fieldMask,
  'vessels/contrast': contrast,
  'vessels/response-levels': responseLevels,
  'vessels/clean': clean as Reference,
  'vessels/full-size-masks': fullSizeMasks as Reference,
};
