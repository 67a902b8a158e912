/**
 * Area, box and centroid of components, from labels that were read from the GPU. The WASM backend has them from its
 * runs.
 */
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';

/** One component: area in pixels, box (left, top, width, height) and centroid. */
export interface Component {
  readonly area: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly centerX: number;
  readonly centerY: number;
}

/** Number of samples between two points where the plan can pause. */
const SOME = 1 << 18;

/**
 * Statistics of labels 1 to `count`, row by row. Sums are whole numbers or halves, so they equal the WASM backend's.
 */
export function* componentStatistics(
  scope: Scope,
  labels: ArrayLike<number>,
  { width, height }: { readonly width: number; readonly height: number },
  count: number,
): Plan<Component[]> {
  const [area, right, bottom] = [0, 0, 0].map(() => new Uint32Array(count + 1)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const left = new Uint32Array(count + 1).fill(width);
  const top = new Uint32Array(count + 1).fill(height);
  const [sumX, sumY] = [new Float64Array(count + 1), new Float64Array(count + 1)];
  const rows = Math.max(1, Math.floor(SOME / width));
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const label = labels[row + x]!;
      if (!label) continue;
      const begin = x;
      while (x + 1 < width && labels[row + x + 1]! === label) x++;
      const length = x + 1 - begin;
      area[label]! += length;
      left[label] = Math.min(left[label]!, begin);
      right[label] = Math.max(right[label]!, x);
      top[label] = Math.min(top[label]!, y);
      bottom[label] = y;
      sumX[label]! += 0.5 * length * (begin + x);
      sumY[label]! += length * y;
    }
    if (y % rows === rows - 1) yield* scope.turn();
  }
  return Array.from({ length: count }, (_, n) => {
    const i = n + 1;
    const pixels = area[i]!;
    return {
      area: pixels,
      x: left[i]!,
      y: top[i]!,
      width: right[i]! - left[i]! + 1,
      height: bottom[i]! - top[i]! + 1,
      centerX: sumX[i]! / pixels,
      centerY: sumY[i]! / pixels,
    };
  });
}
