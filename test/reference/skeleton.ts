import { type Reference, make, type ReferenceImage } from './image.ts';

/** Zhang and Suen's thinning by their own words, on a set of pixels. */
export function skeleton([source]: readonly ReferenceImage[]): ReferenceImage[] {
  const { width, height, data } = source!;
  const set = Array.from(data, (v) => (v ? 1 : 0));
  const at = (x: number, y: number) => (x < 0 || y < 0 || x >= width || y >= height ? 0 : set[y * width + x]!);
  const around = [
    [0, -1],
    [1, -1],
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [-1, -1],
  ] as const;
  for (let changed = true; changed;) {
    changed = false;
    for (const phase of [0, 1]) {
      const gone: number[] = [];
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          if (!at(x, y)) continue;
          const p = around.map(([i, j]) => at(x + i, y + j));
          const count = p.reduce<number>((a, b) => a + b, 0);
          const steps = p.filter((v, i) => v === 0 && p[(i + 1) % 8] === 1).length;
          const [north, , east, , south, , west] = p as [number, number, number, number, number, number, number];
          const open =
            phase === 0
              ? !(north && east && south) && !(east && south && west)
              : !(north && east && west) && !(north && south && west);
          if (count >= 2 && count <= 6 && steps === 1 && open) gone.push(y * width + x);
        }
      for (const i of gone) set[i] = 0;
      changed ||= gone.length > 0;
    }
  }
  return [make(width, height, 'u8', (x, y) => (at(x, y) ? data[y * width + x]! : 0))];
}

/** By looking at every pair. */
export function distanceTransform([source]: readonly ReferenceImage[]): ReferenceImage[] {
  const { width, height, data } = source!;
  const zeros: [number, number][] = [];
  data.forEach((v, i) => v || zeros.push([i % width, Math.floor(i / width)]));
  return [
    make(width, height, 'f32', (x, y) =>
      data[y * width + x]
        ? Math.sqrt(zeros.reduce((d, [i, j]) => Math.min(d, (x - i) ** 2 + (y - j) ** 2), (width + height) ** 2))
        : 0,
    ),
  ];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/distance-transform': distanceTransform,
  'image/skeleton': skeleton,
};
