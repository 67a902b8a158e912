/** Boxes in pixels: overlap, mean, clusters. */
import type { Box } from '../results/types.ts';

/** Intersection over union. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (!(width > 0 && height > 0)) return 0;
  const both = width * height;
  return both / (a.width * a.height + b.width * b.height - both);
}

/** Mean of boxes, each counted `weights[i]` times. */
export function meanBox(boxes: readonly Box[], weights?: readonly number[]): Box {
  const out: Box = { x: 0, y: 0, width: 0, height: 0 };
  let total = 0;
  boxes.forEach((box, i) => {
    const weight = weights?.[i] ?? 1;
    total += weight;
    out.x += weight * box.x;
    out.y += weight * box.y;
    out.width += weight * box.width;
    out.height += weight * box.height;
  });
  out.x /= total;
  out.y /= total;
  out.width /= total;
  out.height /= total;
  return out;
}

/**
 * Groups of boxes by single linkage: two boxes that overlap by at least `least` belong together. Groups come in the
 * order of their first member.
 */
export function clusters(boxes: readonly Box[], least: number): number[][] {
  const group = boxes.map((_, i) => i);
  const root = (i: number): number => {
    while (group[i] !== i) i = group[i] = group[group[i]!]!;
    return i;
  };
  for (let i = 0; i < boxes.length; i++)
    for (let j = 0; j < i; j++) {
      const a = root(i);
      const b = root(j);
      if (a !== b && overlap(boxes[i]!, boxes[j]!) >= least) group[Math.max(a, b)] = Math.min(a, b);
    }
  const members = new Map<number, number[]>();
  boxes.forEach((_, i) => {
    const key = root(i);
    const list = members.get(key);
    if (list) list.push(i);
    else members.set(key, [i]);
  });
  return [...members.values()];
}

/** The part of a box inside a frame, or null. */
export function insideFrame(box: Box, width: number, height: number): Box | null {
  const x = Math.max(0, box.x);
  const y = Math.max(0, box.y);
  const right = Math.min(width, box.x + box.width);
  const bottom = Math.min(height, box.y + box.height);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}
