/** Drawn pupils: discs over a flat ground. */
import type { Gray } from './search-memory.ts';

export interface Disc {
  x: number;
  y: number;
  r: number;
  level: number;
}

/** Their edges are one pixel wide, about as areas go. */
export function discs(width: number, height: number, ground: number, list: readonly Disc[]): Gray {
  const data = new Uint8Array(width * height).fill(ground);
  for (const { x, y, r, level } of list)
    for (let i = 0; i < data.length; i++) {
      const share = Math.min(1, Math.max(0, r + 0.5 - Math.hypot((i % width) - x, Math.floor(i / width) - y)));
      data[i] = Math.round(data[i]! + share * (level - data[i]!));
    }
  return { width, height, data };
}
