/** The windows of a grid that vary enough and whose ferns agree, one after the other. */
import type { Grid } from '../../src/objects/grid.ts';
import type { GrayImage } from '../../src/results/types.ts';
import { gaussian } from './gaussian.ts';
import type { Reference, ReferenceImage } from './image.ts';
import { windowsOf, type GridWindow } from './objects-boxes.ts';
import { fernCodes } from './objects-learner.ts';

const FERNS = 10;
/** Windows that are handed on at most. */
const MOST = 8192;

/** Whether the variance of a window's gray values is above `least`, in whole numbers. */
function varies({ width, data }: GrayImage, window: GridWindow, least: number): boolean {
  let [sum, squares] = [0, 0];
  for (let y = window.y; y < window.y + window.height; y++)
    for (let x = window.x; x < window.x + window.width; x++) {
      const v = data[y * width + x]! - 128;
      sum += v;
      squares += v * v;
    }
  const area = window.width * window.height;
  return squares * area - sum * sum > least * area * area;
}

/** The sum of the posteriors; -1 where it cannot reach `least` any more, as no posterior is above 1. */
function voteOf(codes: readonly number[], posteriors: ArrayLike<number>, least: number): number {
  let sum = 0;
  for (const [f, code] of codes.entries()) {
    sum = Math.fround(sum + posteriors[f * 8192 + code]!);
    if (sum + FERNS - 1 - f < least) return -1;
  }
  return sum;
}

const blurOf = (image: ReferenceImage): GrayImage => gaussian([image], { size: 9, sigma: 1.5 })[0] as GrayImage;

export const objectDetection: Reference = (
  [image, grid, table, posteriors],
  { leastVariance, fernThreshold }: { leastVariance: number; fernThreshold: number },
) => {
  const gray = image as GrayImage & ReferenceImage;
  const blurred = blurOf(gray);
  const least = Math.fround(FERNS * fernThreshold);
  const passed = windowsOf(grid as Grid)
    .filter((window) => varies(gray, window, leastVariance))
    .map((window) => {
      const codes = fernCodes(blurred, window, table as Float32Array);
      return { ...window, vote: voteOf(codes, posteriors as Float32Array, least) };
    })
    .filter(({ vote }) => vote >= least)
    .slice(0, MOST)
    .sort((a, b) => b.vote - a.vote || a.number - b.number);
  const fields = ({ x, y, width, height, number, vote }: GridWindow & { vote: number }) => {
    return [x, y, width, height, number, vote];
  };
  return [Float64Array.from(passed.flatMap(fields))];
};
