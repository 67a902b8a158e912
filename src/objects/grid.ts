/**
 * The scanning grid: every place and scale at which the detector looks (Kalal, Mikolajczyk, Matas 2012, section 5.3).
 *
 * 'paper': scales 1.2^k, k = -10..10, shifts of 10 % of the window's width and height; order scale, y, x.
 * 'release': the rule of the program that was published with the paper: one fractional step of 10 % of the height on both
 * axes, from the second pixel on; order scale, x, y.
 */
export type GridRule = 'paper' | 'release';

export interface GridScale {
  /** Exponent of 1.2. */
  readonly k: number;
  readonly width: number;
  readonly height: number;
  /** Left edges and top edges of the windows. */
  readonly lefts: Int32Array;
  readonly tops: Int32Array;
  /** Number of the scale's first window. */
  readonly first: number;
}

export interface Grid {
  readonly rule: GridRule;
  readonly scales: readonly GridScale[];
  readonly count: number;
}

const STEP = 1.2;
const SHIFT = 0.1;
const MOST = 10;
const round = (v: number) => Math.floor(v + 0.5);

function edges(rule: GridRule, frame: number, window: number, step: number): Int32Array {
  const list: number[] = [];
  if (rule === 'paper') for (let at = 0; at + window <= frame; at += step) list.push(at);
  // 1-based in the published program: round(2 + i step) up to frame - window - 1.
  else for (let i = 0; 2 + i * step <= frame - window - 1; i++) list.push(round(2 + i * step) - 1);
  return Int32Array.from(list);
}

/** The grid of a target of `width` x `height` pixels in a frame; windows with a side under `minSize` are left out. */
export function scanningGrid(
  rule: GridRule,
  target: { width: number; height: number },
  frame: { width: number; height: number },
  minSize: number,
): Grid {
  const scales: GridScale[] = [];
  let count = 0;
  for (let k = -MOST; k <= MOST; k++) {
    const width = round(target.width * STEP ** k);
    const height = round(target.height * STEP ** k);
    if (Math.min(width, height) < minSize || width > frame.width || height > frame.height) continue;
    const stepX = rule === 'paper' ? Math.max(1, round(SHIFT * width)) : SHIFT * height;
    const stepY = rule === 'paper' ? Math.max(1, round(SHIFT * height)) : SHIFT * height;
    const lefts = edges(rule, frame.width, width, stepX);
    const tops = edges(rule, frame.height, height, stepY);
    if (!lefts.length || !tops.length) continue;
    scales.push({ k, width, height, lefts, tops, first: count });
    count += lefts.length * tops.length;
  }
  return { rule, scales, count };
}

/** A window's number in the order of its rule. */
export function windowNumber(grid: Grid, scale: GridScale, column: number, row: number): number {
  return grid.rule === 'paper'
    ? scale.first + row * scale.lefts.length + column
    : scale.first + column * scale.tops.length + row;
}
