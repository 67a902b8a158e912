/**
 * The scanning grid: every position and scale that the detector checks (Kalal, Mikolajczyk, Matas 2012, section 5.3).
 *
 * 'paper': scales 1.2^k, k = -10..10, shifts of 10 % of the window's width and height, in the order scale, y, x.
 * 'release' is the rule of the program that was published with the paper: one fractional step of 10 % of the height on
 * both axes, starting at the second pixel, in the order scale, x, y.
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
/** Narrower windows contain too little information. */
const NARROWEST = 6;
/**
 * Minimum shift for windows under `minSize`. With one pixel, a frame would have several times the windows of a larger
 * target.
 */
const NARROW_SHIFT = 2;
const round = (v: number) => Math.floor(v + 0.5);

function edges(rule: GridRule, frame: number, window: number, step: number): Int32Array {
  const list: number[] = [];
  if (rule === 'paper') for (let at = 0; at + window <= frame; at += step) list.push(at);
  // 1-based in the published program: round(2 + i step) up to frame - window - 1.
  else for (let i = 0; 2 + i * step <= frame - window - 1; i++) list.push(round(2 + i * step) - 1);
  return Int32Array.from(list);
}

/**
 * Makes the grid of a target of `width` x `height` pixels in a frame. Windows with a side under `minSize` are left out.
 * With `small`, a target under `minSize` still has windows, starting one scale below its own. The published program
 * does not accept such targets.
 */
export function scanningGrid(
  rule: GridRule,
  target: { width: number; height: number },
  frame: { width: number; height: number },
  minSize: number,
  small = false,
): Grid {
  const own = Math.min(target.width, target.height);
  const least = small && round(own) < minSize ? Math.max(NARROWEST, round(own * STEP ** -1)) : minSize;
  const scales: GridScale[] = [];
  let count = 0;
  for (let k = -MOST; k <= MOST; k++) {
    const width = round(target.width * STEP ** k);
    const height = round(target.height * STEP ** k);
    const narrow = Math.min(width, height);
    if (narrow < least || width > frame.width || height > frame.height) continue;
    const shift = narrow < minSize ? NARROW_SHIFT : 0;
    const step = (side: number) =>
      Math.max(shift, rule === 'paper' ? Math.max(1, round(SHIFT * side)) : SHIFT * height);
    const lefts = edges(rule, frame.width, width, step(width));
    const tops = edges(rule, frame.height, height, step(height));
    if (!lefts.length || !tops.length) continue;
    scales.push({ k, width, height, lefts, tops, first: count });
    count += lefts.length * tops.length;
  }
  return { rule, scales, count };
}

/** Number of a window in the order of its rule. */
export function windowNumber(grid: Grid, scale: GridScale, column: number, row: number): number {
  return grid.rule === 'paper'
    ? scale.first + row * scale.lefts.length + column
    : scale.first + column * scale.tops.length + row;
}
