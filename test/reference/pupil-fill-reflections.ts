/** An 8-bit image. */
interface Gray {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * Paper 000, section 2.1: a masked pixel is the mean of the nearest unmasked ones in eight directions, each weighted by
 * 1 / distance; unrounded. Pixels that see no unmasked one within `reach` steps keep their value. `whole`: of 2^20 / distance
 * as both sides take it, a whole number: 2^20 or, along a diagonal, that by the root of 2, over the steps.
 */
export function fillReflections(
  { width, height, data }: Gray,
  mask: Uint8Array,
  reach: number,
  whole = false,
): Float64Array {
  const directions = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy] as const)).filter(([x, y]) => x || y);
  return Float64Array.from(data, (value, i) => {
    if (!mask[i]) return value;
    let sum = 0;
    let weights = 0;
    for (const [dx, dy] of directions) {
      let x = (i % width) + dx;
      let y = Math.floor(i / width) + dy;
      let steps = 1;
      const inside = () => x >= 0 && y >= 0 && x < width && y < height && steps <= reach;
      while (inside() && mask[y * width + x]) {
        x += dx;
        y += dy;
        steps++;
      }
      if (!inside()) continue;
      const weight = whole
        ? Math.floor((dx && dy ? Math.round(2 ** 20 / Math.SQRT2) : 2 ** 20) / steps)
        : 1 / Math.hypot(x - (i % width), y - Math.floor(i / width));
      sum += weight * data[y * width + x]!;
      weights += weight;
    }
    return weights ? sum / weights : value;
  });
}
