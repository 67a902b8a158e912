/** The windows of a grid that vary enough and whose ferns agree, one after the other. */
import type { Grid } from '../../src/objects/windows.ts';
import type { GrayImage } from '../../src/results/types.ts';
import { gaussian } from './gaussian.ts';
import type { Reference, ReferenceImage } from './image.ts';
import { windowsOf, type GridWindow } from './objects-boxes.ts';
import { fernCodes } from './objects-learner.ts';

const FERNS = 10;
/** Windows that are handed on at most. */
const MOST = 8192;

export interface Candidate extends GridWindow {
  vote: number;
}

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
function voteOf(codes: readonly number[], posterior: (i: number) => number, least: number): number {
  let sum = 0;
  for (const [f, code] of codes.entries()) {
    sum = Math.fround(sum + posterior(f * 8192 + code));
    if (sum + FERNS - 1 - f < least) return -1;
  }
  return sum;
}

/** As the ferns see an image. */
export const blurOf = (image: ReferenceImage): GrayImage =>
  gaussian([image], { size: 9, sigma: 1.5 })[0] as ReferenceImage as GrayImage;

/** What passes both, by what is known of the codes at the time. */
export class WindowScan {
  readonly #gray: GrayImage;
  readonly #windows: readonly { window: GridWindow; codes: readonly number[] }[];

  constructor(gray: GrayImage, blurred: GrayImage, grid: Grid, table: ArrayLike<number>) {
    this.#gray = gray;
    this.#windows = windowsOf(grid).map((window) => ({ window, codes: fernCodes(blurred, window, table) }));
  }

  candidates(posterior: (i: number) => number, leastVariance: number, threshold: number): Candidate[] {
    const least = Math.fround(threshold);
    return this.#windows
      .filter(({ window }) => varies(this.#gray, window, leastVariance))
      .map(({ window, codes }) => ({ ...window, vote: voteOf(codes, posterior, least) }))
      .filter(({ vote }) => vote >= least)
      .slice(0, MOST)
      .sort((a, b) => b.vote - a.vote || a.number - b.number);
  }
}

export const objectDetection: Reference = (
  [image, grid, table, posteriors],
  { leastVariance, fernThreshold }: { leastVariance: number; fernThreshold: number },
) => {
  const scan = new WindowScan(image as GrayImage, blurOf(image as ReferenceImage), grid as Grid, table as Float32Array);
  const found = scan.candidates((i) => (posteriors as Float32Array)[i]!, leastVariance, FERNS * fernThreshold);
  return [
    Float64Array.from(found.flatMap(({ x, y, width, height, number, vote }) => [x, y, width, height, number, vote])),
  ];
};
