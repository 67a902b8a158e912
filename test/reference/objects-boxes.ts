/** Boxes, medians, groups and windows in the plainest way. */
import type { Box } from '../../src/results/types.ts';
import { type Grid, windowNumber } from '../../src/objects/windows.ts';

/** Intersection over union. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (!(width > 0 && height > 0)) return 0;
  const both = width * height;
  return both / (a.width * a.height + b.width * b.height - both);
}

/** The middle of the sorted values, or the mean of the middle two; what is no number counts as the greatest. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  return n ? (sorted[(n - 1) >> 1]! + sorted[n >> 1]!) / 2 : NaN;
}

export interface Found extends Box {
  relative: number;
  conservative: number;
}

export interface FoundGroup extends Found {
  members: number[];
}

/** Groups of what is above `least`: whoever can be reached over overlaps of a half, in the order of the first members. */
export function groups(found: readonly Found[], least: number): FoundGroup[] {
  const left = new Set(found.keys());
  for (const i of left) if (!(found[i]!.relative > least)) left.delete(i);
  const result: FoundGroup[] = [];
  for (const first of left) {
    const members = [first];
    left.delete(first);
    for (const i of members)
      for (const j of left)
        if (overlap(found[i]!, found[j]!) >= 0.5) {
          members.push(j);
          left.delete(j);
        }
    members.sort((a, b) => a - b);
    const mean = (key: keyof Found) => members.reduce((sum, i) => sum + found[i]![key], 0) / members.length;
    result.push({
      ...{ x: mean('x'), y: mean('y'), width: mean('width'), height: mean('height') },
      relative: Math.max(...members.map((i) => found[i]!.relative)),
      conservative: mean('conservative'),
      members,
    });
  }
  return result;
}

export interface GridWindow extends Box {
  number: number;
  scale: number;
}

/** All windows of a grid in the order of its scan lines. */
export function windowsOf(grid: Grid): GridWindow[] {
  return grid.scales.flatMap((scale, s) =>
    Array.from(scale.tops).flatMap((y, row) =>
      Array.from(scale.lefts, (x, column) => ({
        ...{ x, y, width: scale.width, height: scale.height },
        number: windowNumber(grid, scale, column, row),
        scale: s,
      })),
    ),
  );
}

/** The windows that overlap a box by more than `least`, the best first; ties in the grid's order. */
export function nearestWindows(grid: Grid, box: Box, least: number, most: number): GridWindow[] {
  return windowsOf(grid)
    .map((window) => ({ window, shared: overlap(window, box) }))
    .filter(({ shared }) => shared > least)
    .sort((a, b) => b.shared - a.shared || a.window.number - b.window.number)
    .slice(0, most)
    .map(({ window }) => window);
}
